#include "libcore/families/kaem/encoder/encoder_coding.hpp"

#include "libcore/base/index.hpp"
#include "libcore/codec/finite.hpp"
#include "libcore/det/functions.hpp"
#include "libcore/families/bound_pass.hpp"
#include "libcore/families/kaem/decoding.hpp"
#include "libcore/families/kaem/model.hpp"
#include "libcore/families/kaem/prior/coded_prior.hpp"

#include <algorithm>

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
        decoder_(make_decoder(model, repeatable_numerics)) {}

  [[nodiscard]] std::size_t item_size() const override { return at(model_.dims()); }
  [[nodiscard]] std::size_t latents() const override { return at(model_.latent()); }
  void posterior(std::span<const std::uint8_t> items, std::span<float> mean,
                 std::span<float> log_var) const override {
    encoder_.posterior(items, mean, log_var);
  }

  [[nodiscard]] std::unique_ptr<codec::SymbolVector> likelihood(
      std::span<const float> v) const override {
    std::vector<double> u(v.size());
    std::ranges::transform(v, u.begin(),
                           [](float score) { return det_ndtr(static_cast<double>(score)); });
    std::vector<float> s(at(prior_.latents()));
    prior_.sums(u, s);
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

 private:
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
};

}  // namespace

std::shared_ptr<const codec::LatentCoding> make_encoder_coding(const KaemModel& model,
                                                               const Likelihood& likelihood,
                                                               Workers& workers) {
  return std::make_shared<EncoderCoding>(model, likelihood, workers);
}

}  // namespace logpx::kaem
