// SPDX-License-Identifier: MIT
#include "core/io/readable_code.h"

#include "core/io/readable_reader.h"
#include "core/io/stage_marks.h"

namespace reinspect
{

Result<Document> readReadableCode(std::shared_ptr<const SourceText> text, const RunControl& control)
{
    Document document;
    document.source = std::move(text);
    document.format = DocumentFormat::Readable;
    ProblemList problems(*document.source);
    REINSPECT_TRY(std::vector<Graph> graphs, ReadableReader(problems, control).graphs());
    for (Graph& graph : graphs)
    {
        const Stage stage = stageFromMarks(graph);
        document.graphs.push_back({std::make_shared<const Graph>(std::move(graph)), stage});
    }
    document.problems = problems.take();
    return document;
}

} // namespace reinspect
