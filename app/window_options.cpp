// SPDX-License-Identifier: MIT
#include "app/window_options.h"

#include "core/passes/reinplace_policy.h"

#include <algorithm>
#include <charconv>

namespace reinspect
{
namespace
{

Error badUsage(const std::string& message)
{
    return {.message = message, .hint = windowUsage(), .kind = ErrorKind::BadUsage};
}

std::optional<int> positiveNumber(std::string_view text)
{
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value <= 0 || value > 16384)
        return {};
    return value;
}

Result<void> takeSize(WindowOptions& options, const std::string& text)
{
    const std::size_t cross = text.find('x');
    const auto width = positiveNumber(std::string_view(text).substr(0, cross));
    const auto height = cross == std::string::npos
        ? std::nullopt
        : positiveNumber(std::string_view(text).substr(cross + 1));
    if (!width || !height)
        return badUsage("--size takes WIDTHxHEIGHT, such as 1600x1000, not '" + text + "'");
    options.width = *width;
    options.height = *height;
    return {};
}

Result<void> takeValue(WindowOptions& options, const std::string& name, const std::string& value)
{
    if (name == "--size")
        return takeSize(options, value);
    if (name == "--theme" && value != "light" && value != "dark")
        return badUsage("--theme is light or dark, not '" + value + "'");
    constexpr std::string_view kPanels[] = {"verdicts", "compare", "policy", "run",
                                            "timeline", "memory",  "values", "captures"};
    if (name == "--panel" && std::ranges::find(kPanels, value) == std::end(kPanels))
        return badUsage(
            "--panel is verdicts, compare, policy, run, timeline, memory, values or captures, not '"
            + value + "'");
    if (name == "--where" && value != "cpu" && value != "cuda")
        return badUsage("--where is cpu or cuda, not '" + value + "'");
    if (name == "--policy")
        REINSPECT_CHECK(policyNamed(value));
    if (name == "--do")
    {
        options.actions.push_back(value);
        return {};
    }
    std::string& target = name == "--screenshot" ? options.screenshot
        : name == "--report"                     ? options.report
        : name == "--theme"                      ? options.theme
        : name == "--policy"                     ? options.policy
        : name == "--panel"                      ? options.panel
        : name == "--where"                      ? options.where
        : name == "--results"                    ? options.results
        : name == "--step"                       ? options.step
        : name == "--find"                       ? options.find
                                                 : options.select;
    target = value;
    return {};
}

bool takesValue(const std::string& name)
{
    return name == "--screenshot" || name == "--report" || name == "--size" || name == "--theme"
        || name == "--step" || name == "--select" || name == "--policy" || name == "--panel"
        || name == "--results" || name == "--where" || name == "--find" || name == "--do";
}

// What only makes sense together with something else.
Result<void> checkTogether(const WindowOptions& options, const std::string& pictureOption)
{
    if (!isPictureAsked(options) && !pictureOption.empty())
        return badUsage(pictureOption + " goes with --screenshot");
    if (options.json && !options.bench)
        return badUsage("--json goes with --bench");
    return {};
}

} // namespace

std::string windowUsage()
{
    return "Usage: reinspect [--theme light|dark] [--policy P] [FILE]\n"
           "       reinspect --report OUT.html [FILE]   with the options of a picture\n"
           "       reinspect --screenshot OUT.png [--size 1600x1000] [--theme light|dark]\n"
           "                 [--step N|start|end|next-decision|next-refusal] [--select NODE]\n"
           "                 [--policy P] [--panel "
           "verdicts|compare|policy|run|timeline|memory|values|captures]\n"
           "                 [--where cpu|cuda] [--results RUN.json] [--find QUERY]\n"
           "                 [--do COMMAND]... [FILE]   commands by their ids, such as "
           "scope.whole\n"
           "       reinspect --bench [--json]";
}

Result<WindowOptions> parseWindowOptions(const std::vector<std::string>& arguments)
{
    WindowOptions options;
    std::string pictureOption; // one that needs --screenshot
    for (std::size_t i = 0; i < arguments.size(); ++i)
    {
        const std::string& argument = arguments[i];
        if (argument == "--help" || argument == "-h")
            options.help = true;
        else if (argument == "--version")
            options.version = true;
        else if (argument == "--bench")
            options.bench = true;
        else if (argument == "--json")
            options.json = true;
        else if (takesValue(argument))
        {
            if (i + 1 == arguments.size())
                return badUsage(argument + " needs a value");
            if (argument != "--theme" && argument != "--policy" && argument != "--screenshot"
                && argument != "--report")
                pictureOption = argument;
            REINSPECT_CHECK(takeValue(options, argument, arguments[++i]));
        }
        else if (argument.starts_with("-"))
            return badUsage("unknown option '" + argument + "'");
        else if (!options.file.empty())
            return badUsage("one file at a time: '" + options.file + "' and '" + argument + "'");
        else
            options.file = argument;
    }
    REINSPECT_CHECK(checkTogether(options, pictureOption));
    return options;
}

} // namespace reinspect
