// SPDX-License-Identifier: MIT
// All that `reinspect-cli run` needs to run a graph on another machine: files to lie in one folder there, and
// its arguments. The graph is written as a capture of its own, whatever it was read from.
#pragma once

#include "core/io/document.h"
#include "core/passes/reinplace_policy.h"

namespace reinspect::proof
{

struct BundleFile
{
    std::string name;       // relative, '/' between folders
    std::string content;    // where `path` is empty
    std::string path;       // on this machine
    std::int64_t bytes = 0; // of content or file
};

struct RunBundle
{
    std::vector<BundleFile> files;
    std::vector<std::string> options; // behind `run capture.json`; inputs are named by inputsFile
    std::string captureFile;          // names in `files`
    std::string inputsFile;           // empty: drawn from the seed

    std::int64_t bytes() const;
};

struct BundleOptions
{
    std::size_t graph = 0;
    ReinplacePolicy policy;
    std::string inputsPath; // on this machine; empty: drawn from the seed
    std::uint64_t seed = 0;
    std::string symbols;         // "s0=8, s1=16": numbers that the capture does not give
    std::string backend = "cpu"; // there
    bool tf32 = false;           // allowed, with "cuda"
};

// A kernel's file that is not beside the capture is left out: a run that needs it says so.
Result<RunBundle> bundleRun(const Document& document, const BundleOptions& options);

// What makes reinspect-cli decide as the policy does: "--policy", "torch-2.11", "--set", ...
std::vector<std::string> policyArguments(const ReinplacePolicy& policy);

} // namespace reinspect::proof
