// SPDX-License-Identifier: MIT
// Sampling of a picture at the places of a grid, and its gradients by picture and by place.
#include "core/exec/cubic.h"
#include "core/exec/joined_rows.h"
#include "core/exec/normalization.h"
#include "core/exec/operands.h"

#include <algorithm>

namespace reinspect::exec
{
namespace
{

enum class Blend : std::uint8_t
{
    Linear,
    Nearest,
    Cubic,
};

enum class Beyond : std::uint8_t
{
    Zeros,
    Border,
    Reflection,
};

struct Sampling
{
    Tensor input; // (batch, channels, height, width)
    Tensor grid;  // (batch, rows, columns, 2): x, then y, from -1 to 1
    Blend blend = Blend::Linear;
    Beyond beyond = Beyond::Zeros;
    bool alignsCorners = false;
    bool inFloat = false; // places are computed in float32, as they are for all but float64
};

Result<Sampling> samplingOf(const KernelCall& call)
{
    Sampling made;
    REINSPECT_TRY(made.input, call.tensor("input"));
    REINSPECT_TRY(made.grid, call.tensor("grid"));
    REINSPECT_TRY(const std::int64_t blend, call.integer("interpolation_mode"));
    REINSPECT_TRY(const std::int64_t beyond, call.integer("padding_mode"));
    const bool fits = made.input.rank() == 4 && made.grid.rank() == 4 && made.grid.sizes[3] == 2
        && made.grid.sizes[0] == made.input.sizes[0] && made.input.sizes[2] > 0
        && made.input.sizes[3] > 0;
    if (!fits || blend < 0 || blend > 2 || beyond < 0 || beyond > 2)
        return call.error("input " + tensorText(made.input) + " and grid " + tensorText(made.grid)
                          + ", modes " + std::to_string(blend) + " and " + std::to_string(beyond)
                          + " do not fit");
    if (!isFloating(made.input.dtype))
        return call.unsupported("not for dtype " + std::string(dtypeName(made.input.dtype)));
    made.blend = static_cast<Blend>(blend);
    made.beyond = static_cast<Beyond>(beyond);
    made.alignsCorners = call.flag("align_corners");
    made.inFloat = made.input.dtype != DType::Float64;
    return made;
}

// A place along one dimension and how fast it moves with the grid's number.
struct Coordinate
{
    double at = 0;
    double slope = 1;
};

Coordinate clipped(Coordinate place, double last)
{
    if (place.at <= 0)
        return {0, 0};
    return place.at >= last ? Coordinate{last, 0} : place;
}

// Thrown back at both ends as often as it takes.
Coordinate reflected(Coordinate place, double low, double high)
{
    if (low == high)
        return {0, 0};
    const double span = high - low;
    const bool isBelow = place.at < low;
    const double away = std::abs(place.at - low);
    const double rest = std::fmod(away, span);
    const bool isOdd = std::fmod(std::floor(away / span), 2) != 0;
    return {isOdd ? high - rest : low + rest, isBelow != isOdd ? -place.slope : place.slope};
}

Coordinate inside(const Sampling& how, Coordinate place, std::int64_t size)
{
    const auto last = static_cast<double>(size - 1);
    if (how.beyond == Beyond::Zeros)
        return place;
    if (how.beyond == Beyond::Border)
        return clipped(place, last);
    return clipped(
        how.alignsCorners ? reflected(place, 0, last) : reflected(place, -0.5, last + 0.5), last);
}

Coordinate coordinateOf(const Sampling& how, double number, std::int64_t size)
{
    const auto wide = static_cast<double>(size);
    Coordinate place;
    place.slope = how.alignsCorners ? (wide - 1) / 2 : wide / 2;
    if (how.inFloat)
    {
        const auto x = static_cast<float>(number);
        const auto s = static_cast<float>(size);
        place.at = how.alignsCorners ? (x + 1) / 2 * (s - 1) : ((x + 1) * s - 1) / 2;
    }
    else
        place.at =
            how.alignsCorners ? (number + 1) / 2 * (wide - 1) : ((number + 1) * wide - 1) / 2;
    if (!(std::abs(place.at) < 2147483646.0)) // NaN and what no integer holds
        place.at = -100;
    return place;
}

// One element along a dimension: what it counts, and how that changes with the grid's number.
struct Tap
{
    std::int64_t place = 0;
    double weight = 0;
    double slope = 0;
};

std::vector<Tap> tapsOf(const Sampling& how, double number, std::int64_t size)
{
    const Coordinate plain = coordinateOf(how, number, size);
    const auto isThere = [&](double place) {
        return place >= 0 && place < static_cast<double>(size);
    };
    std::vector<Tap> taps;
    const auto add = [&](double place, double weight, double slope) {
        if (isThere(place))
            taps.push_back({static_cast<std::int64_t>(place), weight, slope});
    };
    if (how.blend == Blend::Cubic)
    {
        const double low = std::floor(plain.at);
        const CubicWeights weights = cubicWeights(plain.at - low);
        const CubicWeights slopes = cubicSlopes(plain.at - low);
        for (std::size_t k = 0; k < 4; ++k)
            add(std::trunc(inside(how, {low - 1 + static_cast<double>(k), 1}, size).at), weights[k],
                slopes[k] * plain.slope);
        return taps;
    }
    const Coordinate at = inside(how, plain, size);
    if (how.blend == Blend::Nearest)
    {
        add(std::nearbyint(at.at), 1, 0);
        return taps;
    }
    const double low = std::floor(at.at);
    add(low, low + 1 - at.at, -at.slope);
    add(low + 1, at.at - low, at.slope);
    return taps;
}

// visit(batch, place of the grid, element of the plane, weight, slope by x, slope by y)
template<typename Visit>
void forEachTap(const Sampling& how, const std::vector<double>& grid, Visit&& visit)
{
    const std::int64_t places = how.grid.sizes[1] * how.grid.sizes[2];
    for (std::int64_t b = 0; b < how.input.sizes[0]; ++b)
        for (std::int64_t p = 0; p < places; ++p)
        {
            const auto at = static_cast<std::size_t>(2 * (b * places + p));
            const std::vector<Tap> across = tapsOf(how, grid[at], how.input.sizes[3]);
            const std::vector<Tap> down = tapsOf(how, grid[at + 1], how.input.sizes[2]);
            for (const Tap& y : down)
                for (const Tap& x : across)
                    visit(b, p, y.place * how.input.sizes[3] + x.place, x.weight * y.weight,
                          x.slope * y.weight, x.weight * y.slope);
        }
}

Result<Value> gridSampler(const KernelCall& call)
{
    REINSPECT_TRY(const Sampling how, samplingOf(call));
    const std::int64_t channels = how.input.sizes[1];
    REINSPECT_TRY(
        const Tensor result,
        call.result(how.input.dtype,
                    {how.input.sizes[0], channels, how.grid.sizes[1], how.grid.sizes[2]}));
    const std::vector<double> picture = readAll<double>(how.input);
    std::vector<double> sums(static_cast<std::size_t>(result.count()), 0);
    const std::int64_t plane = how.input.sizes[2] * how.input.sizes[3];
    const std::int64_t places = how.grid.sizes[1] * how.grid.sizes[2];
    forEachTap(how, readAll<double>(how.grid),
               [&](std::int64_t b, std::int64_t p, std::int64_t at, double weight, double, double) {
                   for (std::int64_t c = 0; c < channels; ++c)
                       sums[static_cast<std::size_t>((b * channels + c) * places + p)] += weight
                           * picture[static_cast<std::size_t>((b * channels + c) * plane + at)];
               });
    writeAll<double>(result, sums);
    return Value(result);
}

Result<Value> gridSamplerBackward(const KernelCall& call)
{
    REINSPECT_TRY(const Sampling how, samplingOf(call));
    REINSPECT_TRY(const Tensor grad, call.tensor("grad_output"));
    const std::int64_t channels = how.input.sizes[1];
    const Sizes wide{how.input.sizes[0], channels, how.grid.sizes[1], how.grid.sizes[2]};
    if (grad.sizes != wide)
        return call.error("a gradient " + tensorText(grad) + " for a result of " + sizesText(wide));
    const std::vector<double> picture = readAll<double>(how.input);
    const std::vector<double> above = readAll<double>(grad);
    std::vector<double> byPicture(picture.size(), 0);
    std::vector<double> byPlace(static_cast<std::size_t>(how.grid.count()), 0);
    const std::int64_t plane = how.input.sizes[2] * how.input.sizes[3];
    const std::int64_t places = how.grid.sizes[1] * how.grid.sizes[2];
    forEachTap(how, readAll<double>(how.grid),
               [&](std::int64_t b, std::int64_t p, std::int64_t at, double weight, double byX,
                   double byY) {
                   const auto place = static_cast<std::size_t>(2 * (b * places + p));
                   for (std::int64_t c = 0; c < channels; ++c)
                   {
                       const auto in = static_cast<std::size_t>((b * channels + c) * plane + at);
                       const double slope =
                           above[static_cast<std::size_t>((b * channels + c) * places + p)];
                       byPicture[in] += weight * slope;
                       byPlace[place] += byX * slope * picture[in];
                       byPlace[place + 1] += byY * slope * picture[in];
                   }
               });
    std::vector<Value> parts(2);
    if (isPartAsked(call, "output_mask", 0))
    {
        REINSPECT_TRY(const Tensor result, call.result(how.input.dtype, how.input.sizes, 0));
        writeAll<double>(result, byPicture);
        parts[0] = result;
    }
    REINSPECT_TRY(const Tensor result, call.result(how.grid.dtype, how.grid.sizes, 1));
    writeAll<double>(result, byPlace);
    parts[1] = result;
    return listOf(std::move(parts));
}

const KernelRow table[] = {
    {"aten.grid_sampler_2d.default", gridSampler},
    {"aten.grid_sampler_2d_backward.default", gridSamplerBackward},
};

} // namespace

std::span<const KernelRow> gridRows()
{
    return table;
}

} // namespace reinspect::exec
