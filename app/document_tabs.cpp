// SPDX-License-Identifier: MIT
#include "app/document_tabs.h"

#include "views/canvas/graph_view.h"
#include "views/session/session.h"

#include <QFileInfo>
#include <QFileSystemWatcher>
#include <QTimer>

namespace reinspect
{

static constexpr int kQuiet = 300; // milliseconds: writers write in several pieces

DocumentTabs::DocumentTabs(Session* session, GraphView* view, QWidget* parent)
    : QTabBar(parent)
    , m_session(session)
    , m_view(view)
    , m_watcher(new QFileSystemWatcher(this))
    , m_reloading(new QTimer(this))
{
    setAccessibleName(tr("Open documents"));
    setWhatsThis(tr("The open documents. Each keeps its step, its chosen node and what is drawn."));
    setTabsClosable(true);
    setDocumentMode(true);
    setExpanding(false);
    setElideMode(Qt::ElideMiddle);
    hide();
    m_reloading->setSingleShot(true);
    m_reloading->setInterval(kQuiet);
    connect(m_reloading, &QTimer::timeout, this, &DocumentTabs::reload);
    connect(m_watcher, &QFileSystemWatcher::fileChanged, this, &DocumentTabs::fileChanged);
    connect(this, &QTabBar::tabCloseRequested, this, &DocumentTabs::closeTab);
    connect(this, &QTabBar::currentChanged, this, &DocumentTabs::show);
    connect(session, &Session::documentAboutToChange, this, &DocumentTabs::leave);
    connect(session, &Session::opened, this, &DocumentTabs::takeOpened);
    // Queued: a session chooses what its opening event is about after it told of the trace.
    connect(session, &Session::traceChanged, this, &DocumentTabs::takeTrace, Qt::QueuedConnection);
}

int DocumentTabs::indexOf(const QString& path) const
{
    for (std::size_t i = 0; i < m_states.size(); ++i)
    {
        if (m_states[i].path == path)
            return static_cast<int>(i);
    }
    return -1;
}

const TabState* DocumentTabs::current() const
{
    return m_shown >= 0 ? &m_states[static_cast<std::size_t>(m_shown)] : nullptr;
}

void DocumentTabs::open(const QString& path)
{
    const bool isFile = !path.startsWith(QLatin1String(":/"));
    m_loading = -1;
    m_session->open(isFile ? QFileInfo(path).absoluteFilePath() : path);
}

void DocumentTabs::openText(const QString& name, const QString& text)
{
    m_loading = -1;
    QString free = name;
    for (int number = 2; indexOf(QStringLiteral(":/") + free) >= 0; ++number)
        free = QStringLiteral("%1 %2").arg(name).arg(number);
    m_pastedPath = QStringLiteral(":/") + free;
    m_pastedText = text;
    m_session->openText(free, text);
}

// The place that is left is remembered, unless it is not restored yet.
void DocumentTabs::leave()
{
    if (m_shown < 0)
        return;
    TabState& state = m_states[static_cast<std::size_t>(m_shown)];
    if (m_isRestoring && state.place)
        return;
    if (std::optional<TabState::Place> place = placeOf(*m_session, *m_view))
        state.place = std::move(place);
    emit aboutToLeave(state);
}

void DocumentTabs::takeOpened(const QString& path)
{
    int index = m_loading >= 0 ? m_loading : indexOf(path);
    m_loading = -1;
    if (index < 0)
    {
        TabState state;
        state.path = path;
        state.text = path == m_pastedPath ? m_pastedText : QString();
        emit aboutToLeave(state); // a new document is looked at in the same way
        m_states.push_back(std::move(state));
        index = static_cast<int>(m_states.size()) - 1;
    }
    TabState& state = m_states[static_cast<std::size_t>(index)];
    state.document = m_session->document();
    m_shown = index;
    m_isRestoring = true;
    updateBar();
    watch();
}

// A place in another graph of the document waits for the trace of that graph.
void DocumentTabs::takeTrace()
{
    if (!m_isRestoring || m_shown < 0 || !m_session->trace())
        return;
    const TabState state = m_states[static_cast<std::size_t>(m_shown)];
    if (state.document != m_session->document())
        return;
    const std::size_t count = state.document ? state.document->graphs.size() : 0;
    const auto graph = static_cast<std::size_t>(state.place ? state.place->graph : 0);
    if (state.place && graph < count && graph != m_session->graphIndex())
        return m_session->setGraphIndex(graph);
    m_isRestoring = false;
    if (state.place)
        restorePlace(*m_session, *m_view, *state.place);
    emit shown(state);
}

void DocumentTabs::load(int index)
{
    const TabState& state = m_states[static_cast<std::size_t>(index)];
    m_loading = index;
    if (state.text.isEmpty())
        m_session->open(state.path);
    else
        m_session->openText(state.title(), state.text);
}

// By a click on a tab; updateBar() only follows what is shown already.
void DocumentTabs::show(int index)
{
    if (index < 0 || index == m_shown || index >= static_cast<int>(m_states.size()))
        return;
    leave();
    m_shown = index;
    m_isRestoring = true;
    const TabState& state = m_states[static_cast<std::size_t>(index)];
    m_session->setDocument(state.document);
    if (!state.document)
        load(index);
    watch();
}

void DocumentTabs::closeTab(int index)
{
    if (index < 0 || index >= static_cast<int>(m_states.size()))
        return;
    const bool isShown = index == m_shown;
    if (isShown)
        leave();
    constexpr std::size_t kMostClosed = 10;
    m_closed.push_back(std::move(m_states[static_cast<std::size_t>(index)]));
    m_closed.back().document.reset();
    if (m_closed.size() > kMostClosed)
        m_closed.erase(m_closed.begin());
    m_states.erase(m_states.begin() + index);
    emit closedChanged();
    m_loading = -1;
    if (m_shown >= index)
        --m_shown;
    if (!isShown)
        return updateBar();
    const int next = std::min(index, static_cast<int>(m_states.size()) - 1);
    m_shown = -1;
    m_isRestoring = false;
    updateBar();
    if (next >= 0)
        show(next);
    else
        m_session->setDocument(nullptr);
    updateBar();
}

// At the place where it was left.
void DocumentTabs::reopen()
{
    if (m_closed.empty())
        return;
    TabState state = std::move(m_closed.back());
    m_closed.pop_back();
    emit closedChanged();
    if (const int there = indexOf(state.path); there >= 0)
        return setCurrentIndex(there);
    m_states.push_back(std::move(state));
    updateBar();
    show(static_cast<int>(m_states.size()) - 1);
    updateBar();
}

void DocumentTabs::reload()
{
    if (m_shown < 0 || !QFileInfo::exists(m_states[static_cast<std::size_t>(m_shown)].path))
        return;
    leave();
    load(m_shown);
}

std::vector<TabState> DocumentTabs::savedStates()
{
    leave();
    return m_states;
}

void DocumentTabs::restore(std::vector<TabState> states, int current)
{
    m_states = std::move(states);
    m_shown = -1;
    m_loading = -1;
    m_isRestoring = false;
    updateBar();
    show(current);
    updateBar();
}

void DocumentTabs::watch()
{
    if (!m_watcher->files().isEmpty())
        m_watcher->removePaths(m_watcher->files());
    const TabState* state = current();
    if (state && QFileInfo(state->path).isFile() && !state->path.startsWith(QLatin1String(":/")))
        m_watcher->addPath(state->path);
}

// Many programs write a new file and rename it; the watcher has to be told again.
void DocumentTabs::fileChanged(const QString& path)
{
    const TabState* state = current();
    if (!state || state->path != path)
        return;
    if (QFileInfo::exists(path))
    {
        watch();
        m_reloading->start();
        return;
    }
    QTimer::singleShot(kQuiet, this, [this, path] {
        const TabState* now = current();
        if (!now || now->path != path)
            return;
        watch();
        if (QFileInfo::exists(path))
            m_reloading->start();
        else
            m_session->setMessage(tr("\"%1\" was deleted. What is open stays.").arg(path));
    });
}

void DocumentTabs::updateBar()
{
    const QSignalBlocker blocker(this);
    while (count() > static_cast<int>(m_states.size()))
        removeTab(count() - 1);
    while (count() < static_cast<int>(m_states.size()))
        addTab(QString());
    for (int i = 0; i < count(); ++i)
    {
        const TabState& state = m_states[static_cast<std::size_t>(i)];
        setTabText(i, state.title().replace(u'&', QStringLiteral("&&")));
        setTabToolTip(i, state.path);
    }
    if (m_shown >= 0)
        setCurrentIndex(m_shown);
    setVisible(count() > 1);
}

} // namespace reinspect
