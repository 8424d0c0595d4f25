// SPDX-License-Identifier: MIT
// What the module reinspect-cuda offers: memory, copies and kernels over strided arrays, in plain structs, so that it
// links nothing of core and core nothing of CUDA. gpu_device.h makes a Device of it; tests have one that works on
// the host's memory.
//
// Calls queue work on one stream and come back at once, unless said otherwise. They answer null, or a sentence that
// lives until the next call. Sizes and strides count elements; a size of 0 is allowed everywhere.
#pragma once

#include "core/exec/element_difference.h"

#include <cstddef>
#include <cstdint>

namespace reinspect::gpu
{

inline constexpr std::uint32_t kApiVersion = 2;
inline constexpr int kMostDimensions = 8;
inline constexpr int kMostOperands = 4;
inline constexpr int kMostIndices = 6;

struct Facts
{
    char name[256];
    int major = 0; // compute capability
    int minor = 0;
    std::int64_t totalBytes = 0;
    std::int64_t freeBytes = 0; // what the pools keep for later among them
};

enum class Pool : std::uint8_t
{
    Nodes,   // what the high-water mark counts
    Scratch, // inputs, and the business of single operators
};

struct Array
{
    void* data = nullptr; // the first element
    DType dtype = DType::Unknown;
    int width = 0; // bytes of an element
    int rank = 0;
    std::int64_t sizes[kMostDimensions] = {};
    std::int64_t strides[kMostDimensions] = {};
};

// Of exec::ComputeKind: what functions compute in.
enum class Kind : std::uint8_t
{
    Float,
    Double,
    Integer,
};

struct PointwiseOperand
{
    const void* data = nullptr; // null: a number
    DType dtype = DType::Unknown;
    std::int64_t strides[kMostDimensions] = {}; // along the result's dimensions; 0 where broadcast
    double real = 0;                            // the number
    std::int64_t whole = 0;
    DType roundTo = DType::Unknown; // a cast comes first that rounds; Unknown: none
};

struct PointwiseCall
{
    std::uint16_t function = 0; // of exec::Pointwise
    Kind kind = Kind::Float;
    int count = 0; // of operands
    Array result;
    PointwiseOperand operands[kMostOperands];
};

enum class Reduction : std::uint8_t
{
    Sum,
    Mean,
    Product,
    Largest, // NaN wins
    Least,
    PlaceOfLargest, // the first of equals
    PlaceOfLeast,
    Any,
    All,
    Variance, // `parameter` is taken off the count
    Deviation,
    SumOfExponentials, // of x - largest
    LogSumExp,
};

struct ReductionCall
{
    Reduction function = Reduction::Sum;
    Kind kind = Kind::Float;
    double parameter = 0;
    Array result; // the kept dimensions
    Array input;  // the kept dimensions, then the reduced ones
};

enum class LineFunction : std::uint8_t
{
    Softmax,
    SafeSoftmax, // a line of nothing but -inf gives zeros
    LogSoftmax,
    SoftmaxGradient, // of (gradient, result)
    LogSoftmaxGradient,
    RunningSum,
    RunningProduct,
};

// Along the last dimension.
struct LineCall
{
    LineFunction function = LineFunction::Softmax;
    Kind kind = Kind::Float;
    Array result;
    Array input;
    Array second; // of the gradients
};

struct MatrixCall
{
    Array result; // [batch, m, n]
    Array a;      // [batch, m, k]; one of the last two strides is 1
    Array b;      // [batch, k, n]; one of the last two strides is 1
    double alpha = 1;
    double beta = 0; // of what the result holds before; 0 hides even NaN
};

enum class IndexUse : std::uint8_t
{
    Read,
    Write, // of several values for one place the first stays, up to a number of places
    Add,
    Combine, // always the same, in the order of the values
};

enum class Combination : std::uint8_t
{
    Last,
    Sum, // floats in double, rounded once; whole numbers wrap
    Mean,
    Product,
    Largest, // NaN wins
    Least,
};

struct IndexColumn
{
    const void* data = nullptr;
    DType dtype = DType::Unknown;
    std::int64_t strides[kMostDimensions] = {}; // along the shape
    std::int64_t size = 0;                      // of the indexed dimension
    std::int64_t step = 0;                      // its stride in the tensor
    int dimension = 0;                          // for messages
};

// Element (before, place, after) of `values` and the tensor's element at the sum of the three offsets. `place` runs
// over `shape`, and its offset is what the columns name plus the shape's own strides in the tensor.
struct IndexCall
{
    IndexUse use = IndexUse::Read;
    DType dtype = DType::Unknown;
    int width = 0;          // bytes of an element
    void* tensor = nullptr; // its first element
    void* values = nullptr; // row by row
    int beforeRank = 0;
    std::int64_t before[kMostDimensions] = {};
    std::int64_t beforeStrides[kMostDimensions] = {};
    int shapeRank = 0;
    std::int64_t shape[kMostDimensions] = {};
    std::int64_t shapeStrides[kMostDimensions] = {};
    int afterRank = 0;
    std::int64_t after[kMostDimensions] = {};
    std::int64_t afterStrides[kMostDimensions] = {};
    int columns = 0;
    IndexColumn column[kMostIndices];
    bool countsFromEnd = true; // negative indices
    Combination combination = Combination::Last;
    bool includesOld = true; // what the tensor holds before is one of the values
};

enum class Draw : std::uint8_t
{
    Uniform, // a + b * [0, 1)
    Normal,  // a + b * n
    Whole,   // low + bits % span
    Count,   // nothing random: a + b * place
    Seed,    // 63 bits, as int64
};

struct RandomCall
{
    Draw draw = Draw::Uniform;
    std::uint64_t seed = 0;
    std::uint64_t stream = 0;
    const std::int64_t* streamFrom = nullptr; // on the device, in place of `stream`
    double a = 0;
    double b = 1;
    std::int64_t low = 0;
    std::uint64_t span = 1;
    Array result;
};

struct SortCall
{
    Array input;  // [lines, length], row by row
    Array values; // the same
    Array places; // int64, the same
    bool descends = false;
};

enum class WindowUse : std::uint8_t
{
    Mean,            // of each window of `input` (large)
    MeanGradient,    // of `input` (small), for the large side
    Largest,         // and where it is, in `places`; NaN wins
    LargestGradient, // `input` (small) goes to the `places`, for the large side
    PlaceOfOffset, // `input` (small): places in the kernel; the result: on the large side, -1 outside
    Unfold,        // `result` holds what each window sees of `input` (large), 0 outside
    Fold,          // the reverse, added up; `input` is what Unfold gives
};

// Windows that slide over the last three dimensions. The large side is what they see, [batch, channels, spatial...], the
// small side has an element for each, [batch, channels, windows...]; what is unfolded is [channels, kernel..., batch,
// windows...]. Spatial dimensions that are not there have a size of 1.
struct WindowCall
{
    WindowUse use = WindowUse::Mean;
    Kind kind = Kind::Float; // of Fold; everything else is computed in double
    std::int64_t kernel[3] = {1, 1, 1};
    std::int64_t stride[3] = {1, 1, 1};
    std::int64_t padding[3] = {};
    std::int64_t dilation[3] = {1, 1, 1};
    bool isAdaptive = false; // window i of n sees [i * large / n, ((i + 1) * large) / n rounded up)
    bool countsPadding = false;  // by a mean
    std::int64_t divisor = 0;    // of a mean; 0: how many elements there are
    bool placesInKernel = false; // otherwise on the large side
    Array result;
    Array input;
    Array places; // PlaceOfOffset: only its sizes, those of the large side
};

struct CompareCall
{
    Array expected; // equal sizes, one dtype
    Array found;
    Kind kind = Kind::Double;      // Integer: as whole numbers
    exec::DifferenceLimits limits; // the scale is worked out: of `expected`
};

struct KernelLaunch
{
    const char* ptx = nullptr; // text, ends with 0
    const char* entry = nullptr;
    unsigned grid[3] = {1, 1, 1};
    unsigned threads = 32;
    unsigned sharedBytes = 0;
    void** parameters = nullptr;
};

// The first index that was out of range, in a run.
struct IndexFault
{
    int node = -1; // by beginNode(); -1: none
    int dimension = 0;
    std::int64_t index = 0;
    std::int64_t size = 0;
};

class Api
{
public:
    virtual ~Api() = default;
    virtual const Facts& facts() = 0;

