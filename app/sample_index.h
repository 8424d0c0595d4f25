// SPDX-License-Identifier: MIT
// The samples that the program carries, each with what it teaches.
#pragma once

#include <QString>

#include <vector>

namespace reinspect
{

struct Sample
{
    QString path; // for Session::open
    QString title;
    QString teaches;
};

std::vector<Sample> sampleIndex();
QString samplePath(const QString& fileName);
// What a window without a file shows.
QString openingSample();

} // namespace reinspect
