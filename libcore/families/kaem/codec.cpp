#include "libcore/families/kaem/codec.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/codec/scheme.hpp"
#include "libcore/det/draws.hpp"
#include "libcore/det/functions.hpp"
#include "libcore/families/bound_pass.hpp"
#include "libcore/families/kaem/decoding.hpp"
#include "libcore/families/kaem/model.hpp"
#include "libcore/families/kaem/positions.hpp"
#include "libcore/families/kaem/prior/prior_components.hpp"
#include "libcore/math/low_discrepancy.hpp"
#include "libcore/math/repeatable.hpp"
#include "libcore/model/codebook_plan.hpp"
#include "libcore/model/head_codebook.hpp"
#include "libcore/model/words_plan.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace logpx::kaem {
namespace {

class EncoderCoding final : public codec::LatentCoding {
 public:
  EncoderCoding(const KaemModel& model, const Likelihood& likelihood, Workers& workers)
      : model_(model),
        likelihood_(likelihood),
        places_(model.info().samples),
        prior_(model.prior_values(model.param_set().block()), workers),
        encoder_(item_encoder(model, places_, unit_of(model))),
        decoder_(make_decoder(model, repeatable_numerics)) {
    if (model.generator().takes_tokens()) by_position_.emplace(model, repeatable_numerics);
  }

  [[nodiscard]] std::size_t item_size() const override { return at(model_.dims()); }
  [[nodiscard]] std::size_t latents() const override { return at(model_.latent()); }
  void posterior(std::span<const std::uint8_t> items, std::span<float> mean,
                 std::span<float> log_var) const override {
    encoder_.posterior(items, mean, log_var);
  }

  [[nodiscard]] std::unique_ptr<codec::SymbolVector> likelihood(
      std::span<const float> v) const override;

 private:
  class PositionSymbols;
  static double unit_of(const KaemModel& model) {
    const bool scaled = model.reader().rules().scale == ValueScale::unit;
    return scaled ? static_cast<double>(model.info().samples.levels - 1) : 1;
  }

  const KaemModel& model_;
  const Likelihood& likelihood_;
  ChannelsFirst places_;
  CodedPrior prior_;
  ItemEncoder encoder_;
  LatentDecoder decoder_;
  std::optional<PositionDecoder> by_position_;
};

// The symbols of an item where each depends on those before: all distributions follow from symbols
// that are known, or one symbol is decoded after another.
class EncoderCoding::PositionSymbols final : public codec::SymbolVector {
 public:
  PositionSymbols(const EncoderCoding& coding, std::vector<float> s)
      : coding_(coding), s_(std::move(s)) {}

  void push(codec::Message& message, std::span<const std::uint8_t> symbols) override {
    const auto all = distributions(symbols);
    for (std::size_t i = symbols.size(); i-- > 0;) all[i]->push(message, symbols.subspan(i, 1));
  }
  void pop(codec::Message& message, std::span<std::uint8_t> symbols) override {
    go([&](std::size_t i, const Likelihood::HeadValues& heads) {
      distribution(i, heads)->pop(message, symbols.subspan(i, 1));
      return symbols[i];
    });
  }
  double add_log_probability(std::span<const std::uint8_t> symbols, double sum) override {
    const auto all = distributions(symbols);
    for (std::size_t i = 0; i < symbols.size(); ++i)
      sum = all[i]->add_log_probability(symbols.subspan(i, 1), sum);
    return sum;
  }
  void log_probabilities(std::span<const std::uint8_t> symbols, std::span<double> nats) override {
    const auto all = distributions(symbols);
    for (std::size_t i = 0; i < symbols.size(); ++i)
      all[i]->log_probabilities(symbols.subspan(i, 1), nats.subspan(i, 1));
  }

