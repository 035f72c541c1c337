// What many chances of a bit come to: a mixer weighs them by several sets of weights, a last one
// weighs what these say, and final maps correct that.   [codec/README 5.2]
#pragma once

#include "libcore/codec/adaptive/parts.hpp"
#include "libcore/codec/adaptive/room.hpp"

#include <cstdint>

namespace logpx::codec::adaptive {

template <typename Contexts, typename Lanes, typename Advice, typename Parts>
class Blend {
 public:
  static constexpr std::size_t flat_bytes = flat_pixel<Contexts>();
  static constexpr bool knows_flat = flat_bytes > 0 && Advice::inputs == 0;
  static constexpr int count = Contexts::count;
  // Contexts, the match, and chances that the contexts foretell; the last input is a constant.
  static constexpr int lanes = (count + 1 + chances_by_kind<Contexts>() + 15) / 16 * 16,
                       inputs = 2 * lanes + Advice::inputs;
  static constexpr int match_classes = 5, known_classes = 8;
  static constexpr int repeat_rows = match_classes * known_classes * 8;
  static constexpr auto rows =
      rows_of_sets<Contexts>(repeat_rows + (knows_flat ? known_classes : 0));
  static constexpr int own_sets = rows.size(), sets = own_sets + Advice::sets;

  explicit Blend(const Sizes& sizes, auto&... adviser)
      : mixer(Advice::sets_with(rows), (1 << weight_bits) * 3 / (count + 2)),
        advice_(adviser...),
        final_(sizes.rows) {
    advice_.begin(mixer, 2 * lanes, own_sets);
  }

  // From now on the adviser is asked.
  void speak() { advice_.speak(); }
  void begin_byte(std::uint32_t narrow, std::uint32_t wide, std::uint64_t position) {
    final_.begin_byte(narrow, wide);
    rate_ = Advice::rate_beside(Contexts::mixer_rate) +
            static_cast<int>(early_rate_of<Contexts>() * 2048 / (2048 + position));
  }
  // How many contexts know something of the bit, in classes.
  [[nodiscard]] static int class_of_known(int known) {
    constexpr int most = Contexts::last_seen - Contexts::first_seen;
    return most >= known_classes ? known * (known_classes - 1) / most : known;
  }
  // The row of the first set; -1: no bit of a byte comes next, but whether a pixel is equal.
  [[nodiscard]] static int row_of(int match_class, int known, int bit_number) {
    if (bit_number < 0) return repeat_rows + known;
    return (match_class * known_classes + known) * 8 + bit_number;
  }
  // `chance_of` says the chance of each lane.
  template <typename ChanceOf>
  void take(const ChanceOf& chance_of) {
    Lanes::template fill<lanes>(chances, chance_of);
    Lanes::inputs(chances, lanes, mixer.inputs_at());
  }
  // Once each set but the second has its row.
  [[nodiscard]] std::uint32_t chance(unsigned whole, int match_class) {
    mixer.select(1, static_cast<int>(whole));
    advice_.predict(mixer, mixer.inputs_at() + 2 * lanes, whole);
    mixer.mix(logits_);
    last_.select(static_cast<int>(whole));
    return final_.refine(last_.mix(logits_), whole, match_class);
  }
  // The chances of the lanes learn before what they came from does.
  void learn_lanes(int bit) { Lanes::learn(chances, lanes, bit); }
  void learn(int bit) {
    mixer.learn(logits_, bit, rate_);
    last_.learn(logits_, bit);
    final_.learn(bit);
    advice_.learn(bit);
  }

  typename Parts::template Weights<inputs, sets, Lanes> mixer;
  alignas(64) std::uint32_t chances[lanes];  // of the contexts, and of what a repeat foretells

 private:
  [[no_unique_address]] Advice advice_;
  typename Parts::template LastWeights<sets> last_{256};
  typename Parts::Corrections final_;
  int logits_[sets];
  int rate_ = 0;
};

}  // namespace logpx::codec::adaptive
