// SPDX-License-Identifier: MIT
#include "core/io/unwrap_trace.h"

#include "core/io/json_tree.h"
#include "core/io/log_prefix.h"

#include <algorithm>
#include <array>

namespace reinspect
{
namespace
{

// Events and artifacts whose payload is a graph.
bool holdsGraph(std::string_view name)
{
    constexpr std::array<std::string_view, 4> kOthers = {"metadata", "mappings", "stack_traces",
                                                         "cudagraph"};
    const bool other = std::any_of(kOthers.begin(), kOthers.end(), [name](std::string_view part) {
        return name.find(part) != std::string_view::npos;
    });
    return !other
        && (name.ends_with("_graph") || name == "graph_dump" || name == "fx_graph_runnable"
            || name.starts_with("optimize_ddp_split") || name.starts_with("fx_graph_"));
}

// The first key decides what the record is; most are of kinds that hold no graph, so that the JSON
// is read only when the key may.
std::string_view firstKey(std::string_view json)
{
    if (!json.starts_with("{\""))
        return {};
    const std::size_t end = json.find('"', 2);
    return end == std::string_view::npos ? std::string_view() : json.substr(2, end - 2);
}

std::string numbers(const JsonValue& root, std::initializer_list<const char*> keys)
{
    std::string text;
    for (const char* key : keys)
        if (const auto number = root[key].integer())
            text += (text.empty() ? "" : "/") + std::to_string(*number);
    return text;
}

// Nothing when the record has no graph.
std::optional<Section> sectionOf(std::string_view json)
{
    const std::string_view key = firstKey(json);
    if (key != "artifact" && !holdsGraph(key))
        return {};
    const auto tree = JsonTree::parse(
        std::make_shared<const SourceText>(std::string("record"), std::string(json)));
    if (!tree)
        return {};
    const JsonValue root = (*tree)->root();
    const JsonValue event = root[key];
    const std::string_view name =
        key == "artifact" || key == "graph_dump" ? event["name"].string() : key;
    if (key == "artifact" && (!holdsGraph(name) || event["encoding"].string() == "json"))
        return {};
    Section section;
    section.origin.title = section.origin.artifact = name;
    section.origin.compileId = numbers(root, {"frame_id", "frame_compile_id"});
    if (const auto id = root["compiled_autograd_id"].integer())
        section.origin.compileId = "!" + std::to_string(*id)
            + (section.origin.compileId.empty() ? "" : "/" + section.origin.compileId);
    if (const auto attempt = root["attempt"].integer(); attempt && *attempt > 0)
        section.origin.compileId += "_" + std::to_string(*attempt);
    if (const auto rank = root["rank"].integer())
        section.origin.rank = "rank" + std::to_string(*rank);
    section.stage = stageOfArtifact(name);
    return section;
}

} // namespace

bool isTrace(std::string_view text)
{
    const std::string_view line = text.substr(0, std::min(text.find('\n'), text.size()));
    const std::optional<LogPrefix> prefix = logPrefixOf(line);
    return prefix && prefix->everyLine && line.substr(prefix->length).starts_with("{\"");
}

Result<void> unwrapTrace(const std::shared_ptr<const SourceText>& source, const RunControl& control,
                         const std::function<Result<void>(Section)>& found)
{
    const std::string_view text = source->text();
    std::optional<Section> open;
    const auto close = [&]() -> Result<void> {
        std::optional<Section> done = std::exchange(open, std::nullopt);
        return done && !done->lines.empty() ? found(std::move(*done)) : Result<void>();
    };
    std::uint32_t number = 0;
    for (std::size_t at = 0; at < text.size();)
    {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        std::string_view line = text.substr(at, end - at);
        at = end + 1;
        if (++number % 4096 == 0)
        {
            if (control.stopRequested())
                return Error{.message = "reading was stopped"};
            control.report(static_cast<double>(at) / static_cast<double>(text.size()));
        }
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        if (line.starts_with('\t'))
        {
            if (open)
                open->lines.push_back({line.substr(1), number, 2});
            continue;
        }
        REINSPECT_CHECK(close());
        if (const std::optional<LogPrefix> prefix = logPrefixOf(line))
            open = sectionOf(line.substr(prefix->length));
        if (open)
            open->origin.line = number + 1;
    }
    return close();
}

} // namespace reinspect