 private:
  using Distribution = std::unique_ptr<codec::SymbolVector>;
  [[nodiscard]] Distribution distribution(std::size_t i,
                                          const Likelihood::HeadValues& heads) const {
    Likelihood::ItemHeads own;
    for (const std::span<const float> head : heads) {
      const std::size_t size = head.size() / coding_.item_size();
      const std::span<const float> here = head.subspan(i * size, size);
      codec::check_finite(here, "what the generator gives");
      own.emplace_back(here.begin(), here.end());
    }
    return coding_.likelihood_.coding_of(std::move(own), i);
  }
  [[nodiscard]] std::vector<Distribution> distributions(
      std::span<const std::uint8_t> symbols) const {
    std::vector<Distribution> all;
    go([&](std::size_t i, const Likelihood::HeadValues& heads) {
      all.push_back(distribution(i, heads));
      return symbols[i];
    });
    return all;
  }
  // choose(position, heads) gives the symbol.
  template <typename ChooseSymbol>
  void go(const ChooseSymbol& choose) const {
    coding_.by_position_->go(
        coding_.model_.param_set().block(), s_,
        [&](std::int64_t, std::int64_t position, const Likelihood::HeadValues& heads) {
          return std::int32_t{choose(at(position), heads)};
        });
  }

  const EncoderCoding& coding_;
  std::vector<float> s_;
};

std::unique_ptr<codec::SymbolVector> EncoderCoding::likelihood(std::span<const float> v) const {
  std::vector<double> u(v.size());
  std::ranges::transform(v, u.begin(),
                         [](float score) { return det_ndtr(static_cast<double>(score)); });
  std::vector<float> s(at(prior_.latents()));
  prior_.sums(u, s);
  if (by_position_) return std::make_unique<PositionSymbols>(*this, std::move(s));
  Likelihood::ItemHeads heads;
  decoder_.for_each({model_.param_set().block(), s, prior_.latents()},
                    [&](std::int64_t, const Likelihood::HeadValues& values) {
                      for (const std::span<const float> head : values) {
                        codec::check_finite(head, "what the generator gives");
                        heads.emplace_back(head.begin(), head.end());
                      }
                    });
  return likelihood_.coding(std::move(heads), places_);
}

}  // namespace

std::shared_ptr<const codec::LatentCoding> make_encoder_coding(const KaemModel& model,
                                                               const Likelihood& likelihood,
                                                               Workers& workers) {
  return std::make_shared<EncoderCoding>(model, likelihood, workers);
}

namespace {

constexpr std::int64_t entries_made_at_a_time = 64;  // an entry's numbers do not depend on it

// Uniforms of entries first, first + 1 ..: evenly spread, as far as such sequences have dimensions.
void entry_uniforms(Rng rng, std::int64_t first, std::int64_t dims, std::span<double> u) {
  const auto each = [&](auto make) {
    for (std::size_t row = 0; row * at(dims) < u.size(); ++row)
      make(static_cast<std::uint32_t>(first) + static_cast<std::uint32_t>(row),
           u.subspan(row * at(dims), at(dims)));
  };
  if (dims <= most_sobol_dims) {
    const Sobol sobol(dims, rng);
    return each([&](std::uint32_t entry, std::span<double> to) { sobol.point(entry, to); });
  }
  each([&](std::uint32_t entry, std::span<double> to) {
    DrawCursor draws(rng.stream(Stream::prior_samples, entry));
    std::ranges::generate(to, [&] { return draws.uniform53(); });
  });
}

class KaemCodec final : public ModelCodec {
 public:
  explicit KaemCodec(const KaemModel& model)
      : ModelCodec(logpx::item_of(model.info().samples)),
        model_(model),
        likelihood_(model.config().make_coding_likelihood(model.likelihood().values())),
        all_levels_(model.config().make_coding_likelihood(model.likelihood().levels())),
        decoder_(make_decoder(model, repeatable_numerics)) {}