    virtual void* allocate(std::int64_t bytes, Pool pool) = 0; // null: there is not so much
    virtual void release(void* data, Pool pool) = 0;
    virtual void resetPeak() = 0;
    // Of Pool::Nodes since then, over what it held then; waits.
    virtual std::int64_t peakBytes() = 0;
    // Repeats the first `width` bytes of `pattern`.
    virtual const char* fill(void* data, std::int64_t bytes, std::uint64_t pattern, int width) = 0;
    virtual const char* upload(void* to, const void* from, std::int64_t bytes) = 0;   // waits
    virtual const char* download(void* to, const void* from, std::int64_t bytes) = 0; // waits

    virtual const char* copy(const Array& to, const Array& from) = 0; // nothing overlaps
    virtual bool runs(std::uint16_t function, Kind kind) = 0;
    virtual const char* pointwise(const PointwiseCall& call) = 0;
    virtual const char* reduce(const ReductionCall& call) = 0;
    virtual const char* lines(const LineCall& call) = 0;
    virtual const char* multiply(const MatrixCall& call) = 0;
    // Products of float32 matrices may round their operands to TF32 from now on. Not allowed at first.
    virtual void allowTf32(bool allowed) = 0;
    virtual bool allowsTf32() const = 0;
    virtual const char* index(const IndexCall& call) = 0;
    // Which of the flags, of one byte each, are not 0: their numbers, in order, and how many. `places` has room for all.
    virtual const char* select(const void* flags, std::int64_t count, std::int64_t* places,
                               std::int64_t& found) = 0; // waits
    virtual const char* window(const WindowCall& call) = 0;
    virtual const char* random(const RandomCall& call) = 0;
    virtual const char* sort(const SortCall& call) = 0;
    virtual const char* launch(const KernelLaunch& launch) = 0;
    virtual const char* compare(const CompareCall& call,
                                exec::ElementDifferences& found) = 0; // waits
    virtual const char* digest(const Array& array,
                               std::uint64_t& sum) = 0; // of widths up to 8; waits

    virtual void beginNode(int node, bool times) = 0;
    virtual const char* finish(IndexFault& fault) = 0; // waits
    // What is queued from now on is recorded as a CUDA graph and does not run. Work that waits cannot be recorded.
    virtual const char* beginRecording() = 0;
    // Runs what was recorded `times` times, one after the other, and gives the seconds of each.
    virtual const char* replay(int times, double* seconds) = 0; // waits
    // Seconds between beginNode() calls of this run, `count` of them, the last up to finish().
    virtual void nodeSeconds(double* seconds, int count) = 0;
};

// What the module exports under the name "reinspectOpenGpu". Null: `message`, of at most `room` bytes, says why.
using OpenFunction = Api* (*)(std::uint32_t apiVersion, int device, char* message,
                              std::size_t room);

} // namespace reinspect::gpu
