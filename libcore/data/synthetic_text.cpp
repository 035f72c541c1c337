// Generators 14, 15 and 17: markov-text (letters), hmm-text and bytes.   [data/README 4.7]
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/data/markov.hpp"
#include "libcore/det/functions.hpp"

#include <algorithm>
#include <array>

namespace logpx {
namespace {

DatasetInfo text_info(const SyntheticOptions& options) {
  DatasetInfo info = discrete_info(Content::symbols, {*options.length}, *options.alphabet);
  info.alphabet = text_alphabet(*options.alphabet);
  info.has_true_logp = true;
  return info;
}

std::size_t power(std::size_t base, std::int64_t exponent) {
  std::size_t result = 1;
  while (exponent-- > 0) result *= base;
  return result;
}

// Each letter depends on the `order` letters before it; the first ones are drawn from the
// stationary distribution of contexts. A context is a number in base A, its oldest symbol first.
class MarkovText final : public Generator {
 public:
  MarkovText(const SyntheticOptions& options, std::int64_t order, DrawCursor structure)
      : order_(static_cast<std::size_t>(order)),
        symbols_(static_cast<std::size_t>(*options.alphabet)),
        contexts_(power(symbols_, order)),
        table_(contexts_, symbols_, 4, structure),
        initial_(stationary(table_, [this](std::size_t c, std::size_t s) { return after(c, s); })),
        initial_sum_(running_sum(initial_)) {
    info_ = text_info(options);
    double first = 0, rate = 0;
    for (std::size_t c = 0; c < contexts_; ++c) {
      if (initial_[c] > 0) first -= initial_[c] * det_log(initial_[c]);
      rate += initial_[c] * table_.row_entropy(c);
    }
    info_.entropy_nats = first + static_cast<double>(*options.length - order) * rate;
    info_.notes.emplace_back("entropy_rate_nats", to_text(rate));
  }

  void make(ExampleDraws& draws, Example& example) const override {
    std::size_t context = category_of(initial_sum_, draws.uniform53());
    for (std::size_t k = order_, rest = context; k-- > 0; rest /= symbols_)
      example.bytes[k] = static_cast<std::uint8_t>(rest % symbols_);
    for (std::size_t t = order_; t < example.bytes.size(); ++t) {
      const std::size_t symbol = table_.draw(context, draws);
      example.bytes[t] = static_cast<std::uint8_t>(symbol);
      context = after(context, symbol);
    }
  }

  [[nodiscard]] double log_p(const Example& example) const override {
    std::size_t context = 0;
    for (std::size_t t = 0; t < order_; ++t) context = context * symbols_ + example.bytes[t];
    double sum = det_log(initial_[context]);
    for (std::size_t t = order_; t < example.bytes.size(); ++t) {
      sum += det_log(table_.row(context)[example.bytes[t]]);
      context = after(context, example.bytes[t]);
    }
    return sum;
  }

 private:
  [[nodiscard]] std::size_t after(std::size_t context, std::size_t symbol) const {
    return (context * symbols_ + symbol) % contexts_;
  }

  std::size_t order_, symbols_, contexts_;
  RandomTable table_;
  std::vector<double> initial_, initial_sum_;
};

class HmmText final : public Generator {
 public:
  HmmText(const SyntheticOptions& options, DrawCursor structure)
      : chain_(static_cast<std::size_t>(*options.states),
               static_cast<std::size_t>(*options.alphabet), structure) {
    info_ = text_info(options);
  }
  void make(ExampleDraws& draws, Example& example) const override {
    chain_.draw(draws, example.bytes);
  }
  [[nodiscard]] double log_p(const Example& example) const override {
    return chain_.log_p(example.bytes);
  }