  [[nodiscard]] std::unique_ptr<CodingPlan> plan() const override {
    check_codable();
    return plan_of_words(likelihood_->values(),
                         [this](const CodedValues& values) { return plan_of(values); });
  }
  [[nodiscard]] std::vector<std::uint8_t> items(const Examples& examples) const override {
    return model_.reader().symbols(examples);
  }

 private:
  void check_codable() const;
  [[nodiscard]] std::unique_ptr<CodingPlan> plan_of(const CodedValues& values) const;
  [[nodiscard]] const Likelihood& likelihood_of(CodedValues values) const {
    return values == CodedValues::words ? *likelihood_ : *all_levels_;
  }
  [[nodiscard]] std::unique_ptr<const codec::CodebookCoding> make_book(
      const CodebookPlan::Book& wanted, const Likelihood& likelihood, Workers& workers) const;
  const KaemModel& model_;
  std::unique_ptr<const Likelihood> likelihood_, all_levels_;
  LatentDecoder decoder_;
};

void KaemCodec::check_codable() const {
  constexpr const char* hint = "fit-prior --likelihood discretised-gaussian";
  if (model_.axes() != nullptr)
    fail(ErrorKind::data, "",
         "reads x as its scores on " + model_.info().space +
             ": they have a density, but no probabilities that bytes could be coded by");
  if (model_.reader().rules().dequantise != Dequantise::none)
    fail(ErrorKind::data, "", "reads levels with noise, and only bytes can be coded", hint);
  require_codable(*likelihood_, model_.info().data.levels > 0 ? hint : "");
  if (model_.prior_constants().formula.size() > 0)
    fail(ErrorKind::data, "",
         "has energies that are formulas, which machines do not compute to the same bit");
  if (model_.generator().takes_tokens() && !model_.has_encoder())
    fail(ErrorKind::data, "", "sees the symbol before each position, and a codebook does not",
         "fit-prior DATA -o KE.h5 --encoder-for MODEL.h5");
}

std::unique_ptr<CodingPlan> KaemCodec::plan_of(const CodedValues& values) const {
  const auto book_of = [this, &values](const CodebookPlan::Book& book, Workers& workers) {
    return make_book(book, likelihood_of(values), workers);
  };
  if (!model_.has_encoder()) return std::make_unique<CodebookPlan>(book_of);
  const auto coding_of = [this, &values](Workers& workers) {
    return make_encoder_coding(model_, likelihood_of(values), workers);
  };
  if (model_.generator().takes_tokens()) return std::make_unique<BitsBackPlan>(coding_of);
  return std::make_unique<CodebookPlan>(book_of, coding_of);
}

std::unique_ptr<const codec::CodebookCoding> KaemCodec::make_book(const CodebookPlan::Book& wanted,
                                                                  const Likelihood& likelihood,
                                                                  Workers& workers) const {
  const std::int64_t entries = wanted.entries;
  auto book = std::make_unique<HeadCodebook>(
      likelihood, HeadCodebook::Form{entries, model_.dims(), ChannelsFirst(model_.info().samples)});
  const std::span<const float> theta = model_.param_set().block();
  const CodedPrior prior(model_.prior_values(theta), workers);
  constexpr std::int64_t step = entries_made_at_a_time;
  workers.run((entries + step - 1) / step, [&](std::int64_t block) {
    const RepeatableFunctions repeatable;
    const std::int64_t first = block * step, count = std::min(step, entries - first);
    std::vector<double> u(at(count * prior.score_dims()));
    std::vector<float> s(at(count * prior.latents()));
    entry_uniforms(Rng(wanted.seed), first, prior.score_dims(), u);
    prior.sums(u, s);
    decoder_.for_each(
        {theta, s, prior.latents()},
        [&](std::int64_t i, const Likelihood::HeadValues& heads) { book->take(first + i, heads); });
  });
  return book;
}

}  // namespace

std::unique_ptr<ModelCodec> make_codec(const KaemModel& model) {
  return std::make_unique<KaemCodec>(model);
}

}  // namespace logpx::kaem
