// SPDX-License-Identifier: MIT
// The reader's own colours: each rule is a query (node_query.h), the first that a node matches is its
// class.
#pragma once

#include "views/session/node_classes.h"

#include <QStringList>

#include <memory>

namespace reinspect
{

// A rule that does not read is passed over; its label says what is wrong with it.
NodeClasses classifyByRules(std::shared_ptr<const PassTrace> trace, const QStringList& rules);

} // namespace reinspect