 private:
  HiddenChain chain_;
};

// Blocks of three kinds, for coders: letters of a hidden Markov model, records as programs write
// them, and bytes that nothing can compress.
class MixedBytes final : public Generator {
 public:
  MixedBytes(const SyntheticOptions& options, DrawCursor structure)
      : chain_(32, 27, structure), letters_(text_alphabet(27)) {
    info_ = discrete_info(Content::bytes, {*options.length}, 256);
    info_.has_labels = true;
    for (const std::string& kind : options.mixture) {
      const auto known = std::find(kinds.begin(), kinds.end(), kind);
      if (known == kinds.end()) refuse_option("mixture", kind, "english, binary or random");
      chosen_.push_back(static_cast<std::size_t>(known - kinds.begin()));
      info_.label_names.push_back(kind);
    }
    if (chosen_.size() == 1 && chosen_[0] == 2)
      info_.entropy_nats = static_cast<double>(*options.length) * det_log(256);
  }

  void make(ExampleDraws& draws, Example& example) const override {
    example.label =
        static_cast<std::int32_t>(draws.below(static_cast<std::uint32_t>(chosen_.size())));
    switch (chosen_[static_cast<std::size_t>(example.label)]) {
      case 0:
        chain_.draw(draws, example.bytes);
        for (std::uint8_t& byte : example.bytes) byte = static_cast<std::uint8_t>(letters_[byte]);
        break;
      case 1: write_records(draws, example.bytes); break;
      default: write_random(draws, example.bytes);
    }
  }

 private:
  static constexpr std::array<const char*, 3> kinds = {"english", "binary", "random"};

  static void put(std::span<std::uint8_t> bytes, std::size_t at, std::uint32_t value, int width) {
    for (std::size_t k = 0; k < static_cast<std::size_t>(width) && at + k < bytes.size(); ++k)
      bytes[at + k] = static_cast<std::uint8_t>(value >> (8 * k));
  }

  // 16 bytes, little-endian: time (u32), serial number (u32), price (u32), size (u16), kind, flags.
  static void write_records(DrawCursor& draws, std::span<std::uint8_t> bytes) {
    std::uint32_t time = 1'700'000'000 + draws.below(1'000'000), serial = draws.below(1'000'000);
    std::uint32_t price = 100'000 + draws.below(100'000);
    for (std::size_t at = 0; at < bytes.size(); at += 16) {
      put(bytes, at, time += draws.below(8), 4);
      put(bytes, at + 4, ++serial, 4);
      put(bytes, at + 8, price += draws.below(201) - 100, 4);
      put(bytes, at + 12, 100 * (1 + draws.below(10)), 2);
      put(bytes, at + 14, 1 + draws.below(3), 1);
      put(bytes, at + 15, draws.uniform() < 0.9 ? 0 : 1u << draws.below(8), 1);
    }
  }

  static void write_random(DrawCursor& draws, std::span<std::uint8_t> bytes) {
    for (std::size_t at = 0; at < bytes.size(); at += 4) put(bytes, at, draws.word(), 4);
  }

  HiddenChain chain_;
  std::vector<std::uint32_t> letters_;
  std::vector<std::size_t> chosen_;
};

}  // namespace

std::unique_ptr<Generator> make_markov_text(const SyntheticOptions& options, std::uint32_t number) {
  if (options.words) return make_word_text(options, number);
  const std::int64_t order = options.order.value_or(2);
  if (order > *options.length)
    refuse_option("length", std::to_string(*options.length), "at least the order");
  // 4 million entries: order 3 of 45 symbols.
  if (power(static_cast<std::size_t>(*options.alphabet), order + 1) > std::size_t{1} << 22)
    refuse_option("order", std::to_string(order),
                  "small enough for an alphabet of " + std::to_string(*options.alphabet));
  return std::make_unique<MarkovText>(options, order, structure_draws(options, number));
}

std::unique_ptr<Generator> make_hmm_text(const SyntheticOptions& options, std::uint32_t number) {
  return std::make_unique<HmmText>(options, structure_draws(options, number));
}

std::unique_ptr<Generator> make_bytes(const SyntheticOptions& options, std::uint32_t number) {
  return std::make_unique<MixedBytes>(options, structure_draws(options, number));
}

}  // namespace logpx
