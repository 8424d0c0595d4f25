// SPDX-License-Identifier: MIT
#include "views/canvas/class_colors.h"

#include <algorithm>
#include <iterator>

namespace reinspect
{

namespace
{

constexpr QRgb kKinds[] = {0xff0072b2, 0xffe69f00, 0xff009e73, 0xffcc79a7, 0xff56b4e9,
                           0xffd55e00, 0xfff0e442, 0xff8a6fd1, 0xff9a7b4f, 0xff8c8c8c};
// From little to much: cividis, by eye, in seven steps.
constexpr QRgb kScale[] = {0xff00306f, 0xff39486b, 0xff60626e, 0xff848075,
                           0xffa89d6f, 0xffd0be5d, 0xfffde737};

QColor mixed(const QColor& a, const QColor& b, double share)
{
    const auto channel = [share](int x, int y) {
        return static_cast<int>(x * share + y * (1 - share) + 0.5);
    };
    return {channel(a.red(), b.red()), channel(a.green(), b.green()), channel(a.blue(), b.blue())};
}

} // namespace

ClassColor classColor(const Theme& theme, std::size_t index, std::size_t count, bool isScale)
{
    constexpr double kReadable = 4.5; // WCAG AA
    ClassColor color;
    if (isScale)
    {
        const std::size_t last = std::size(kScale) - 1;
        const std::size_t step = count < 2 ? last : index * last / (count - 1);
        // Much stands out: dark on a light theme, light on a dark one.
        color.strong = QColor(kScale[theme.isDark() ? step : last - step]);
    }
    else
    {
        color.strong = QColor(kKinds[index % std::size(kKinds)]);
    }
    const QColor& background = theme.color(Surface::Panel);
    double share = 0.55;
    do
    {
        color.fill = mixed(color.strong, background, share);
        share -= 0.05;
    } while (share > 0.05
             && (contrast(theme.color(Surface::Text), color.fill) < kReadable
                 || contrast(theme.color(Surface::FaintText), color.fill) < 3));
    return color;
}

} // namespace reinspect
