// SPDX-License-Identifier: MIT
// writeJsonDocument: one node a line, so that two captures can be compared with line tools.
#include "core/io/json_argument_writer.h"
#include "core/io/json_document.h"

namespace reinspect
{
namespace
{

class CaptureWriter
{
public:
    explicit CaptureWriter(const Document& document)
        : m_document(document)
    {}

    std::string write(const Graph& graph, Stage stage)
    {
        const CaptureFacts& facts = m_document.facts;
        m_text += "{\"format\":\"reinspect-graph\",\"version\":1";
        if (!facts.producerJson.empty())
            (m_text += ",\"producer\":") += facts.producerJson;
        if (!m_document.caseName.empty())
        {
            m_text += ",\"case\":";
            appendJsonString(m_text, m_document.caseName);
        }
        ((m_text += ",\"stage\":\"") += stageName(stage)) += "\",\n\"graph\":";
        writeGraph(graph);
        writeOperators();
        if (!facts.tritonJson.empty())
            (m_text += ",\n\"triton\":") += facts.tritonJson;
        m_text += "}\n";
        return std::move(m_text);
    }

private:
    void writeGraph(const Graph& graph);
    void writeNode(const Graph& graph, const Node& node);
    void writeMeta(const Graph& graph, const NodeMeta& meta);
    void writeModules(const std::vector<ModuleScope>& modules);
    void writeOperators();

    const Document& m_document;
    std::string m_text;
};

void CaptureWriter::writeGraph(const Graph& graph)
{
    m_text += "{\"name\":";
    appendJsonString(m_text, graph.name);
    m_text += ",\"nodes\":[\n";
    bool first = true;
    for (const NodeId id : graph.order())
    {
        m_text += first ? "" : ",\n";
        first = false;
        writeNode(graph, graph[id]);
    }
    m_text += "\n]";
    if (!graph.attributes.empty())
    {
        m_text += ",\"attributes\":{";
        JsonSeparator separator(m_text);
        for (const auto& [target, value] : graph.attributes)
        {
            separator.key(target);
            JsonArgumentWriter(m_text, graph, m_document.shapes).meta(value);
        }
        m_text += '}';
    }
    if (!graph.subgraphs.empty())
    {
        m_text += ",\"subgraphs\":{";
        JsonSeparator separator(m_text);
        for (const auto& [target, body] : graph.subgraphs)
        {
            separator.key(target);
            writeGraph(*body);
        }
        m_text += '}';
    }
    m_text += '}';
}

void CaptureWriter::writeNode(const Graph& graph, const Node& node)
{
    JsonArgumentWriter arguments(m_text, graph, m_document.shapes);
    m_text += "{\"name\":";
    appendJsonString(m_text, node.name);
    ((m_text += ",\"op\":\"") += nodeOpName(node.op)) += "\",\"target\":";
    appendJsonString(m_text, node.target);
    m_text += ",\"args\":";
    arguments.arguments(node.args);
    if (!node.kwargs.empty())
    {
        m_text += ",\"kwargs\":{";
        JsonSeparator separator(m_text);
        for (const NamedArgument& item : node.kwargs)
        {
            separator.key(item.name);
            arguments.argument(item.value);
        }
        m_text += '}';
    }
    writeMeta(graph, node.meta);
    m_text += '}';
}

void CaptureWriter::writeMeta(const Graph& graph, const NodeMeta& meta)
{
    JsonArgumentWriter arguments(m_text, graph, m_document.shapes);
    const std::size_t before = m_text.size();
    m_text += ",\"meta\":{";
    const std::size_t empty = m_text.size();
    JsonSeparator separator(m_text);
    const auto writeText = [&](std::string_view key, const std::string& value) {
        if (!value.empty())
            appendJsonString(separator.key(key), value);
    };
    if (const MetaValue printed = asPrinted(meta.value); printed.isKnown())
    {
        separator.key("val");
        arguments.meta(printed);
    }
    writeText("source", meta.source.str());
    writeText("source_file", meta.sourceFile.str());
    if (meta.modules)
    {
        separator.key("modules");
        writeModules(*meta.modules);
    }
    writeText("original_aten", meta.originalAten.str());
    if (meta.onlyCloneTheseTensors)
    {
        separator.key("only_clone_these_tensors");
        arguments.arguments(*meta.onlyCloneTheseTensors);
    }
    writeText("partitioner_tag", meta.partitionerTag.str());
    if (m_text.size() == empty)
        m_text.resize(before);
    else
        m_text += '}';
}

void CaptureWriter::writeModules(const std::vector<ModuleScope>& modules)
{
    m_text += '[';
    JsonSeparator separator(m_text);
    for (const ModuleScope& scope : modules)
    {
        separator.next() += '[';
        appendJsonString(m_text, scope.path);
        m_text += ',';
        appendJsonString(m_text, scope.type);
        m_text += ']';
    }
    m_text += ']';
}

void CaptureWriter::writeOperators()
{
    if (m_document.facts.operators.empty())
        return;
    m_text += ",\n\"operators\":{";
    JsonSeparator separator(m_text);
    for (const CustomOperator& custom : m_document.facts.operators)
    {
        separator.key(custom.target) += "{\"schema\":";
        appendJsonString(m_text, custom.schema);
        if (custom.body)
        {
            m_text += ",\"body\":";
            writeGraph(*custom.body);
        }
        m_text += '}';
    }
    m_text += '}';
}

} // namespace

std::string writeJsonDocument(const Document& document, const Graph& graph, Stage stage)
{
    return CaptureWriter(document).write(graph, stage);
}

} // namespace reinspect
