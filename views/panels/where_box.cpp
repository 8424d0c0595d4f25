// SPDX-License-Identifier: MIT
#include "views/panels/where_box.h"

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
    const QString reason = tr("Not part of this program yet: here, graphs run on the CPU only.");
    addItem(tr("CUDA (not available)"), static_cast<int>(RunPlace::Cuda));
    setItemData(1, reason, Qt::ToolTipRole);
    qobject_cast<QStandardItemModel*>(model())->item(1)->setEnabled(false);
    const RemoteHost& host = m_service->remoteHost();
    if (host.isSet())
    {
        addItem(host.text(), static_cast<int>(RunPlace::Remote));
        setItemData(count() - 1, tr("Run by \"%1\" there").arg(host.program), Qt::ToolTipRole);
    }
    addItem(host.isSet() ? tr("Change the host...") : tr("Remote host..."), kSetUp);
    const int chosen = findData(static_cast<int>(m_service->place()));
    setCurrentIndex(std::max(chosen, 0));
    setToolTip(tr("CUDA: %1").arg(reason));
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
