// SPDX-License-Identifier: MIT
#include "core/io/script_inputs.h"

#include "core/io/forward_reader.h"

#include <algorithm>

namespace reinspect
{
namespace
{

struct Buffer
{
    std::optional<SymExpr> bytes;
    std::string device = "cpu";
};

std::optional<SymExpr> sizeOf(const Argument& argument)
{
    if (const auto number = argument.integer())
        return SymExpr(*number);
    if (const auto* symbolic = argument.as<SymArgument>())
        return symbolic->expr;
    return {};
}

std::optional<std::vector<SymExpr>> sizesOf(const Argument& argument)
{
    const std::vector<Argument>* items = argument.sequence();
    if (!items)
        return {};
    std::vector<SymExpr> sizes;
    for (const Argument& item : *items)
    {
        std::optional<SymExpr> size = sizeOf(item);
        if (!size)
            return {};
        sizes.push_back(std::move(*size));
    }
    return sizes;
}

std::string constantText(const Argument& argument)
{
    if (const auto* constant = argument.as<ConstantArgument>())
        return constant->text;
    const auto* text = argument.as<std::string>();
    return text ? *text : std::string();
}

const Argument* keyword(const CallArguments& call, std::string_view name)
{
    const auto found = std::find_if(call.kwargs.begin(), call.kwargs.end(),
                                    [name](const NamedArgument& a) { return a.name == name; });
    return found == call.kwargs.end() ? nullptr : &found->value;
}

class InputReader
{
public:
    explicit InputReader(ProblemList& problems)
        : m_problems(problems)
        , m_tools(problems)
        , m_text(problems.source().text())
    {
        m_tools.values.setNames(&m_names);
    }

    std::vector<ScriptInput> read();
    MetaValue constant(std::size_t offset);

private:
    void line(std::size_t begin, std::size_t end);
    void storage(std::size_t begin, std::size_t equals, std::size_t open);
    void tensor(std::size_t begin, std::size_t open, std::size_t end);
    void symbol(std::size_t begin, std::size_t open, std::size_t end);
    void listed(std::size_t begin, std::size_t open);
    std::optional<CallArguments> call(std::size_t open);
    MetaValue strided(const std::vector<Argument>& arguments) const;
    void add(std::size_t begin, std::size_t end, MetaValue value);

