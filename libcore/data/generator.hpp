// What every generator of built-in data implements: one example from its own random words.
// [data/README 4.1]
#pragma once

#include "libcore/data/dataset.hpp"
#include "libcore/data/synthetic_options.hpp"
#include "libcore/det/draws.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace logpx {

// The words of example i: blocks i * 2^20 onwards of the generator's substream.
class ExampleDraws : public DrawCursor {
 public:
  static constexpr std::uint64_t blocks_per_example = std::uint64_t{1} << 20;

  ExampleDraws(Substream substream, std::int64_t index)
      : DrawCursor(substream, static_cast<std::uint64_t>(index) * blocks_per_example),
        substream_(substream),
        index_(index) {}

  [[nodiscard]] std::int64_t index() const { return index_; }
  [[nodiscard]] ExampleDraws of(std::int64_t other) const { return {substream_, other}; }
  [[nodiscard]] bool within_range() const {
    return blocks_end() <= static_cast<std::uint64_t>(index_ + 1) * blocks_per_example;
  }

 private:
  Substream substream_;
  std::int64_t index_;
};

// Tables and means that all examples share: blocks 2^63 onwards, under a seed of their own.
[[nodiscard]] inline DrawCursor structure_draws(const SyntheticOptions& options,
                                                std::uint32_t number) {
  return DrawCursor(Substream(options.structure_seed, Stream::synthetic, number),
                    std::uint64_t{1} << 63);
}

// Where one example is written: x as bytes or reals by the element type of the dataset.
struct Example {
  std::span<std::uint8_t> bytes;
  std::span<float> reals;
  std::span<float> latent;
  std::int32_t label = 0, length = 0;  // length: where rows end early
};

class Generator {
 public:
  virtual ~Generator() = default;
  virtual void make(ExampleDraws& draws, Example& example) const = 0;
  // Called once, before any example is made, for what the seed decides for all of them.
  virtual void arrange(const Substream&) {}
  // log p of the example's x; called only if info().has_true_logp.
  [[nodiscard]] virtual double log_p(const Example& example) const;

  [[nodiscard]] const DatasetInfo& info() const { return info_; }
  // Set by generators that make a whole table: n must be this.
  [[nodiscard]] std::optional<std::int64_t> fixed_n() const { return fixed_n_; }
  // Set by generators with so many rows at most, which is also the default.
  [[nodiscard]] std::optional<std::int64_t> most_n() const { return most_n_; }

 protected:
  DatasetInfo info_;
  std::optional<std::int64_t> fixed_n_, most_n_;
};

// The start of an info() of discrete examples in bytes; real_vectors() is that of continuous ones.
[[nodiscard]] DatasetInfo discrete_info(Content content, std::vector<std::int64_t> shape,
                                        std::int64_t levels);

// Refuses a value of an option: "--size: '9' is not one of 28, 14, 8".
[[noreturn]] void refuse_option(const std::string& option, const std::string& value,
                                const std::string& expected);

using MakeGenerator = std::unique_ptr<Generator>(const SyntheticOptions&, std::uint32_t number);
MakeGenerator make_digits, make_faces28, make_scenes, make_gray8;
MakeGenerator make_gauss, make_mixture, make_shapes2d;
MakeGenerator make_bars, make_parity, make_bernoulli_mix, make_tree, make_even, make_hub;
MakeGenerator make_markov_text, make_hmm_text, make_bytes, make_molecules, make_table;

}  // namespace logpx
