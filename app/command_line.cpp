// SPDX-License-Identifier: MIT
#include "app/command_line.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace reinspect
{
namespace
{

struct CommandRow
{
    Command command;
    std::string_view name;
    std::string_view usage; // behind the name
    std::string_view purpose;
    std::size_t leastFiles;
    std::size_t mostFiles;
};

constexpr std::size_t kAnyNumber = 1'000'000;

constexpr std::array<CommandRow, 8> kCommands = {{
    {Command::Info, "info", "FILE [--json]",
     "what is in it: format, stage, graphs, node counts, problems", 1, 1},
    {Command::Explain, "explain",
     "FILE [--graph N] [--policy P] [--set SWITCH=on|off] [--force NODE[:ARG]] [--forbid "
     "NODE[:ARG]] [--json]",
     "the pass as sentences, and what its kernels read and write", 1, 1},
    {Command::Decide, "decide",
     "FILE [--graph N] [--policy P] [--set SWITCH=on|off] [--force NODE[:ARG]] [--forbid "
     "NODE[:ARG]] [--against P] [--json]",
     "the verdict on every candidate, or where two policies part", 1, 1},
    {Command::Apply, "apply",
     "FILE --stage canonical|core|after|final|baseline [--graph N] [--policy P] [--set "
     "SWITCH=on|off] [--force NODE[:ARG]] [--forbid NODE[:ARG]] [--to readable|ir|json|dot] [-o "
     "OUT]",
     "the graph as the pass leaves it", 1, 1},
    {Command::Run, "run",
     "FILE [--inputs data.safetensors] [--seed S] [--symbol NAME=NUMBER] [--backend cpu|cuda] "
     "[--device N] [--tf32] [--times] [--repeat N] [--against-cpu] [--cuda-graph] "
     "[--graph N] [--policy P] "
     "[--set "
     "SWITCH=on|off] [--force NODE[:ARG]] [--forbid NODE[:ARG]] [--compare] [--bisect] [--prove "
     "NODE[:ARG]] [--memory-limit BYTES] "
     "[--json] [--progress]",
     "the graph computed, before and after", 1, 1},
    {Command::Convert, "convert", "FILE --to json|readable|ir|dot|svg [--graph N] [-o OUT]",
     "the graph in another form", 1, 1},
    {Command::Policies, "policies", "[--json]", "the policies and their switches", 0, 0},
    {Command::Bench, "bench", "[FILE...] [--json]", "how quick this build is on this machine", 0,
     kAnyNumber},
}};

const CommandRow* rowOf(Command command)
{
    const auto found =
        std::find_if(kCommands.begin(), kCommands.end(),
                     [command](const CommandRow& row) { return row.command == command; });
    return found == kCommands.end() ? nullptr : &*found;
}

const CommandRow* rowNamed(std::string_view name)
{
    const auto found = std::find_if(kCommands.begin(), kCommands.end(),
                                    [name](const CommandRow& row) { return row.name == name; });
    return found == kCommands.end() ? nullptr : &*found;
}

Error badUsage(std::string message, std::string hint)
{
    return {.message = std::move(message), .hint = std::move(hint), .kind = ErrorKind::BadUsage};
}

Error badUsage(std::string message, Command command)
{
    return badUsage(std::move(message), usageText(command));
}

template<typename Number>
bool parseNumber(const std::string& text, std::optional<Number>& number)
{
    Number value = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failure != std::errc() || end != text.data() + text.size())
        return false;
    number = value;
    return true;
}

bool isOneOf(std::string_view value, std::string_view choices)
{
    while (!choices.empty())
    {
        const std::size_t bar = std::min(choices.find('|'), choices.size());
        if (choices.substr(0, bar) == value)
            return true;
        choices.remove_prefix(std::min(bar + 1, choices.size()));
    }
    return false;
}

// One option: where it may stand, what its value is called (empty: it takes none), and what it
// sets. `set` answers false for a value it does not accept.
struct OptionRow
{
    std::string_view name;
    std::string_view commands;
    std::string_view value;
    bool (*set)(CommandLine& line, const std::string& value);
};

bool setText(std::string& field, const std::string& value)
{
    field = value;
    return !value.empty();
}

bool addText(std::vector<std::string>& field, const std::string& value)
{
    field.push_back(value);
    return !value.empty();
}

bool setChoice(std::string& field, const std::string& value, std::string_view choices)
{
    field = value;
    return isOneOf(value, choices);
}

constexpr std::string_view kStages = "canonical|core|after|final|baseline";
constexpr std::string_view kForms = "json|readable|ir|dot|svg";

const std::array<OptionRow, 26> kOptions = {{
    {"--progress", "run", "",
     [](CommandLine& line, const std::string&) { return line.progress = true; }},
    {"--json", "info|explain|decide|run|bench|policies", "",
     [](CommandLine& line, const std::string&) { return line.json = true; }},
    {"--compare", "run", "",
     [](CommandLine& line, const std::string&) { return line.compare = true; }},
    {"--bisect", "run", "",
     [](CommandLine& line, const std::string&) { return line.bisect = true; }},
    {"--prove", "run", "NODE or NODE:ARGUMENT",
     [](CommandLine& line, const std::string& value) { return addText(line.prove, value); }},
    {"--symbol", "run", "NAME=NUMBER",
     [](CommandLine& line, const std::string& value) { return addText(line.symbols, value); }},
    {"--memory-limit", "run", "a number of bytes",
     [](CommandLine& line, const std::string& value) {
         return parseNumber(value, line.memoryLimit) && *line.memoryLimit > 0;
     }},
    {"--graph", "info|explain|decide|apply|run|convert", "a number from 0",
     [](CommandLine& line, const std::string& value) { return parseNumber(value, line.graph); }},
    {"--policy", "explain|decide|apply|run", "a policy",
     [](CommandLine& line, const std::string& value) { return setText(line.policy, value); }},
    {"--against", "decide", "a policy",
     [](CommandLine& line, const std::string& value) { return setText(line.against, value); }},
    {"--set", "explain|decide|apply|run", "SWITCH=on or SWITCH=off",
     [](CommandLine& line, const std::string& value) { return addText(line.set, value); }},
    {"--force", "explain|decide|apply|run", "NODE or NODE:ARGUMENT",
     [](CommandLine& line, const std::string& value) { return addText(line.force, value); }},
    {"--forbid", "explain|decide|apply|run", "NODE or NODE:ARGUMENT",
     [](CommandLine& line, const std::string& value) { return addText(line.forbid, value); }},
    {"--stage", "apply", kStages,
     [](CommandLine& line, const std::string& value) {
         return setChoice(line.stage, value, kStages);
     }},
    {"--to", "apply|convert", kForms,
     [](CommandLine& line, const std::string& value) { return setChoice(line.to, value, kForms); }},
    {"-o", "apply|convert", "a file",
     [](CommandLine& line, const std::string& value) { return setText(line.output, value); }},
    {"--output", "apply|convert", "a file",
     [](CommandLine& line, const std::string& value) { return setText(line.output, value); }},
    {"--inputs", "run", "a file",
     [](CommandLine& line, const std::string& value) { return setText(line.inputs, value); }},
    {"--seed", "run", "a number",
     [](CommandLine& line, const std::string& value) { return parseNumber(value, line.seed); }},
    {"--backend", "run", "cpu|cuda",
     [](CommandLine& line, const std::string& value) {
         return setChoice(line.backend, value, "cpu|cuda");
     }},
    {"--device", "run", "a number from 0",
     [](CommandLine& line, const std::string& value) { return parseNumber(value, line.device); }},
    {"--repeat", "run", "a number up to 1000",
     [](CommandLine& line, const std::string& value) {
         return parseNumber(value, line.repeat) && *line.repeat >= 0 && *line.repeat <= 1000;
     }},
    {"--against-cpu", "run", "",
     [](CommandLine& line, const std::string&) { return line.againstCpu = true; }},
    {"--cuda-graph", "run", "",
     [](CommandLine& line, const std::string&) { return line.cudaGraph = true; }},
    {"--tf32", "run", "", [](CommandLine& line, const std::string&) { return line.tf32 = true; }},
    {"--times", "run", "", [](CommandLine& line, const std::string&) { return line.times = true; }},
}};

// Reads the arguments behind the command.
class OptionReader
{
public:
    OptionReader(const CommandRow& row, const std::vector<std::string>& arguments)
        : m_row(row)
        , m_arguments(arguments)
    {
        m_line.command = row.command;
    }

    Result<CommandLine> read()
    {
        bool onlyFiles = false;
        for (m_at = 1; m_at < m_arguments.size(); ++m_at)
        {
            const std::string& argument = m_arguments[m_at];
            if (!onlyFiles && (argument == "--help" || argument == "-h"))
                return CommandLine{.command = Command::Help, .topic = m_row.command};
            if (!onlyFiles && argument == "--")
                onlyFiles = true;
            else if (onlyFiles || argument == "-" || !argument.starts_with('-'))
                m_line.files.push_back(argument);
            else
                REINSPECT_CHECK(readOption(argument));
        }
        REINSPECT_CHECK(checkComplete());
        return std::move(m_line);
    }

private:
    Result<void> readOption(const std::string& argument);
    Result<void> checkComplete() const;

    const CommandRow& m_row;
    const std::vector<std::string>& m_arguments;
    std::size_t m_at = 1;
    CommandLine m_line;
};

// "--to json" or "--to=json"
Result<void> OptionReader::readOption(const std::string& argument)
{
    const std::size_t equals = argument.find('=');
    const std::string name = argument.substr(0, equals);
    const auto option = std::find_if(kOptions.begin(), kOptions.end(),
                                     [&name](const OptionRow& row) { return row.name == name; });
    if (option == kOptions.end())
        return badUsage("unknown option '" + name + "'", m_row.command);
    if (!isOneOf(m_row.name, option->commands))
        return badUsage("'" + std::string(m_row.name) + "' has no option '" + name + "'",
                        m_row.command);
    std::string value = equals == std::string::npos ? std::string() : argument.substr(equals + 1);
    if (option->value.empty() && equals != std::string::npos)
        return badUsage("'" + name + "' takes no value", m_row.command);
    if (!option->value.empty() && equals == std::string::npos)
    {
        if (m_at + 1 >= m_arguments.size())
            return badUsage("'" + name + "' needs a value: " + std::string(option->value),
                            m_row.command);
        value = m_arguments[++m_at];
    }
    if (!option->set(m_line, value))
        return badUsage("'" + value + "' is no value of '" + name + "', which takes "
                            + std::string(option->value),
                        m_row.command);
    return {};
}

Result<void> OptionReader::checkComplete() const
{
    if (m_line.files.size() < m_row.leastFiles)
        return badUsage("'" + std::string(m_row.name) + "' needs a file", m_row.command);
    if (m_line.files.size() > m_row.mostFiles)
        return badUsage("'" + std::string(m_row.name) + "' takes one file, and '" + m_line.files[1]
                            + "' is a second",
                        m_row.command);
    if (m_row.command == Command::Apply && m_line.stage.empty())
        return badUsage("'apply' needs --stage", m_row.command);
    if (m_row.command == Command::Apply && m_line.to == "svg")
        return badUsage("'apply' does not write svg", m_row.command);
    if (m_row.command == Command::Convert && m_line.to.empty())
        return badUsage("'convert' needs --to", m_row.command);
    return {};
}

} // namespace

