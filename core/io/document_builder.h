// SPDX-License-Identifier: MIT
// Puts a document together from the parts that its wrappings leave: reads each part by its grammar,
// and keeps what the wrapping said about it. A part that cannot be read is a problem as long as
// another can.
#pragma once

#include "core/io/problem_list.h"
#include "core/io/section.h"

namespace reinspect
{

class DocumentBuilder
{
public:
    DocumentBuilder(std::shared_ptr<const SourceText> source, const RunControl& control,
                    const GraphFound& found);

    // An Error only when reading was stopped.
    Result<void> add(const Section& section);
    Result<void> add(const std::vector<Section>& sections);
    // The whole text, read as it stands.
    Result<void> add(Result<Document> whole);
    ProblemList& problems() { return m_problems; }
    void setWrapping(Wrapping wrapping) { m_document.wrapping = wrapping; }
    void setPassLog(std::vector<PassLogLine> lines) { m_document.passLog = std::move(lines); }
    // At least one graph; else why there is none.
    Result<Document> finish();

private:
    Result<void> take(Result<Document> part, const Section& section);
    void takeFacts(Document& part);
    void listTables(const Section& section);
    void takeGraph(DocumentGraph graph, const Section& section);

    std::shared_ptr<const SourceText> m_source;
    const RunControl& m_control;
    const GraphFound& m_found;
    Document m_document;
    Stage m_fileStage = Stage::Unknown; // as the file's name says
    ProblemList m_problems;
    std::vector<Problem> m_partProblems;
    std::optional<Error> m_firstError;
};

// Reads one graph's text (or a few) by its grammar; wrappings are gone.
Result<Document> readPart(std::shared_ptr<const SourceText> text, const RunControl& control);
// How to open a whole text: takes its wrapping off, then reads the parts.
Result<Document> readDocument(std::shared_ptr<const SourceText> source, const RunControl& control,
                              const GraphFound& found);

} // namespace reinspect
