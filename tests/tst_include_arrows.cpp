// SPDX-License-Identifier: MIT
// The arrows between the folders: app -> views -> core, and inside core passes -> alias -> ir -> base.
// Reads the include lines of every source and names each line that points the wrong way; and each file that
// is too long to be read in one go.

#include <QTest>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace
{

using Strings = std::vector<std::string>;

// What a file of a folder may include, by folder. A file may always include its own folder, except in
// views/panels, where another panel's header is not allowed.
const std::map<std::string, Strings> allowedFolders = {
    {"core/base", {}},
    {"core/ir", {"core/base"}},
    {"core/alias", {"core/ir", "core/base"}},
    {"core/passes", {"core/alias", "core/ir", "core/base"}},
    {"core/io", {"core/ir", "core/base"}},
    {"core/layout", {"core/ir", "core/base"}},
    {"core/triton", {"core/ir", "core/base"}},
    {"core/exec", {"core/triton", "core/alias", "core/ir", "core/base"}},
    {"core/proof",
     {"core/exec", "core/triton", "core/passes", "core/alias", "core/io", "core/ir", "core/base"}},
    {"core/gpu", {"core/exec", "core/triton", "core/ir", "core/base"}},
    {"core/gpu/cuda", {"core/gpu", "core/exec", "core/ir"}},
    {"views/session", {"core"}},
    {"views/models", {"views/session", "core"}},
    {"views/canvas", {"views/session", "core"}},
    {"views/panels", {"views/session", "views/models", "views/canvas", "core"}},
    {"app", {"views", "core"}},
};

// Headers that only the named files may include.
const std::map<std::string, Strings> restrictedHeaders = {
    {"gvc.h", {"core/layout/graphviz_layout.cpp"}},
    {"cgraph.h", {"core/layout/graphviz_layout.cpp", "core/io/dot_document.cpp"}},
};

// All of core/io that views know: a file format is core's business.
const Strings documentHeaders = {
    "core/io/document.h", "core/io/source_text.h",
    "core/io/graph_writers.h", // export
    "core/io/graph_code.h",    // a capture as text to read
};

struct Include
{
    std::string path;
    bool isAngled = false;
};

bool isUnder(std::string_view path, std::string_view folder)
{
    return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

std::string folderOf(const std::string& path)
{
    return std::filesystem::path(path).parent_path().generic_string();
}

std::string fileNameOf(const std::string& path)
{
    return std::filesystem::path(path).filename().string();
}

std::string stemOf(const std::string& path)
{
    return std::filesystem::path(path).stem().string();
}

bool contains(const Strings& list, const std::string& text)
{
    return std::ranges::find(list, text) != list.end();
}

// An empty path when the line includes nothing.
Include includeOf(std::string_view line)
{
    const std::size_t hash = line.find_first_not_of(" \t");
    if (hash == std::string_view::npos || !line.substr(hash).starts_with("#"))
        return {};
    const std::size_t word = line.find_first_not_of(" \t", hash + 1);
    if (word == std::string_view::npos || !line.substr(word).starts_with("include"))
        return {};
    const std::size_t opening = line.find_first_of("\"<", word);
    if (opening == std::string_view::npos)
        return {};
    const bool isAngled = line[opening] == '<';
    const std::size_t closing = line.find(isAngled ? '>' : '"', opening + 1);
    if (closing == std::string_view::npos)
        return {};
    return {std::string(line.substr(opening + 1, closing - opening - 1)), isAngled};
}

// What is wrong with a library header in this file; empty when nothing is.
std::string complaintAboutLibraryHeader(const std::string& file, const std::string& header)
{
    const std::string name = fileNameOf(header);
    if (isUnder(file, "core") && header.starts_with("Q"))
        return "core knows no Qt";
    if (name == "json.hpp" && !file.ends_with(".cpp"))
        return "json.hpp belongs into .cpp files";
    const auto restricted = restrictedHeaders.find(name);
    if (restricted != restrictedHeaders.end() && !contains(restricted->second, file))
        return "this header is for " + restricted->second.front() + " only";
    return {};
}

std::string complaintAboutOurHeader(const std::string& file, const std::string& header)
{
    if (header.ends_with(".moc"))
        return {};
    const std::string from = folderOf(file);
    const std::string to = folderOf(header);
    const auto rule = allowedFolders.find(from);
    if (rule == allowedFolders.end())
        return "the folder " + from + " has no rule in tst_include_arrows.cpp";
    if (isUnder(file, "views") && to == "core/io" && !contains(documentHeaders, header))
        return "views know no file formats; use core/io/document.h";
    if (from == "views/panels" && to == from && stemOf(header).ends_with("_panel"))
        return stemOf(header) == stemOf(file) ? "" : "panels do not include panels";
    if (to == from)
        return {};
    // The command line is core only, for machines without Qt.
    if (file.starts_with("app/cli_") && !isUnder(header, "core"))
        return "the command line uses core only";
    const bool isAllowed = std::ranges::any_of(
        rule->second, [&](const std::string& folder) { return isUnder(to, folder); });
    return isAllowed ? "" : "nothing in " + from + " may include " + (to.empty() ? header : to);
}

std::string complaintAbout(const std::string& file, std::string_view line)
{
    const Include include = includeOf(line);
    if (include.path.empty())
        return {};
    const std::string about = complaintAboutLibraryHeader(file, include.path);
    if (!about.empty() || include.isAngled)
        return about;
    return complaintAboutOurHeader(file, include.path);
}

// "core/ir/graph.cpp:3: #include <QString>: core knows no Qt", one for each wrong line.
Strings complaintsAboutFile(const std::string& file, std::istream& text)
{
    Strings complaints;
    std::string line;
    for (int number = 1; std::getline(text, line); ++number)
    {
        const std::string about = complaintAbout(file, line);
        if (!about.empty())
            complaints.push_back(file + ":" + std::to_string(number) + ": " + line + ": " + about);
    }
    return complaints;
}

using Tops = std::initializer_list<const char*>;

void forEachSource(const std::function<void(const std::string& file, std::istream& text)>& visit,
                   Tops tops = {"core", "views", "app"})
{
    namespace fs = std::filesystem;
    const fs::path root = REINSPECT_SOURCE_DIR;
    for (const char* top : tops)
    {
        if (!fs::exists(root / top))
            continue;
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / top))
        {
            const std::string suffix = entry.path().extension().string();
            if (suffix != ".h" && suffix != ".cpp" && suffix != ".cu" && suffix != ".cuh")
                continue;
            std::ifstream text(entry.path());
            visit(fs::relative(entry.path(), root).generic_string(), text);
        }
    }
}

} // namespace

