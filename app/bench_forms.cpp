// SPDX-License-Identifier: MIT
#include "app/bench_forms.h"

#include "core/io/graph_writers.h"
#include "core/io/readable_code.h"

namespace reinspect
{
namespace
{

std::string withPrefix(std::string_view prefix, std::string_view text)
{
    std::string prefixed;
    for (std::size_t at = 0; at < text.size();)
    {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        prefixed.append(prefix).append(text.substr(at, end - at)) += '\n';
        at = end + 1;
    }
    return prefixed;
}

std::string replaced(std::string text, std::string_view from, std::string_view to)
{
    std::string result;
    std::size_t at = 0;
    for (std::size_t found; (found = text.find(from, at)) != std::string::npos;
         at = found + from.size())
        result.append(text, at, found - at).append(to);
    return result.append(text, at);
}

} // namespace

std::vector<BenchForm> benchForms(const Graph& graph)
{
    constexpr std::string_view kLogPrefix =
        "V0211 09:14:55.402000 7731 torch/_functorch/graph_capture.py:133] [0/0] [__aot_graphs] ";
    constexpr std::string_view kRecord =
        "V0620 14:02:11.093412 5121 torch/a.py:190] {\"aot_forward_graph\": {}, \"frame_id\": 0, "
        "\"frame_compile_id\": 0, \"attempt\": 0, \"has_payload\": \"b\"}\n";
    const std::string code = writeReadableCode(graph);
    const auto named = [](const char* name, std::string text) {
        return BenchForm{name, SourceText(name, std::move(text))};
    };
    return {
        named("graph() text", writeIrText(graph)),
        named("log",
              withPrefix(kLogPrefix, "TRACED GRAPH\n ===== Forward graph 0 =====\n " + code)),
        named("trace", std::string(kRecord) + withPrefix("\t", code)),
        named("quoted paste", withPrefix("> ", code)),
        named("HTML paste", replaced(replaced(code, "<", "&lt;"), "\"", "&quot;")),
        named("runnable script",
              "import torch\n" + replaced(code, "class GraphModule(", "class Repro(")
                  + "\ndef load_args(reader):\n    pass\n"),
        named("DOT", writeDot(graph)),
    };
}

} // namespace reinspect