Result<CommandLine> parseCommandLine(const std::vector<std::string>& arguments)
{
    if (arguments.empty())
        return badUsage("no command", usageText());
    const std::string& first = arguments.front();
    if (first == "--version")
        return CommandLine{.command = Command::Version};
    if (first == "--help" || first == "-h" || first == "help")
    {
        const CommandRow* const topic = arguments.size() > 1 ? rowNamed(arguments[1]) : nullptr;
        return CommandLine{.command = Command::Help,
                           .topic = topic ? std::optional(topic->command) : std::nullopt};
    }
    const CommandRow* const row = rowNamed(first);
    if (!row)
        return badUsage((first.starts_with('-') ? "unknown option '" : "unknown command '") + first
                            + "'",
                        usageText());
    return OptionReader(*row, arguments).read();
}

std::string usageText()
{
    std::string text = "Usage: reinspect-cli COMMAND ...\n";
    for (const CommandRow& row : kCommands)
        text += "    " + std::string(row.name) + " " + std::string(row.usage) + "\n        "
            + std::string(row.purpose) + "\n";
    return text
        + "    --help, --version\nFILE is a capture (JSON), anything that PyTorch prints of a "
          "graph "
          "(code, graph() text, scripts, logs, traces, as pasted), or a folder of such files; - is "
          "standard input.";
}

std::string usageText(Command command)
{
    const CommandRow* const row = rowOf(command);
    if (!row)
        return usageText();
    return "Usage: reinspect-cli " + std::string(row->name) + " " + std::string(row->usage);
}

} // namespace reinspect
