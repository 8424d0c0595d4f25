// SPDX-License-Identifier: MIT
// What happens to a dump on its way through terminals, web pages and mail: colours, HTML escapes,
// typographic quotes, quote marks, diff marks, line numbers, container prefixes, prompts. Each is
// recognised by the lines that a graph begins with, and taken off line by line.
#pragma once

#include "core/io/problem_list.h"
#include "core/io/section.h"

namespace reinspect
{

// A text that can be read as it stands, and in which grammar: nothing of this file, of unwrap_log or of
// runnable_script would change it. None only means that a closer look is needed.
enum class PlainForm
{
    None,
    Code,
    Ir,
};
PlainForm plainForm(std::string_view text);

// Colours, escapes and typographic characters in the lines of `text`; true when something was changed.
bool cleanCharacters(TextLines& lines, std::string_view text);
// Progress bars that were printed into a log, in front of its messages; true when there were some.
bool stripProgressBars(std::vector<TextLine>& lines, std::string_view text);
// Names that somebody made of several words, "my first layer", get underscores, which is told once; nothing
// when there are none.
std::optional<TextLines> joinSpacedNames(const std::vector<TextLine>& lines, ProblemList& problems);
bool definesSpacedNames(std::string_view line);
// Margins; lines that a diff removes are listed. True when something was changed.
bool stripMargins(std::vector<TextLine>& lines, ProblemList& problems);
// The parts that hold a graph: code fences, banners (" ===== NAME ====="), changes of grammar and the
// graph fragments in comments begin a new one.
std::vector<Section> splitSections(const std::vector<TextLine>& lines, const Section& base,
                                   bool inLog);

} // namespace reinspect
