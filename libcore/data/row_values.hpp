// Rows as models take them: floats, images with channels first, made by rule from what is stored.
//
// What is random is addressed by the row's number in its dataset, so that every tool sees the same
// bits of the same row.   [data/README 2]
#pragma once

#include "libcore/base/rng.hpp"
#include "libcore/data/binarise.hpp"
#include "libcore/data/dataset.hpp"
#include "libcore/data/ycocg.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx {

// Uniform dequantisation: a level k becomes a real number in [k, k+1).   [data/README 2.2]

// The noise of one epoch of training, and that of every evaluation.
[[nodiscard]] Substream training_dequantisation(Rng rng, std::uint32_t epoch);
[[nodiscard]] Substream evaluation_dequantisation();

// level + u, never rounded up to the next level.
[[nodiscard]] float dequantised_value(float level, double u);

// x[i] += u, with u the uniform of element first_element + i; dimension j of row r of the dataset
// is element r * dims + j. Never rounds up to the next level.
void dequantise(std::span<float> x, std::uint64_t first_element, Substream noise);

// The place among a model's dimensions of stored element i.
class ChannelsFirst {
 public:
  explicit ChannelsFirst(const DatasetInfo& info)
      : channels_(info.content == Content::image ? static_cast<std::size_t>(info.shape.back()) : 1),
        pixels_(static_cast<std::size_t>(info.dims()) / channels_) {}
  [[nodiscard]] std::size_t operator()(std::size_t i) const {
    return channels_ == 1 ? i : i % channels_ * pixels_ + i / channels_;
  }

 private:
  std::size_t channels_, pixels_;
};

enum class Dequantise { none, uniform };

// What becomes of k = 0..n-1:  stored: k;  unit: k/(n-1), dequantised (k+u)/n. Reals are kept.
enum class ValueScale { stored, unit };

struct RowRules {
  Binarisation binarise = {};
  Dequantise dequantise = Dequantise::none;
  ValueScale scale = ValueScale::stored;
  std::uint64_t static_seed = 1;          // of the draw for `static` and for every evaluation
  Standardisation columns = {};           // of real data that are not binarised
  Transform transform = Transform::none;  // of pictures whose values stay as they are stored
};

// Random bits of one pass over the data.
struct RowNoise {
  Substream bits, dequantisation;
};
[[nodiscard]] RowNoise training_noise(const RowRules& rules, Rng rng, std::uint32_t epoch);
[[nodiscard]] RowNoise evaluation_noise(const RowRules& rules);

// Whether values can be probabilities of bits: pictures of 256 levels, reals with domain [0, 1].
[[nodiscard]] bool holds_grey(const DatasetInfo& info);

// A usage error where a rule makes no sense for the data: binarisation of anything but grey values,
// dequantisation of what is continuous, a transform of anything but RGB bytes.
void check_rules(const DatasetInfo& info, const RowRules& rules);

// Row `from` of `rows`, which is row `number` of its dataset, to out [dims]. Real values outside of
// [0, 1] that a draw would binarise are a data error.
struct RowAt {
  std::int64_t from = 0, number = 0;
};
void row_values(const DatasetInfo& info, const Rows& rows, RowAt at, const RowRules& rules,
                const RowNoise& noise, std::span<float> out);

// The way back, for a row that a model made with channels first: in the order of the dataset and in
// its units (unit values times n-1, columns with their deviations and means, colours as RGB).
[[nodiscard]] std::vector<float> stored_order(const DatasetInfo& info, const RowRules& rules,
                                              std::span<const float> values);
// Rows as they are stored, in their order and units: [count, dims].
[[nodiscard]] std::vector<float> stored_values(const DatasetInfo& info, const Rows& rows);
// Puts stored_order() into row `to` of `rows` in the dataset's element type; levels are rounded and
// kept in range.
void store_values(const DatasetInfo& info, const RowRules& rules, std::span<const float> values,
                  std::int64_t to, Rows& rows);

}  // namespace logpx
