// SPDX-License-Identifier: MIT
#include "views/session/tar_archive.h"

#include "views/session/qt_text.h"

#include <algorithm>

namespace reinspect
{

static constexpr qint64 kBlock = 512;
static constexpr qsizetype kNameField = 100;
static constexpr qint64 kLargest = 077777777777; // eleven octal digits: 8 GiB

static QByteArray padding(qint64 bytes)
{
    return QByteArray((kBlock - bytes % kBlock) % kBlock, '\0');
}

static QByteArray octal(qint64 number, qsizetype digits)
{
    return QByteArray::number(number, 8).rightJustified(digits, '0') + '\0';
}

static QByteArray block(const QByteArray& name, qint64 bytes, char type)
{
    QByteArray header = name.left(kNameField).leftJustified(kNameField, '\0');
    header += octal(0600, 7) + octal(0, 7) + octal(0, 7) + octal(bytes, 11) + octal(0, 11);
    const qsizetype sumAt = header.size();
    header += QByteArray(8, ' '); // the sum is taken with blanks in its place
    header += type;
    header += QByteArray(100, '\0')
        + QByteArray("ustar\0"
                     "00",
                     8);
    header = header.leftJustified(kBlock, '\0');
    qint64 sum = 0;
    for (const char byte : header)
        sum += static_cast<unsigned char>(byte);
    header.replace(sumAt, 7, octal(sum, 6));
    return header;
}

QByteArray tarHeader(const QByteArray& name, qint64 bytes)
{
    QByteArray header;
    if (name.size() > kNameField)
    {
        const QByteArray whole = name + '\0';
        header = block("././@LongLink", whole.size(), 'L') + whole + padding(whole.size());
    }
    return header + block(name, bytes, '0');
}

TarArchive::TarArchive(std::vector<proof::BundleFile> files)
    : m_files(std::move(files))
    , m_size(2 * kBlock)
{
    for (const proof::BundleFile& file : m_files)
        m_size += tarHeader(QByteArray::fromStdString(file.name), file.bytes).size() + file.bytes
            + padding(file.bytes).size();
}

Result<void> TarArchive::beginFile()
{
    const proof::BundleFile& file = m_files[m_at];
    if (file.bytes > kLargest)
        return Error{.message = "the file is too large to be sent", .file = file.path};
    m_pending += tarHeader(QByteArray::fromStdString(file.name), file.bytes);
    m_sent = 0;
    m_isOpen = true;
    if (file.path.empty())
        return {};
    m_file.setFileName(toQString(file.path));
    if (!m_file.open(QIODevice::ReadOnly))
        return Error{.message = toStdString(m_file.errorString()), .file = file.path};
    return {};
}

Result<QByteArray> TarArchive::readContent(qint64 most)
{
    const proof::BundleFile& file = m_files[m_at];
    const qint64 wanted = std::min(most, file.bytes - m_sent);
    QByteArray piece;
    if (file.path.empty())
        piece = QByteArray(file.content.data() + m_sent, wanted);
    else
        piece = m_file.read(wanted);
    if (piece.isEmpty() && wanted > 0)
        return Error{.message = "the file became shorter while it was sent", .file = file.path};
    m_sent += piece.size();
    if (m_sent == file.bytes)
    {
        m_pending = padding(file.bytes);
        m_file.close();
        m_isOpen = false;
        ++m_at;
    }
    return piece;
}

Result<QByteArray> TarArchive::read(qint64 most)
{
    for (;;)
    {
        if (!m_pending.isEmpty())
        {
            QByteArray piece = m_pending.left(most);
            m_pending.remove(0, piece.size());
            return piece;
        }
        if (m_isOpen)
        {
            REINSPECT_TRY(QByteArray piece, readContent(most));
            if (!piece.isEmpty())
                return piece;
            continue; // an empty file
        }
        if (m_at < m_files.size())
        {
            REINSPECT_CHECK(beginFile());
            continue;
        }
        if (std::exchange(m_isEnded, true))
            return QByteArray();
        m_pending = QByteArray(2 * kBlock, '\0');
    }
}

} // namespace reinspect
