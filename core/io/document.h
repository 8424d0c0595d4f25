// SPDX-License-Identifier: MIT
// What was loaded: graphs, where in the compilation they stand, what is known besides the nodes
// (symbols, Triton kernels, custom operators), the original text, and what was odd about it.
// Immutable once loaded; shared as std::shared_ptr<const Document>.
#pragma once

#include "core/base/run_control.h"
#include "core/io/source_text.h"
#include "core/ir/capture_facts.h"
#include "core/ir/graph.h"
#include "core/ir/shape_env.h"

namespace reinspect
{

enum class DocumentFormat
{
    Capture,  // our JSON
    Readable, // print_readable code
    IrText,   // graph(): %x : [num_users=1] = ...
    Runnable, // fx_graph_runnable.py, repro.py
    Dot,      // FxGraphDrawer's, or any DOT
};

// What the graphs were wrapped in.
enum class Wrapping
{
    None,
    Paste,  // fences, quotes, margins, markup
    Log,    // TORCH_LOGS
    Trace,  // TORCH_TRACE
    Folder, // TORCH_COMPILE_DEBUG, tlparse, or any folder
};

// Where the dump was taken: decides what is offered.
enum class Stage
{
    Unknown,
    Dynamo,     // before AOTAutograd: torch-level calls, real in-place writes
    PreGrad,    // likewise, as Inductor's first passes see it
    Joint,      // forward and backward in one, functional
    BeforePass, // functional, input of the pass
    Canonical,  // after phase 1 and 2
    CoreAfter,  // after phase 3
    AfterPass,  // after phase 4
    Final,      // clones and copies are nodes
    Baseline,   // the same lowering with every clone
    Fragment,   // one kernel's part of a lowered graph, from the comments of output_code
};

struct Problem
{
    TextSpan span;
    std::string text;
    std::string hint;
    std::string file = {}; // of a folder; empty: the document's own
};

// Where a graph stood, as its wrapping says; empty texts where it says nothing.
struct GraphOrigin
{
    std::string title;      // "Forward graph 0", "aot_forward_graph"
    std::string artifact;   // "aot_graphs", "inductor_post_grad_graph"
    std::string compileId;  // "0/0", "!0/3/0_1"
    std::string rank;       // "rank1", or what a launcher printed in front
    std::string file;       // of a folder
    std::uint32_t line = 0; // its first line in that file

    friend bool operator==(const GraphOrigin&, const GraphOrigin&) = default;
};

struct DocumentGraph
{
    std::shared_ptr<const Graph> graph;
    Stage stage = Stage::Unknown;
    GraphOrigin origin = {};
    // What the spans of its nodes count lines of; null: Document::source.
    std::shared_ptr<const SourceText> source = {};
};

// One line that the pass itself logged: "For node NAME, attempted to reinplace ...".
struct PassLogLine
{
    std::string node; // kernel, "ns::op" or wrapper
    std::vector<std::string> attempted;
    std::vector<std::string> unable;
    std::vector<std::string> missed;
    std::optional<std::int64_t> missedBytes;
    GraphOrigin origin;
};

struct Document
{
    std::shared_ptr<const SourceText> source;
    DocumentFormat format = DocumentFormat::Capture; // of the first graph
    Wrapping wrapping = Wrapping::None;
    std::vector<DocumentGraph> graphs; // at least one
    ShapeEnv shapes;
    CaptureFacts facts;
    std::string caseName; // a capture's "case"
    std::string producer; // "torch 2.11.0+cu130"
    std::vector<Problem> problems;
    std::vector<PassLogLine> passLog;

    const std::string& fileName() const { return source->fileName(); }
};

// "reinspect-graph", "readable", "ir", "runnable", "dot"
std::string_view formatName(DocumentFormat format);
std::string_view wrappingName(Wrapping wrapping); // "none", "paste", "log", "trace", "folder"
// "dynamo", "pre_grad", "joint", "fragment", "before", "canonical", "core", "after", "final", "baseline", "unknown"
std::string_view stageName(Stage stage);
Stage stageFromName(std::string_view name); // also "core_after"; Unknown for anything else

// Graphs of this stage were not made for the pass, or have been through it: decisions on them are
// offered only when asked for. The text says why and what to open instead; empty: the pass can run.
std::string_view stageAdvice(Stage stage);
// Dumped when the pass had run (or would have, in a baseline).
bool isAfterPass(Stage stage);
// The text that the spans of a graph's nodes are places in.
const SourceText& sourceOf(const Document& document, const DocumentGraph& graph);

// Told of each graph as it is read, in the thread that reads.
using GraphFound = std::function<void(const DocumentGraph&)>;

// Reads a file of any known form, or a folder of such files. Errors name the file, the place and the
// way out.
Result<std::shared_ptr<const Document>>
loadDocument(const std::string& path, const RunControl& control = {}, const GraphFound& found = {});
// The same for a text that is already in memory (paste, tests).
Result<std::shared_ptr<const Document>>
loadDocument(SourceText text, const RunControl& control = {}, const GraphFound& found = {});

} // namespace reinspect
