#include "libcore/families/vae/codec.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/codec/symbol_vector.hpp"
#include "libcore/families/vae/model.hpp"
#include "libcore/model/repeatable_net.hpp"

#include <algorithm>

namespace logpx::vae {
namespace {

constexpr std::int64_t rows_coded_at_a_time =
    64;  // of the encoder; an item's numbers do not depend on it

class Coding final : public codec::LatentCoding {
 public:
  explicit Coding(const VaeModel& model)
      : model_(model),
        places_(model.info().samples),
        heads_(model.likelihood().heads().size()),
        encoder_(model.param_set(),
                 [&model](Graph& graph, std::int64_t rows) {
                   const Gaussian q = model.encode(graph.input("x", {rows, model.dims()}));
                   graph.output("mean", q.mean);
                   graph.output("log_var", q.log_var);
                 }),
        decoder_(model.param_set(), [&model](Graph& graph, std::int64_t rows) {
          const Heads heads = model.decode(graph.input("z", {rows, model.latent()}));
          for (std::size_t h = 0; h < heads.size(); ++h)
            graph.output("head" + std::to_string(h), heads[h]);
        }) {}

  [[nodiscard]] std::size_t item_size() const override { return at(model_.dims()); }
  [[nodiscard]] std::size_t latents() const override { return at(model_.latent()); }
  void posterior(std::span<const std::uint8_t> items, std::span<float> mean,
                 std::span<float> log_var) const override;
  [[nodiscard]] std::unique_ptr<codec::SymbolVector> likelihood(
      std::span<const float> z) const override;

 private:
  const VaeModel& model_;
  ChannelsFirst places_;
  std::size_t heads_;
  RepeatableNet encoder_, decoder_;
};

void Coding::posterior(std::span<const std::uint8_t> items, std::span<float> mean,
                       std::span<float> log_var) const {
  const std::size_t size = item_size(), latent = latents(), count = items.size() / size;
  std::vector<float> x;
  for (std::size_t first = 0; first < count; first += at(rows_coded_at_a_time)) {
    const std::size_t held = std::min(at(rows_coded_at_a_time), count - first);
    const std::size_t rows =
        held == 1 ? 1 : at(rows_coded_at_a_time);  // two plans serve all numbers
    x.assign(rows * size, 0.0F);
    for (std::size_t r = 0; r < held; ++r)
      for (std::size_t i = 0; i < size; ++i)
        x[r * size + places_(i)] = static_cast<float>(items[(first + r) * size + i]);
    encoder_.run({{"x", x}}, static_cast<std::int64_t>(rows), [&](const Executor<float>& done) {
      const auto means = done.output("mean").span(), log_vars = done.output("log_var").span();
      for (std::size_t i = 0; i < held * latent; ++i) {
        mean[first * latent + i] = means[i];
        log_var[first * latent + i] = log_vars[i % log_vars.size()];  // one for all may repeat
      }
    });
  }
}

std::unique_ptr<codec::SymbolVector> Coding::likelihood(std::span<const float> z) const {
  Likelihood::ItemHeads heads;
  decoder_.run({{"z", z}}, 1, [&](const Executor<float>& done) {
    for (std::size_t h = 0; h < heads_; ++h) {
      const auto values = done.output("head" + std::to_string(h)).span();
      heads.emplace_back(values.begin(), values.end());
    }
  });
  return model_.likelihood().coding(std::move(heads), places_);
}

class VaeCodec final : public ModelCodec {
 public:
  VaeCodec(const VaeModel& model, const CodedItem& item)
      : model_(model), item_(item), coding_(model) {}

  [[nodiscard]] const CodedItem& item() const override { return item_; }
  [[nodiscard]] std::unique_ptr<CodingPlan> plan() const override {
    const Likelihood& likelihood = model_.likelihood();
    if (likelihood.takes() == ValuesOfX::reals)
      fail(ErrorKind::data, "", "has a likelihood of real numbers, but only bytes can be coded",
           "a likelihood of levels can code: train with --likelihood beta-binomial");
    if (model_.config().inference != Inference::encoder)
      fail(ErrorKind::data, "", "has no encoder, and bits back needs one",
           "coding needs an encoder and at most 256 levels");
    if (!likelihood.is_codable())
      fail(ErrorKind::data, "", "has more than 256 levels, but only bytes can be coded");
    if (likelihood.is_surrogate())
      fail(ErrorKind::data, "", "is a surrogate for grey values, not a likelihood",
           "train-vae --binarise static, or --likelihood beta-binomial");
    return std::make_unique<BitsBackPlan>(coding_);
  }
  [[nodiscard]] std::vector<std::uint8_t> items(const Examples& examples) const override {
    return model_.reader().symbols(examples);
  }

 private:
  const VaeModel& model_;
  CodedItem item_;
  Coding coding_;
};

}  // namespace

std::unique_ptr<ModelCodec> make_codec(const VaeModel& model) {
  return std::make_unique<VaeCodec>(model, item_of(model.info().samples));
}

}  // namespace logpx::vae
