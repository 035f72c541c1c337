// Contexts of samples of one to three bytes, the highest first: where forecasts lie, seen from what
// is known of the sample, how far they may be off, and the samples before. What stands before the
// samples has contexts of its last bytes.
#pragma once

#include "libcore/codec/adaptive/forecast_chance.hpp"
#include "libcore/codec/adaptive/form.hpp"
#include "libcore/codec/adaptive/past.hpp"
#include "libcore/codec/adaptive/pixel_values.hpp"
#include "libcore/codec/adaptive/sample_forecast.hpp"

#include <cmath>

namespace logpx::codec::adaptive {

template <Level level>
class SampleContexts {
 public:
  static constexpr int count = level == Level::best ? 16 : 16, first_seen = 0, last_seen = 16;
  static constexpr Level level_of = level;
  static constexpr int mixer_rate = 40;
  static constexpr int chances = SampleForecast::ways;
  static constexpr int spreads = 32;
  static constexpr int rows = (SampleForm::most_bytes + 1) * spreads * 8;

  explicit SampleContexts(const Form& form)
      : bytes_(form.samples.bytes),
        step_(form.samples.frame()),
        above_(form.row != 0 ? form.row : 2 * step_),
        head_(form.samples.offset),
        place_(head_ > 0 ? in_head : 0),
        forecast_(form) {}

  void begin(const Past& past) {
    if (head_ == 0) begin_sample(past);
  }
  void next_byte(const Past& past, std::uint8_t byte) {
    if (past.position <= head_) {
      if (past.position == head_) begin_sample(past);
      return;
    }
    for (ForecastChance& chance : chances_) chance.learn(byte & 1);
    known_ = known_ << 8 | byte;
    if (++place_ < bytes_) return look();
    forecast_.learn(known_);
    begin_sample(past);
  }

  void hashes(const Past& past, std::uint32_t* h) const {
    if (place_ == in_head) return head_hashes(past, h);
    std::uint32_t i = 0;
    const auto add = [&](auto... values) {
      std::uint64_t all = place_;
      ((all = all << 14 | static_cast<std::uint64_t>(values)), ...);
      h[i] = hash_of(all, i);
      ++i;
    };
    const int last = past.back(step_), above = past.back(above_);
    const int mean = seen_[mean_way], fit = seen_[0], recent = seen_[2], s = spread_;
    if (place_ == 0) {
      add(mean >> 5), add(mean >> 3, s);
      add(fit >> 2), add(s, mean >> 5, 0);
      add(mean), add(last, mean >> 5);
      add(0), add(fit >> 4, s);
      add(form_in_time() ? past.back(1) : above, mean >> 5, 0), add(mean >> 1, s / 2);
      add(last, above, 0, 0), add(recent >> 2);
      add(fit >> 4, recent >> 4, 0), add(recent >> 4, s);
      add(forecast_.channel(), mean >> 4), add(fit >> 1);
    } else {
      const std::uint32_t before = known_ & 255;
      add(mean >> 5), add(mean >> 6, s);
      add(fit >> 5), add(s, mean >> 8);
      add(before, last, 0), add(mean >> 7, s / 2);
      add(0), add(fit >> 7, s);
      add(recent >> 5), add(fit >> 7, recent >> 7, 0);
      add(last, above, before, 0), add(before, above);
      add(last, mean >> 9, 0), add(recent >> 7, s);
      add(mean >> 7, forecast_.channel(), 0), add(mean >> 8, s, above, 0);
    }
  }
  [[nodiscard]] std::uint32_t chance(int way, unsigned whole, int bit_number) {
    if (place_ == in_head) return unknown_chance;
    ForecastChance& chance = chances_[static_cast<std::size_t>(way)];
    if (bit_number > 0) chance.learn(static_cast<int>(whole & 1));
    return chance_of_count(chance.next(), fixed_count);
  }
  [[nodiscard]] int row(const Past&, unsigned, int bit_number) const {
    return (static_cast<int>(place_) * spreads + spread_) * 8 + bit_number;
  }
  [[nodiscard]] std::uint32_t narrow(const Past& past) const {
    return place_ == in_head ? past.last(1)
                             : static_cast<std::uint32_t>(seen_[mean_way] >> 5) & 255;
  }
  [[nodiscard]] std::uint32_t wide(const Past& past) const {
    return place_ == in_head ? past.last(2)
                             : narrow(past) | static_cast<std::uint32_t>(spread_) << 8 |
                                   static_cast<std::uint32_t>(place_) << 14;
  }

 private:
  static constexpr std::size_t in_head = SampleForm::most_bytes, mean_way = SampleForecast::mean;
  static constexpr int parts = 32;  // of a step between two values of a byte

  [[nodiscard]] bool form_in_time() const { return above_ == 2 * step_; }

  void begin_sample(const Past& past) {
    place_ = 0;
    known_ = 0;
    forecast_.foretell(past);
    const int bits = 8 * static_cast<int>(bytes_);
    for (std::size_t k = 0; k < chances_.size(); ++k)
      chances_[k].begin(forecast_.value(k), std::max(0.45, 0.62 * forecast_.error(k)), bits);
    const double off = forecast_.error(mean_way);
    spread_ = 0;
    for (double limit = 0.9; spread_ < spreads - 1 && off > limit; limit *= 1.6) ++spread_;
    look();
  }
  // Where forecasts lie, in parts of this byte's steps from what is known of the sample.
  void look() {
    constexpr std::int64_t least = -300 * parts, most = 600 * parts;
    const int shift = 8 * static_cast<int>(bytes_ - 1 - place_);
    for (std::size_t k = 0; k < seen_.size(); ++k) {
      const auto value = static_cast<std::int64_t>(std::floor(forecast_.value(k) * parts + 0.5));
      const std::int64_t known = (std::int64_t{known_} << (shift + 8)) * parts;
      seen_[k] = static_cast<int>(std::clamp((value - known) >> shift, least, most) - least);
    }
  }
  static void head_hashes(const Past& past, std::uint32_t* h) {
    const std::uint64_t c4 = past.last4, c8 = c4 | std::uint64_t{past.before4} << 32;
    std::uint32_t n = 0;
    const auto add = [&](std::uint64_t value) { h[n] = hash_of(~value, n), ++n; };
    for (int bytes = 0; bytes < 8; ++bytes) add(c8 & ((std::uint64_t{1} << 8 * bytes) - 1));
    for (const std::uint64_t mask :
         {0xff00ull, 0xff0000ull, 0xffff00ull, 0xff00ffull, 0xff000000ull, 0xffff0000ull,
          0xf0f0f0f0ull, 0xffffffffffffffffull})
      add(c8 & mask);
  }

  std::size_t bytes_, step_, above_, head_;
  std::size_t place_;  // of the next byte in its sample
  SampleForecast forecast_;
  std::array<ForecastChance, chances> chances_;
  std::array<int, chances> seen_ = {};
  std::uint32_t known_ = 0;
  int spread_ = 0;
};

}  // namespace logpx::codec::adaptive
