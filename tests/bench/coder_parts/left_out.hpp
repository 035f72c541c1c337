// What takes the place of a part of the adaptive coder, so that it can be measured without it.
#pragma once

#include "libcore/codec/adaptive/lanes.hpp"
#include "libcore/codec/adaptive/parts.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace logpx::codec::adaptive {

// Contexts without some, by their numbers. The others keep their hashes.
template <typename Contexts, int... numbers>
class ContextsWithout : public Contexts {
  static constexpr bool kept(int i) { return ((i != numbers) && ...); }
  static constexpr int kept_before(int end) {
    int sum = 0;
    for (int i = 0; i < end; ++i) sum += kept(i);
    return sum;
  }

 public:
  static constexpr int count = kept_before(Contexts::count);
  static constexpr int first_seen = kept_before(Contexts::first_seen),
                       last_seen = kept_before(Contexts::last_seen),
                       first_rare = kept_before(first_rare_of<Contexts>());
  static_assert(count == Contexts::count - static_cast<int>(sizeof...(numbers)));

  using Contexts::Contexts;
  void hashes(const Past& past, std::uint32_t* h) const {
    std::uint32_t all[Contexts::count];
    Contexts::hashes(past, all);
    for (int i = 0, n = 0; i < Contexts::count; ++i)
      if (kept(i)) h[n++] = all[i];
  }
  // Flat pixels keep the first contexts.
  void flat_hashes(const Past& past, std::uint32_t* h) const requires(flat_pixel<Contexts>() > 0) {
    std::uint32_t all[Contexts::count];
    Contexts::flat_hashes(past, all);
    std::copy_n(all, count, h);
  }
};

struct NoRepeats : MatchModel {
  using MatchModel::MatchModel;
  void next_byte(const Past&, std::uint8_t) {}
  static int expected(const Past&, unsigned, int) { return -1; }
};

// Histories that mean what they did at first, in every context.
template <int count, int first_rare>
class FixedHistories : public Histories<count, first_rare> {
  using Learned = Histories<count, first_rare>;

 public:
  using Learned::Learned;
  std::uint32_t predict(int i, unsigned node) { return given_[i] = Learned::predict(i, node); }
  void learn(unsigned node, int bit, const std::uint32_t*) { Learned::learn(node, bit, given_); }

 private:
  std::uint32_t given_[count];
};

// Where trees have no check, all contexts that share a place share its histories.
class UncheckedTable {
 public:
  explicit UncheckedTable(std::size_t lines) : lines_(lines), room_(lines * 64) {}
  void prefetch(std::uint32_t hash) const { __builtin_prefetch(line(hash), 1); }
  std::uint8_t* find(std::uint32_t hash, unsigned sign) { return look(hash, sign); }
  [[nodiscard]] std::uint8_t* look(std::uint32_t hash, unsigned sign) const {
    return line(hash) + 16 * ((hash + sign) & 3);
  }
  static void put(std::uint32_t, unsigned, const std::uint8_t*) {}  // all have trees

 private:
  [[nodiscard]] std::uint8_t* line(std::uint32_t hash) const {
    return room_.data() + (std::uint64_t{hash} * lines_ >> 32) * 64;
  }
  std::uint64_t lines_;
  Room room_;
};

// The sets of weights without some, by their numbers.
template <int... left_out>
struct SetsWithout {
  static constexpr int number = sizeof...(left_out);
  // The number that a set has among those which are kept; -1: it is none of them.
  static constexpr int among_kept(int set) {
    return ((set == left_out) || ...) ? -1 : set - (0 + ... + (left_out < set));
  }

  template <int inputs, int sets, typename Lanes>
  struct Weights : MixerSets<inputs, sets - number, Lanes> {
    using Base = MixerSets<inputs, sets - number, Lanes>;
    Weights(const std::array<int, sets>& rows, int weight) : Base(rows_kept(rows), weight) {}
    void select(int set, int row) {
      if (among_kept(set) >= 0) Base::select(among_kept(set), row);
    }
    static std::array<int, sets - number> rows_kept(const std::array<int, sets>& rows) {
      std::array<int, sets - number> kept{};
      for (int k = 0; k < sets; ++k)
        if (among_kept(k) >= 0)
          kept[static_cast<std::size_t>(among_kept(k))] = rows[static_cast<std::size_t>(k)];
      return kept;
    }
  };
  template <int sets>
  using LastWeights = LastMixer<sets - number>;
};

template <int sets>
struct MeanOfSets {
  explicit MeanOfSets(int) {}
  void select(int) {}
  static int mix(const int* y) {
    int sum = 0;
    for (int k = 0; k < sets; ++k) sum += y[k];
    return sum / sets;
  }
  void learn(const int*, int) {}
};

// A mixer that sees of the second half of its inputs the last alone, which is always the same.
template <typename Lanes>
struct LogitLanes : Lanes {
  static int weighted_sum(const std::int16_t* x, const std::int16_t* w, int count) {
    return Lanes::weighted_sum(x, w, count / 2) + (x[count - 1] * w[count - 1] >> 8);
  }
  static void add_scaled(const std::int16_t* x, std::int16_t* w, int count, int scale) {
    Lanes::add_scaled(x, w, count / 2, scale);
    const int sum = w[count - 1] + (((x[count - 1] * 8 * scale >> 16) + 1) >> 1);
    w[count - 1] = static_cast<std::int16_t>(std::clamp(sum, -32768, 32767));
  }
};

struct NoCorrections {
  explicit NoCorrections(std::size_t) {}
  void begin_byte(std::uint32_t, std::uint32_t) {}
  static std::uint32_t refine(int logit, unsigned, int) {
    return static_cast<std::uint32_t>(std::clamp(chance_of(logit), 4, 65532));
  }
  void learn(int) {}
};

}  // namespace logpx::codec::adaptive
