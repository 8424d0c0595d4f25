// SPDX-License-Identifier: MIT
// Files as one stream that `tar -x` unpacks, read piece by piece while it is sent: POSIX headers, and GNU's for
// names of more than 100 bytes, which all of today's tars know.
#pragma once

#include <QFile>
#include <QString>

#include "core/proof/run_bundle.h"

#include <vector>

namespace reinspect
{

class TarArchive
{
public:
    explicit TarArchive(std::vector<proof::BundleFile> files);

    qint64 size() const { return m_size; } // of the whole stream
    // The next bytes; empty at the end. A file that has become shorter, or is gone, is an error.
    Result<QByteArray> read(qint64 most);

private:
    Result<void> beginFile();
    Result<QByteArray> readContent(qint64 most);

    std::vector<proof::BundleFile> m_files;
    qint64 m_size = 0;
    std::size_t m_at = 0; // the file that is being sent
    bool m_isEnded = false;
    QByteArray m_pending; // headers, padding
    QFile m_file;
    qint64 m_sent = 0; // bytes of the file
    bool m_isOpen = false;
};

// One header of 512 bytes, and for a long name the blocks before it.
QByteArray tarHeader(const QByteArray& name, qint64 bytes);

} // namespace reinspect