class tst_IncludeArrows : public QObject
{
    Q_OBJECT

private slots:
    void everyArrowPointsDown();
    void everyOwnHeaderExists();
    void noFileIsTooLong();
    void aPlantedViolationIsCaught_data();
    void aPlantedViolationIsCaught();
    void whatIsAllowedPasses_data();
    void whatIsAllowedPasses();
};

void tst_IncludeArrows::everyArrowPointsDown()
{
    std::string found;
    int files = 0;
    forEachSource([&](const std::string& file, std::istream& text) {
        ++files;
        for (const std::string& complaint : complaintsAboutFile(file, text))
            found += "\n" + complaint;
    });
    QVERIFY(files > 0);
    QVERIFY2(found.empty(), found.c_str());
}

void tst_IncludeArrows::noFileIsTooLong()
{
    constexpr int kMostLines = 400;
    std::string tooLong;
    const auto measure = [&](const std::string& file, std::istream& text) {
        std::string line;
        int count = 0;
        while (std::getline(text, line))
            ++count;
        if (count > kMostLines)
            tooLong += "\n" + file + ": " + std::to_string(count) + " lines";
    };
    forEachSource(measure, {"core", "views", "app", "tests"});
    QVERIFY2(tooLong.empty(), tooLong.c_str());
}

// Includes are written from the root of the repository.
void tst_IncludeArrows::everyOwnHeaderExists()
{
    std::string missing;
    forEachSource([&](const std::string& file, std::istream& text) {
        std::string line;
        while (std::getline(text, line))
        {
            const Include include = includeOf(line);
            if (include.path.empty() || include.isAngled || include.path.ends_with(".moc"))
                continue;
            if (!std::filesystem::exists(std::filesystem::path(REINSPECT_SOURCE_DIR)
                                         / include.path))
                missing += "\n" + file + ": " + line;
        }
    });
    QVERIFY2(missing.empty(), missing.c_str());
}

