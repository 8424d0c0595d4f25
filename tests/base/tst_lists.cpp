// SPDX-License-Identifier: MIT
#include "core/base/few.h"
#include "core/base/grouped.h"

#include <QTest>

#include <random>

using namespace reinspect;

class tst_Lists : public QObject
{
    Q_OBJECT

private slots:
    void fewDoesWhatAVectorDoes();
    void copiesOfFewAreTheirOwn();
    void groupedKeepsTheOrderOfEachKey();
    void groupedOfNothingIsEmpty();
};

static std::vector<std::uint32_t> valuesOf(const Few<std::uint32_t>& few)
{
    return {few.items().begin(), few.items().end()};
}

void tst_Lists::fewDoesWhatAVectorDoes()
{
    std::mt19937 random(7);
    for (int round = 0; round < 200; ++round)
    {
        Few<std::uint32_t> few;
        std::vector<std::uint32_t> expected;
        for (int step = 0; step < 40; ++step)
        {
            const bool grows = expected.empty() || random() % 3 != 0;
            const std::size_t at = random() % (expected.size() + (grows ? 1 : 0));
            const auto place = expected.begin() + static_cast<std::ptrdiff_t>(at);
            const auto value = static_cast<std::uint32_t>(random());
            if (grows)
            {
                few.insert(at, value);
                expected.insert(place, value);
            }
            else
            {
                few.erase(at);
                expected.erase(place);
            }
            QCOMPARE(valuesOf(few), expected);
        }
    }
}

void tst_Lists::copiesOfFewAreTheirOwn()
{
    for (const std::size_t count : {0u, 1u, 2u, 3u, 9u})
    {
        Few<std::uint32_t> first;
        for (std::size_t i = 0; i < count; ++i)
            first.insert(i, static_cast<std::uint32_t>(i));
        Few<std::uint32_t> second = first;
        second.insert(0, 77);
        QCOMPARE(first.items().size(), count);
        QCOMPARE(second.items().size(), count + 1);
        first = second;
        second.erase(0);
        QCOMPARE(first.items().front(), 77u);
        const Few<std::uint32_t> moved = std::move(first);
        QCOMPARE(moved.items().size(), count + 1);
    }
}

void tst_Lists::groupedKeepsTheOrderOfEachKey()
{
    const std::vector<std::pair<std::size_t, int>> pairs = {{2, 5}, {0, 1}, {2, 3}, {2, 4}, {0, 9}};
    const Grouped<int> grouped(4, [&](const auto& add) {
        for (const auto& [key, item] : pairs)
            add(key, item);
    });
    const auto of = [&grouped](std::size_t key) {
        return std::vector<int>(grouped[key].begin(), grouped[key].end());
    };
    QCOMPARE(grouped.size(), std::size_t{4});
    QCOMPARE(of(0), (std::vector<int>{1, 9}));
    QCOMPARE(of(1), std::vector<int>());
    QCOMPARE(of(2), (std::vector<int>{5, 3, 4}));
    QCOMPARE(of(3), std::vector<int>());
}

void tst_Lists::groupedOfNothingIsEmpty()
{
    QCOMPARE(Grouped<int>().size(), std::size_t{0});
    const Grouped<int> none(0, [](const auto&) {});
    QCOMPARE(none.size(), std::size_t{0});
}

QTEST_APPLESS_MAIN(tst_Lists)
#include "tst_lists.moc"
