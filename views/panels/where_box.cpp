// SPDX-License-Identifier: MIT
#include "views/panels/where_box.h"

#include "views/models/tensor_words.h"
#include "views/session/qt_text.h"
#include "views/session/run_service.h"

#include <QStandardItemModel>

namespace reinspect
{

static constexpr int kSetUp = -1; // as a place: asks for the dialog

WhereBox::WhereBox(RunService* service, QWidget* parent)
    : QComboBox(parent)
    , m_service(service)
{
    setAccessibleName(tr("Where"));
    setWhatsThis(tr("Where the graphs are run: on this machine, or on another one that is reached "
                    "over ssh. Files are sent there, and the results come back."));
    setSizeAdjustPolicy(QComboBox::AdjustToContents);
    connect(this, &QComboBox::activated, this, &WhereBox::choose);
    connect(service, &RunService::placeChanged, this, &WhereBox::showPlaces);
    showPlaces();
}

void WhereBox::showPlaces()
{
    clear();
    addItem(tr("CPU"), static_cast<int>(RunPlace::Cpu));
    addGpu();
    const RemoteHost& host = m_service->remoteHost();
    if (host.isSet())
    {
        addItem(host.text(), static_cast<int>(RunPlace::Remote));
        setItemData(count() - 1, tr("Run by \"%1\" there").arg(host.program), Qt::ToolTipRole);
    }
    addItem(host.isSet() ? tr("Change the host...") : tr("Remote host..."), kSetUp);
    const int chosen = findData(static_cast<int>(m_service->place()));
    setCurrentIndex(std::max(chosen, 0));
    setToolTip(itemData(findData(static_cast<int>(RunPlace::Cuda)), Qt::ToolTipRole).toString());
}

void WhereBox::showEvent(QShowEvent* event)
{
    QComboBox::showEvent(event);
    m_service->askGpu();
}

// Greyed with the reason where it cannot be used.
void WhereBox::addGpu()
{
    const auto& gpu = m_service->gpu();
    if (gpu && gpu->ok())
    {
        const gpu::GpuFacts& facts = (*gpu)->facts;
        const QString name = toQString(facts.name);
        addItem(tr("%1, %2").arg(name, bytesText(facts.totalBytes)),
                static_cast<int>(RunPlace::Cuda));
        setItemData(count() - 1,
                    tr("CUDA on %1 (%2): %3 free")
                        .arg(name, toQString(facts.architecture), bytesText(facts.freeBytes)),
                    Qt::ToolTipRole);
        return;
    }
    const QString reason =
        gpu ? stripText(gpu->error()) : tr("It is not known yet whether there is a GPU here.");
    addItem(gpu ? tr("CUDA (not available)") : tr("CUDA"), static_cast<int>(RunPlace::Cuda));
    setItemData(count() - 1, tr("CUDA: %1").arg(reason), Qt::ToolTipRole);
    qobject_cast<QStandardItemModel*>(model())->item(count() - 1)->setEnabled(false);
}

void WhereBox::choose(int index)
{
    const int place = itemData(index).toInt();
    if (place != kSetUp)
        return m_service->setPlace(static_cast<RunPlace>(place));
    showPlaces(); // what was chosen before
    emit setupAsked();
}

} // namespace reinspect
