// SPDX-License-Identifier: MIT
// readPart of document_builder.h: which grammar a text is written in.
#include "core/io/document_builder.h"

#include "core/io/dot_document.h"
#include "core/io/fx_text.h"
#include "core/io/json_document.h"
#include "core/io/readable_code.h"
#include "core/io/runnable_script.h"
#include "core/io/text_check.h"
#include "core/io/text_lines.h"

#include <algorithm>

namespace reinspect
{
namespace
{

// The first line that begins with the word, blanks in front of it aside; npos: there is none.
std::size_t lineStartingWith(std::string_view text, std::string_view word)
{
    for (std::size_t at = findText(text, word); at != std::string_view::npos;
         at = findText(text, word, at + 1))
    {
        const std::size_t lineStart = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
        if (text.substr(lineStart, at - lineStart).find_first_not_of(" \t")
            == std::string_view::npos)
            return at;
    }
    return std::string_view::npos;
}

bool hasLine(std::string_view text, std::string_view word)
{
    return lineStartingWith(text, word) != std::string_view::npos;
}

// "x = torch.ops.aten.sin.default(y)", "x: \"f32[2]\" = ...", "return (x,)" without a forward.
bool holdsStatements(std::string_view text)
{
    return holdsText(text, " = torch.ops.") || holdsText(text, "] = torch.ops.")
        || hasLine(text, "return (") || holdsText(text, "\" = ");
}

Error noGraph(const SourceText& text)
{
    const std::string_view all = text.text();
    if (hasLine(all, "opcode ") && holdsText(all, "target"))
        return text.errorAt(
            lineStartingWith(all, "opcode "),
            "this is a table of a graph (print_tabular), whose columns cannot be read "
            "back without doubt",
            "Print the graph with print_readable() or print(graph) instead.");
    if (holdsText(all, "Repro is not generated"))
        return text.errorAt(std::size_t{0}, "PyTorch wrote no graph here, only why it could not",
                            "The fx_graph_readable.py beside it has the graph.");
    return text.errorAt(std::size_t{0}, "there is no graph in this text", std::string(kKnownForms));
}

} // namespace

Result<Document> readPart(std::shared_ptr<const SourceText> text, const RunControl& control)
{
    const std::string_view all = text->text();
    const std::size_t first = all.find_first_not_of(" \t\r\n");
    const char c = first == std::string_view::npos ? ' ' : all[first];
    if ((c == '{' || c == '[') && !holdsText(all, "def forward(") && !hasLine(all, "graph("))
        return readJsonDocument(std::move(text), control);
    if (isDotText(all))
        return readDotText(std::move(text), control);
    if (isRunnableScript(all))
        return readRunnableScript(std::move(text), control);
    if (holdsText(all, "def forward("))
        return readReadableCode(std::move(text), control);
    if (hasLine(all, "graph(") || holdsText(all, "[target="))
        return readFxText(std::move(text), control);
    if (holdsStatements(all))
        return readReadableCode(std::move(text), control);
    return noGraph(*text);
}

} // namespace reinspect
