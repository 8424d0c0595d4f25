// SPDX-License-Identifier: MIT
// Any bytes: a reader gives an error with a message, or graphs that are sound and can be written. What
// was written as a capture reads back.
#include "core/io/document_builder.h"
#include "core/io/dot_document.h"
#include "core/io/fx_text.h"
#include "core/io/graph_writers.h"
#include "core/io/json_document.h"
#include "core/io/readable_code.h"
#include "core/io/runnable_script.h"
#include "core/io/text_check.h"
#include "core/ir/graph_verifier.h"

#include <cstdio>
#include <cstdlib>

namespace reinspect
{
namespace
{

[[maybe_unused]] Result<Document> readAnything(std::shared_ptr<const SourceText> text,
                                               const RunControl& control)
{
    return readDocument(std::move(text), control, {});
}

void require(bool condition, const std::string& what)
{
    if (condition)
        return;
    std::fprintf(stderr, "%s\n", what.c_str());
    std::abort();
}

void checkGraph(const Document& document, const DocumentGraph& entry)
{
    const Result<void> sound = verifyGraph(*entry.graph);
    require(sound.ok(), sound.ok() ? "" : sound.error().message);
    writeReadableCode(*entry.graph);
    writeIrText(*entry.graph);
    writeDot(*entry.graph);
    const std::string json = writeJsonDocument(document, *entry.graph, entry.stage);
    require(readJsonDocument(std::make_shared<const SourceText>("again", json)).ok(),
            "a written capture does not read back");
}

void readBytes(std::string bytes)
{
    SourceText text("fuzz", std::move(bytes));
    if (!checkIsText(text))
        return;
    repairBytes(text);
    const Result<Document> document =
        REINSPECT_READER(std::make_shared<const SourceText>(std::move(text)), RunControl{});
    if (!document)
        return require(!document.error().message.empty(), "an error without a message");
    require(!document->graphs.empty(), "a document without a graph");
    for (const DocumentGraph& entry : document->graphs)
        checkGraph(*document, entry);
}

} // namespace
} // namespace reinspect

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size)
{
    reinspect::readBytes(std::string(reinterpret_cast<const char*>(data), size));
    return 0;
}
