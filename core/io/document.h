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
};

// Where the dump was taken: decides what is offered.
enum class Stage
{
    Unknown,
    BeforePass, // functional, input of the pass
    Canonical,  // after phase 1 and 2
    CoreAfter,  // after phase 3
    AfterPass,  // after phase 4
    Final,      // clones and copies are nodes
    Baseline,   // the same lowering with every clone
};

struct Problem
{
    TextSpan span;
    std::string text;
    std::string hint;
};

struct DocumentGraph
{
    std::shared_ptr<const Graph> graph;
    Stage stage = Stage::Unknown;
};

struct Document
{
    std::shared_ptr<const SourceText> source;
    DocumentFormat format = DocumentFormat::Capture;
    std::vector<DocumentGraph> graphs; // at least one
    ShapeEnv shapes;
    CaptureFacts facts;
    std::string caseName; // a capture's "case"
    std::string producer; // "torch 2.11.0+cu130"
    std::vector<Problem> problems;

    const std::string& fileName() const { return source->fileName(); }
};

std::string_view formatName(DocumentFormat format); // "reinspect-graph", "readable", "ir"
// "before", "canonical", "core", "after", "final", "baseline", "unknown"
std::string_view stageName(Stage stage);
Stage stageFromName(std::string_view name); // also "core_after"; Unknown for anything else

// Reads a file of any known form. Errors name the file, the place and the way out.
Result<std::shared_ptr<const Document>> loadDocument(const std::string& path,
                                                     const RunControl& control = {});
// The same for a text that is already in memory (paste, tests).
Result<std::shared_ptr<const Document>> loadDocument(SourceText text,
                                                     const RunControl& control = {});

} // namespace reinspect
