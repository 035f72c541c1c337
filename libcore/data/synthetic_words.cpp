// markov-text --words: a chain of common words joined by single spaces; rows may end inside a word.
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/data/common_words.hpp"
#include "libcore/data/markov.hpp"
#include "libcore/det/functions.hpp"

#include <limits>
#include <string_view>

namespace logpx {
namespace {

// A place in the text: a word and a position in it, of which the last is the space that follows.
struct WordPlace {
  std::size_t word, position;
  double p;
};

class WordText final : public Generator {
 public:
  WordText(const SyntheticOptions& options, DrawCursor structure)
      : table_(common_words.size(), common_words.size(), 4, structure),
        frequency_(stationary(table_, [](std::size_t, std::size_t j) { return j; })) {
    info_ = discrete_info(Content::symbols, {*options.length}, 27);
    info_.alphabet = text_alphabet(27);
    info_.has_true_logp = true;
    double mean_length = 0, per_word = 0;
    for (std::size_t w = 0; w < common_words.size(); ++w) {
      std::vector<std::uint8_t>& letters = spelled_.emplace_back();
      for (const char c : std::string_view(common_words[w]))
        letters.push_back(static_cast<std::uint8_t>(c - 'a' + 1));
      letters.push_back(0);
      mean_length += frequency_[w] * static_cast<double>(letters.size());
      per_word += frequency_[w] * table_.row_entropy(w);
    }
    for (std::size_t w = 0; w < spelled_.size(); ++w)
      for (std::size_t k = 0; k < spelled_[w].size(); ++k)
        places_.push_back({w, k, frequency_[w] / mean_length});
    for (const WordPlace& place : places_)
      places_sum_.push_back((places_sum_.empty() ? 0 : places_sum_.back()) + place.p);
    info_.notes.emplace_back("entropy_rate_nats", to_text(per_word / mean_length));
  }

  void make(ExampleDraws& draws, Example& example) const override {
    WordPlace at = places_[category_of(places_sum_, draws.uniform53())];
    for (std::uint8_t& symbol : example.bytes) {
      if (at.position == spelled_[at.word].size()) at = {table_.draw(at.word, draws), 0, 0};
      symbol = spelled_[at.word][at.position++];
    }
  }

  // The forward algorithm over the places that agree with the row so far: few, after a space.
  [[nodiscard]] double log_p(const Example& example) const override {
    std::vector<WordPlace> active = places_;
    double sum = 0;
    for (std::size_t t = 0; t < example.bytes.size(); ++t) {
      if (t > 0) active = step(active);
      double scale = 0;
      std::vector<WordPlace> agreeing;
      for (const WordPlace& place : active)
        if (spelled_[place.word][place.position] == example.bytes[t] && place.p > 0) {
          agreeing.push_back(place);
          scale += place.p;
        }
      if (!(scale > 0)) return -std::numeric_limits<double>::infinity();
      for (WordPlace& place : agreeing) place.p /= scale;
      sum += det_log(scale);
      active = std::move(agreeing);
    }
    return sum;
  }

 private:
  [[nodiscard]] std::vector<WordPlace> step(const std::vector<WordPlace>& active) const {
    std::vector<WordPlace> next;
    std::vector<double> starts(spelled_.size(), 0.0);
    bool any_start = false;
    for (const WordPlace& place : active) {
      if (place.position + 1 < spelled_[place.word].size()) {
        next.push_back({place.word, place.position + 1, place.p});
        continue;
      }
      any_start = true;
      const std::span<const double> row = table_.row(place.word);
      for (std::size_t w = 0; w < starts.size(); ++w) starts[w] += place.p * row[w];
    }
    if (any_start)
      for (std::size_t w = 0; w < starts.size(); ++w) next.push_back({w, 0, starts[w]});
    return next;
  }

  RandomTable table_;
  std::vector<double> frequency_;
  std::vector<std::vector<std::uint8_t>> spelled_;  // with the space
  std::vector<WordPlace> places_;
  std::vector<double> places_sum_;
};

}  // namespace

std::unique_ptr<Generator> make_word_text(const SyntheticOptions& options, std::uint32_t number) {
  if (options.order && *options.order != 1)
    fail(ErrorKind::usage, "", "--order does not go with --words (the chain of words has order 1)");
  if (*options.alphabet != 27)
    fail(ErrorKind::usage, "", "--alphabet does not go with --words (they have 27 symbols)");
  return std::make_unique<WordText>(options, structure_draws(options, number));
}

}  // namespace logpx
