// SPDX-License-Identifier: MIT
// A script that stands for ssh: it is given a host and a command line, and the host says how it behaves. What it
// runs is run on this machine, in a folder of the test's for temporary files.
#pragma once

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include "views/session/remote_run.h"

namespace reinspect
{

inline const char* const kFakeSsh = R"(#!/bin/sh
TMPDIR='%1'; export TMPDIR
# The last two arguments are the host and the command; what is before them are options.
while [ $# -gt 2 ]; do shift; done
case "$1" in
good) exec sh -c "$2" ;;
banner) echo 'Welcome to gpu1.' >&2; exec sh -c "$2" ;;
refused) echo 'ssh: connect to host refused port 22: Connection refused' >&2; exit 255 ;;
denied) cat > /dev/null; echo 'me@denied: Permission denied (publickey).' >&2; exit 255 ;;
bare) sh -c 'no-such-reinspect-cli' ; exit $? ;;
noise) cat > /dev/null; echo 'Last login: Monday' ; exit 0 ;;
silent) cat > /dev/null; exit 0 ;;
torn) sh -c "$2" | head -c 300 ;;
other) sh -c "$2" | sed 's/"nodes": [0-9][0-9]*/"nodes": 99/' ;;
gpu) # a report as a GPU's: two nodes were measured
    sh -c "$2" | sed 's/"seconds": \([^,]*\),/"seconds": \1, "device": {"name": "NVIDIA H200",\
"peak_bytes": 1024, "on_host": [{"target": "aten.sin.default", "calls": 1, "copied_bytes": 64}],\
"nodes": [{"node": "buffer", "seconds": 2e-6, "bytes": 64},\
{"node": "updated", "seconds": 4e-4, "bytes": 64}]},/' ;;
odd) cat > /dev/null; echo '{"runs": {"before": 7}}' ;;
killed) kill -9 $$ ;;
hang) exec sleep 600 ;;
stuck) cat > /dev/null; exec sleep 600 ;;
*) echo "ssh: Could not resolve hostname $1: Name or service not known" >&2; exit 255 ;;
esac
)";

class FakeSsh
{
public:
    FakeSsh()
    {
        QDir(m_folder.path()).mkdir(QStringLiteral("tmp dir"));
        QFile file(script());
        if (!file.open(QIODevice::WriteOnly))
            return;
        file.write(QString::fromLatin1(kFakeSsh).arg(temporary()).toUtf8());
        file.close();
        file.setPermissions(QFileDevice::ReadOwner | QFileDevice::ExeOwner);
    }
    QString script() const { return m_folder.filePath(QStringLiteral("ssh stand in")); }
    QString temporary() const { return m_folder.filePath(QStringLiteral("tmp dir")); }
    // What runs there have not removed.
    QStringList left() const
    {
        return QDir(temporary()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot);
    }
    RemoteHost host(const char* behaviour) const
    {
        return {.host = QString::fromLatin1(behaviour),
                .connection = QStringLiteral("\"%1\" -o BatchMode=yes").arg(script()),
                .program = QStringLiteral("'" REINSPECT_CLI_PROGRAM "'"),
                .backend = QStringLiteral("cpu")};
    }

private:
    QTemporaryDir m_folder;
};

} // namespace reinspect
