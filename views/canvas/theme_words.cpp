// SPDX-License-Identifier: MIT
// What the roles are called: in the theme files, on tags and in the legend.
#include "views/canvas/theme.h"

#include <iterator>

namespace reinspect
{

namespace
{
struct RoleWords
{
    Role role;
    const char* key;
    const char* word;
    const char* meaning;
};

constexpr RoleWords kRoleWords[] = {
    {Role::Plain, "plain", "node", "A call of the graph"},
    {Role::Input, "input", "input", "An input or a constant"},
    {Role::Output, "output", "output", "What the graph returns"},
    {Role::Stub, "stub", "value", "An input, repeated beside its user"},
    {Role::FarStub, "farStub", "far value", "A value made elsewhere, repeated beside its user"},
    {Role::Candidate, "candidate", "candidate", "Could write in place; not decided yet"},
    {Role::Reinplaced, "reinplaced", "in place", "Writes in place, without a clone"},
    {Role::Kept, "kept", "kept: clone", "Works on a clone"},
    {Role::CopyBack, "copyBack", "copy_ back", "Copies a result into an input"},
    {Role::Current, "current", "asked about", "The candidate of the current event"},
    {Role::Mutated, "mutated", "written to", "The tensor that the candidate would write"},
    {Role::Blocking, "blocking", "blocks", "A use that needs the old value"},
    {Role::Harmless, "harmless", "harmless", "A use that does not count"},
    {Role::Created, "created", "new", "Made at the current event"},
    {Role::Removed, "removed", "removed", "No longer in the graph"},
    {Role::NotYet, "notYet", "not yet", "Made by a later event"},
    {Role::Retargeted, "retargeted", "new operator", "Its operator was replaced"},
    {Role::SameMemory, "sameMemory", "same memory", "Shares memory with the chosen node"},
    {Role::View, "view", "view", "A view on the way to the tensor asked about"},
    {Role::Found, "found", "found", "Matches what you searched for"},
    {Role::DiffAdded, "diffAdded", "added", "Only in the graph on the right"},
    {Role::DiffRemoved, "diffRemoved", "gone", "Only in the graph on the left"},
    {Role::DiffRetargeted, "diffRetargeted", "retargeted",
     "Calls another operator than on the other side"},
    {Role::DiffRewired, "diffRewired", "rewired", "Has other arguments than on the other side"},
    {Role::DiffMetadata, "diffMetadata", "other metadata",
     "Same call, other shape, type or memory"},
    {Role::Selected, "selected", "selected", "Chosen by you"},
};

struct SurfaceWords
{
    Surface surface;
    const char* key;
};

constexpr SurfaceWords kSurfaceWords[] = {
    {Surface::Background, "background"},
    {Surface::Panel, "panel"},
    {Surface::Text, "text"},
    {Surface::FaintText, "faintText"},
    {Surface::Edge, "edge"},
    {Surface::EdgeStrong, "edgeStrong"},
    {Surface::Grid, "grid"},
    {Surface::Focus, "focus"},
    {Surface::Accent, "accent"},
};
} // namespace

std::span<const Role> allRoles()
{
    static const std::vector<Role> roles = [] {
        std::vector<Role> all;
        for (const RoleWords& words : kRoleWords)
            all.push_back(words.role);
        return all;
    }();
    return roles;
}

std::span<const Surface> allSurfaces()
{
    static const std::vector<Surface> surfaces = [] {
        std::vector<Surface> all;
        for (const SurfaceWords& words : kSurfaceWords)
            all.push_back(words.surface);
        return all;
    }();
    return surfaces;
}

// Both tables stand in the order of their enum; tst_theme checks it.
QString roleKey(Role role)
{
    return QString::fromLatin1(kRoleWords[static_cast<std::size_t>(role)].key);
}

QString roleWord(Role role)
{
    return QString::fromLatin1(kRoleWords[static_cast<std::size_t>(role)].word);
}

QString roleMeaning(Role role)
{
    return QString::fromLatin1(kRoleWords[static_cast<std::size_t>(role)].meaning);
}

QString surfaceKey(Surface surface)
{
    return QString::fromLatin1(kSurfaceWords[static_cast<std::size_t>(surface)].key);
}

} // namespace reinspect