void tst_IncludeArrows::aPlantedViolationIsCaught_data()
{
    QTest::addColumn<std::string>("file");
    QTest::addColumn<std::string>("line");

    const auto row = [](const char* name, const char* file, const char* line) {
        QTest::newRow(name) << std::string(file) << std::string(line);
    };
    row("ir to alias", "core/ir/graph.h", "#include \"core/alias/storage_map.h\"");
    row("alias to passes", "core/alias/overlap.cpp", "#include \"core/passes/pass_event.h\"");
    row("io to alias", "core/io/document.cpp", "#include \"core/alias/overlap.h\"");
    row("exec to passes", "core/exec/executor.h", "#include \"core/passes/pass_trace.h\"");
    row("exec to proof", "core/exec/executor.h", "#include \"core/proof/compare.h\"");
    row("layout to passes", "core/layout/compose.cpp", "#include \"core/passes/pass_trace.h\"");
    row("base to ir", "core/base/result.h", "#include \"core/ir/graph.h\"");
    row("core to views", "core/io/document.cpp", "#include \"views/session/session.h\"");
    row("Qt in core", "core/ir/graph.cpp", "#include <QString>");
    row("Qt in core, by folder", "core/ir/graph.cpp", "  #  include <QtCore/QString>");
    row("views to app", "views/panels/step_panel.cpp", "#include \"app/actions.h\"");
    row("panel to panel", "views/panels/step_panel.cpp", "#include \"views/panels/alias_panel.h\"");
    row("canvas to model", "views/canvas/graph_view.h",
        "#include \"views/models/event_tree_model.h\"");
    row("canvas to panel", "views/canvas/graph_view.h", "#include \"views/panels/step_panel.h\"");
    row("session to canvas", "views/session/session.h", "#include \"views/canvas/theme.h\"");
    row("model to canvas", "views/models/event_tree_model.h", "#include \"views/canvas/theme.h\"");
    row("format in views", "views/panels/source_panel.cpp", "#include \"core/io/fx_text.h\"");
    row("reader in views", "views/session/session.h", "#include \"core/io/lexer.h\"");
    row("gvc", "core/layout/compose.cpp", "#include <graphviz/gvc.h>");
    row("cgraph", "core/io/fx_text.cpp", "#include <cgraph.h>");
    row("json in a header", "core/io/json_document.h", "#include <nlohmann/json.hpp>");
    row("views in the command line", "app/cli_main.cpp", "#include \"views/session/session.h\"");
    row("from beside", "core/ir/graph.cpp", "#include \"graph.h\"");
}

void tst_IncludeArrows::aPlantedViolationIsCaught()
{
    QFETCH(std::string, file);
    QFETCH(std::string, line);

    std::istringstream text("#pragma once\n" + line + "\nint x;\n");
    const Strings complaints = complaintsAboutFile(file, text);

    QCOMPARE(complaints.size(), 1u);
    QVERIFY2(complaints.front().starts_with(file + ":2: " + line), complaints.front().c_str());
}

void tst_IncludeArrows::whatIsAllowedPasses_data()
{
    QTest::addColumn<std::string>("file");
    QTest::addColumn<std::string>("line");

    const auto row = [](const char* name, const char* file, const char* line) {
        QTest::newRow(name) << std::string(file) << std::string(line);
    };
    row("passes to ir", "core/passes/explain.cpp", "#include \"core/ir/graph.h\"");
    row("own folder", "core/ir/graph.cpp", "#include \"core/ir/graph.h\"");
    row("own panel", "views/panels/step_panel.cpp", "#include \"views/panels/step_panel.h\"");
    row("own moc", "views/panels/step_panel.cpp", "#include \"step_panel.moc\"");
    row("Qt in views", "views/panels/step_panel.h", "#include <QWidget>");
    row("json in a source", "core/io/json_document.cpp", "#include <nlohmann/json.hpp>");
    row("gvc in its place", "core/layout/graphviz_layout.cpp", "#include <graphviz/gvc.h>");
    row("document in views", "views/session/session.h", "#include \"core/io/document.h\"");
    row("format in the command line", "app/cli_convert.cpp",
        "#include \"core/io/json_document.h\"");
    row("a comment", "core/ir/graph.h", "// see #include \"views/session/session.h\"");
}

void tst_IncludeArrows::whatIsAllowedPasses()
{
    QFETCH(std::string, file);
    QFETCH(std::string, line);
    const std::string about = complaintAbout(file, line);
    QVERIFY2(about.empty(), about.c_str());
}

QTEST_APPLESS_MAIN(tst_IncludeArrows)
#include "tst_include_arrows.moc"
