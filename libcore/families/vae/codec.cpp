#include "libcore/families/vae/codec.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/codec/symbol_vector.hpp"
#include "libcore/families/bound_pass.hpp"
#include "libcore/families/vae/model.hpp"
#include "libcore/families/vae/sample.hpp"
#include "libcore/model/context_walk.hpp"
#include "libcore/model/words_plan.hpp"

#include <optional>

namespace logpx::vae {
namespace {

class Coding final : public codec::LatentCoding {
 public:
  Coding(const VaeModel& model, const Likelihood& likelihood)
      : model_(model),
        likelihood_(likelihood),
        places_(model.info().samples),
        encoder_(item_encoder(model, places_)),
        decoder_(model.param_set(), [&model](Graph& graph, std::int64_t rows) {
          name_outputs(graph, model.decode(graph.input("z", {rows, model.latent()})));
        }) {
    if (model.context() != nullptr) walk_ = make_walk(model);
    if (model.prior_params()) prior_.emplace(model.prior(model.param_set().block()));
  }

  [[nodiscard]] std::size_t item_size() const override { return at(model_.dims()); }
  [[nodiscard]] std::size_t latents() const override { return at(model_.latent()); }
  // With neighbours to see, or in planes, many latents stay near their prior.
  [[nodiscard]] codec::BeforeDraws before_draws() const override {
    const bool many = model_.context() != nullptr || model_.config().in_planes();
    return many ? codec::BeforeDraws::stirred : codec::BeforeDraws::nothing;
  }
  void posterior(std::span<const std::uint8_t> items, std::span<float> mean,
                 std::span<float> log_var) const override {
    encoder_.posterior(items, mean, log_var);
  }
  [[nodiscard]] std::unique_ptr<codec::SymbolVector> likelihood(
      std::span<const float> z) const override;
  [[nodiscard]] const codec::ComponentPrior* prior() const override {
    return prior_ ? &*prior_ : nullptr;
  }
  [[nodiscard]] std::vector<const codec::Bins*> bins(int bits, Workers& workers) const override {
    return prior_ ? prior_->bins(bits, workers) : LatentCoding::bins(bits, workers);
  }

 private:
  const VaeModel& model_;
  const Likelihood& likelihood_;
  ChannelsFirst places_;
  ItemEncoder encoder_;
  RepeatableNet decoder_;
  std::unique_ptr<const ContextWalk> walk_;  // where pixels see others, in the place of the decoder
  std::optional<CodedMixture> prior_;
};

std::unique_ptr<codec::SymbolVector> Coding::likelihood(std::span<const float> z) const {
  if (walk_) return walk_->symbols(z);
  return likelihood_.coding(decoder_.outputs({{"z", z}}, 1), places_);
}

class VaeCodec final : public ModelCodec {
 public:
  explicit VaeCodec(const VaeModel& model)
      : ModelCodec(item_of(model.info().samples)),
        model_(model),
        all_levels_(model.config().make_likelihood(model.likelihood().levels())) {}

  [[nodiscard]] std::unique_ptr<CodingPlan> plan() const override {
    const Likelihood& likelihood = model_.likelihood();
    require_codable(likelihood,
                    "a likelihood of levels can code: train with --likelihood beta-binomial");
    if (model_.config().inference != Inference::encoder)
      fail(ErrorKind::data, "", "has no encoder, and bits back needs one",
           "coding needs an encoder and at most 256 levels");
    if (likelihood.is_surrogate())
      fail(ErrorKind::data, "", "is a surrogate for grey values, not a likelihood",
           "train-vae --binarise static, or --likelihood beta-binomial");
    return plan_of_words(likelihood.values(), [this](const CodedValues& values) {
      return std::make_unique<BitsBackPlan>([this, &values](Workers&) {
        const bool words = values == CodedValues::words;
        return std::make_shared<const Coding>(model_, words ? model_.likelihood() : *all_levels_);
      });
    });
  }
  [[nodiscard]] std::vector<std::uint8_t> items(const Examples& examples) const override {
    return model_.reader().symbols(examples);
  }

 private:
  const VaeModel& model_;
  std::unique_ptr<const Likelihood> all_levels_;
};

}  // namespace

std::unique_ptr<ModelCodec> make_codec(const VaeModel& model) {
  return std::make_unique<VaeCodec>(model);
}

}  // namespace logpx::vae