    ProblemList& m_problems;
    ReadingTools m_tools;
    std::string_view m_text;
    NameTable m_names; // buffers, by their place in m_buffers
    std::vector<Buffer> m_buffers;
    std::vector<ScriptInput> m_inputs;
};

// The arguments of the call whose parenthesis stands at `open`; nothing, and a problem, when they
// cannot be read.
std::optional<CallArguments> InputReader::call(std::size_t open)
{
    m_tools.tokens.seek(open);
    m_tools.values.beginStatement();
    Result<CallArguments> read = m_tools.values.callArguments();
    if (read)
        return std::move(*read);
    m_problems.add(read.error().span, "this input was not understood: " + read.error().message);
    return {};
}

// buf0 = reader.storage(HASH, 512, device=device(type='cuda', index=0), dtype_hint=torch.int64)
void InputReader::storage(std::size_t begin, std::size_t equals, std::size_t open)
{
    const std::optional<CallArguments> read = call(open);
    if (!read)
        return;
    Buffer buffer;
    if (read->args.size() > 1)
        buffer.bytes = sizeOf(read->args[1]);
    if (const Argument* device = keyword(*read, "device"))
        buffer.device = constantText(*device);
    std::string_view name = m_text.substr(begin, equals - begin);
    name = name.substr(0, name.find_last_not_of(" \t") + 1);
    m_names.add(name, NodeId(m_buffers.size()));
    m_buffers.push_back(std::move(buffer));
}

// reader.tensor(buf0, (6, 4), (1, 6), dtype=torch.int64, storage_offset=8, is_leaf=True)  # arg0_1
void InputReader::tensor(std::size_t begin, std::size_t open, std::size_t end)
{
    const std::optional<CallArguments> read = call(open);
    TensorMeta meta;
    const NodeId buffer = read && !read->args.empty() ? read->args[0].node() : NodeId{};
    std::optional<std::vector<SymExpr>> sizes =
        read && read->args.size() > 1 ? sizesOf(read->args[1]) : std::nullopt;
    if (!buffer || !sizes)
        return add(begin, end, {});
    meta.sizes = std::move(*sizes);
    meta.strides = read->args.size() > 2 ? sizesOf(read->args[2]) : std::nullopt;
    if (!meta.strides || meta.strides->size() != meta.sizes.size())
        meta.strides = contiguousStrides(meta.sizes);
    const Argument* dtype = keyword(*read, "dtype");
    meta.dtype = dtype ? dtypeFromName(constantText(*dtype)) : DType::Float32;
    const Argument* offset = keyword(*read, "storage_offset");
    meta.offset = offset ? sizeOf(*offset) : SymExpr(0);
    meta.device = m_buffers[buffer.index()].device;
    meta.storage = StorageId(buffer.index());
    meta.storageBytes = m_buffers[buffer.index()].bytes;
    add(begin, end, MetaValue{std::move(meta)});
}

void InputReader::symbol(std::size_t begin, std::size_t open, std::size_t end)
{
    const std::optional<CallArguments> read = call(open);
    SymScalarMeta meta;
    if (read && !read->args.empty())
    {
        meta.hint = read->args[0];
        if (const auto value = sizeOf(read->args[0]))
        {
            meta.expr = *value;
            meta.text = toText(*value);
        }
    }
    add(begin, end, meta.text.empty() ? MetaValue{} : MetaValue{std::move(meta)});
}

void InputReader::add(std::size_t begin, std::size_t end, MetaValue value)
{
    const std::string_view line = m_text.substr(begin, end - begin);
    const std::size_t comment = line.rfind('#');
    ScriptInput input;
    if (comment != std::string_view::npos)
    {
        std::string_view name = line.substr(comment + 1);
        name.remove_prefix(std::min(name.find_first_not_of(' '), name.size()));
        input.name = name.substr(0, name.find_first_of(" \r\t,"));
    }
    input.value = std::move(value);
    input.span = m_problems.source().spanAt(begin, end - begin);
    m_inputs.push_back(std::move(input));
}

// ((8,), (1,), torch.float32, 'cpu')
MetaValue InputReader::strided(const std::vector<Argument>& arguments) const
{
    std::optional<std::vector<SymExpr>> sizes =
        arguments.empty() ? std::nullopt : sizesOf(arguments[0]);
    if (!sizes)
        return {};
    TensorMeta meta;
    meta.sizes = std::move(*sizes);
    meta.strides = arguments.size() > 1 ? sizesOf(arguments[1]) : std::nullopt;
    if (!meta.strides || meta.strides->size() != meta.sizes.size())
        meta.strides = contiguousStrides(meta.sizes);
    meta.dtype = arguments.size() > 2 ? dtypeFromName(constantText(arguments[2])) : DType::Float32;
    meta.device = arguments.size() > 3 ? constantText(arguments[3]) : "cpu";
    meta.offset.emplace(0);
    return MetaValue{std::move(meta)};
}

// args = [((8,), (1,), torch.float32, 'cpu'), ...]
void InputReader::listed(std::size_t begin, std::size_t open)
{
    m_tools.tokens.seek(open);
    m_tools.values.beginStatement();
    const Result<Argument> read = m_tools.values.value();
    const std::vector<Argument>* items = read ? read->sequence() : nullptr;
    if (!items)
        return;
    for (const Argument& item : *items)
        if (const std::vector<Argument>* parts = item.sequence())
            m_inputs.push_back({{}, strided(*parts), m_problems.source().spanAt(begin)});
}

void InputReader::line(std::size_t begin, std::size_t end)
{
    const std::string_view text = m_text.substr(begin, end - begin);
    const auto open = [begin, text](std::string_view word) {
        const std::size_t at = text.find(word);
        return at == std::string_view::npos ? at : begin + at + word.size() - 1;
    };
    constexpr std::size_t kNone = std::string_view::npos;
    const std::size_t equals = text.find('=');
    if (const std::size_t at = open("reader.storage("); at != kNone && equals != kNone)
        return storage(begin, begin + equals, at);
    if (const std::size_t at = open("reader.tensor("); at != kNone)
        return tensor(begin, at, end);
    for (const std::string_view word : {"reader.symint(", "reader.symfloat(", "reader.symbool("})
        if (const std::size_t at = open(word); at != kNone)
            return symbol(begin, at, end);
    if (text.starts_with("reader."))
        return add(begin, end, {});
    if (text.starts_with("args.append(rand_strided("))
    {
        if (const auto read = call(open("rand_strided(")))
            m_inputs.push_back(
                {{}, strided(read->args), m_problems.source().spanAt(begin, text.size())});
        return;
    }
    if (text.starts_with("args = [("))
        listed(begin, begin + 7);
}

std::vector<ScriptInput> InputReader::read()
{
    for (std::size_t at = 0; at < m_text.size();)
    {
        const std::size_t next = nextLineStart(m_text, at);
        const std::size_t begin = std::min(m_text.find_first_not_of(" \t", at), next);
        std::size_t end = next;
        while (end > begin && (m_text[end - 1] == '\n' || m_text[end - 1] == '\r'))
            --end;
        const std::string_view text = m_text.substr(begin, end - begin);
        if (text.find("reader.") != std::string_view::npos || text.starts_with("args"))
            line(begin, end);
        at = next;
    }
    return std::move(m_inputs);
}

// The type that torch.tensor() gives a list of such elements.
DType literalType(const Argument& element)
{
    if (element.as<bool>())
        return DType::Bool;
    return element.as<double>() ? DType::Float32 : DType::Int64;
}

// randn([8, 4]), randn(8, 4)
std::optional<std::vector<SymExpr>> sizesOfCall(const CallArguments& call)
{
    if (const Argument* size = keyword(call, "size"))
        return sizesOf(*size);
    if (call.args.empty())
        return {};
    return call.args.front().sequence() ? sizesOf(call.args.front())
                                        : sizesOf(Argument{ListArgument{call.args}});
}

// tensor([[1, 0], [2, 3]]): the sizes are those of the nested lists.
void setLiteral(TensorMeta& meta, const Argument& literal)
{
    const Argument* item = &literal;
    while (item->sequence())
    {
        const std::vector<Argument>& items = *item->sequence();
        meta.sizes.push_back(SymExpr(static_cast<std::int64_t>(items.size())));
        if (items.empty())
            break;
        item = &items.front();
    }
    meta.dtype = item->sequence() ? DType::Float32 : literalType(*item);
}

MetaValue InputReader::constant(std::size_t offset)
{
    const std::string_view text = m_text.substr(offset, m_text.find('\n', offset) - offset);
    TensorMeta meta;
    meta.offset.emplace(0);
    meta.device = text.find(".cuda(") != std::string_view::npos ? "cuda:0" : "cpu";
    std::size_t open = std::string_view::npos;
    for (const std::string_view word : {"torch.randn(", "torch.randint(", "torch.rand(",
                                        "torch.zeros(", "torch.ones(", "torch.empty(", "tensor("})
        if (const std::size_t at = text.find(word); at != std::string_view::npos)
        {
            open = offset + at + word.size() - 1;
            meta.dtype = word == "torch.randint(" ? DType::Int64 : DType::Float32;
            break;
        }
    if (open == std::string_view::npos)
        return {};
    const std::optional<CallArguments> read = call(open);
    if (!read)
        return {};
    if (m_text.substr(0, open).ends_with("tensor") && !read->args.empty())
        setLiteral(meta, read->args.front());
    else if (std::optional<std::vector<SymExpr>> sizes = sizesOfCall(*read))
        meta.sizes = std::move(*sizes);
    else
        return {};
    if (const Argument* dtype = keyword(*read, "dtype"))
        meta.dtype = dtypeFromName(constantText(*dtype));
    if (const Argument* device = keyword(*read, "device"))
        meta.device = constantText(*device);
    meta.strides = contiguousStrides(meta.sizes);
    return MetaValue{std::move(meta)};
}

} // namespace

std::vector<ScriptInput> scriptInputs(ProblemList& problems)
{
    return InputReader(problems).read();
}

MetaValue constantMeta(ProblemList& problems, std::size_t offset)
{
    return InputReader(problems).constant(offset);
}

} // namespace reinspect
