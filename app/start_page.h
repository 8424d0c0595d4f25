// SPDX-License-Identifier: MIT
// Where to begin: the samples by what each teaches, and the files opened last.
#pragma once

#include "app/sample_index.h"

#include <QWidget>

class QListWidget;
class QListWidgetItem;
class QPushButton;

namespace reinspect
{

class StartPage : public QWidget
{
    Q_OBJECT

public:
    explicit StartPage(QWidget* parent = nullptr);

    void setRecentFiles(const QStringList& paths);
    QListWidget* samples() const { return m_samples; }
    QListWidget* recentFiles() const { return m_recent; }

signals:
    void chosen(const QString& path);
    void openRequested();

private:
    void buildLists();
    void buildLayout();
    void fillSamples();
    void choose(QListWidgetItem* item);

    QPushButton* m_open = nullptr;
    QListWidget* m_samples = nullptr;
    QListWidget* m_recent = nullptr;
    QWidget* m_recentPart = nullptr;
};

} // namespace reinspect
