// model:FILE: posterior means E[z|x] of a model with latents: those of its encoder or, if it has
// none, from draws z_k ~ p(z) with weights in proportion to p(x|z_k).
#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/features/kinds.hpp"
#include "libcore/model/fitting_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace logpx {
namespace {

constexpr std::int64_t importance_samples = 1000, samples_at_once = 10;

// Rows that end early count as whole for a model that reads whole rows.
Rows as_read(const ModelInfo& model, const Examples& examples) {
  Rows rows = examples.rows;
  if (model.lengths == Lengths::whole) {
    rows.length.clear();
    return rows;
  }
  for (std::size_t i = 0; i < rows.length.size(); ++i)
    require_length(model, examples.info.name, examples.first + static_cast<std::int64_t>(i),
                   rows.length[i]);
  return rows;
}

// A mean under weights given as logarithms, scaled by the largest so far.
class WeightedMean {
 public:
  explicit WeightedMean(std::size_t dims) : sums_(dims) {}

  void add(double log_weight, std::span<const float> z) {
    if (log_weight > largest_) {
      const double shrink = std::exp(largest_ - log_weight);
      for (double& sum : sums_) sum *= shrink;
      total_ *= shrink;
      largest_ = log_weight;
    }
    const double weight = std::exp(log_weight - largest_);
    total_ += weight;
    for (std::size_t d = 0; d < z.size(); ++d) sums_[d] += weight * static_cast<double>(z[d]);
  }
  [[nodiscard]] bool empty() const { return !(total_ > 0); }
  [[nodiscard]] float mean(std::size_t d) const { return static_cast<float>(sums_[d] / total_); }

 private:
  double largest_ = std::numeric_limits<double>::lowest(), total_ = 0;
  std::vector<double> sums_;
};

class PosteriorMeans final : public Extractor {
 public:
  PosteriorMeans(ExtractorInfo info, AbleModel model)
      : Extractor(std::move(info)), model_(std::move(model)) {
    if (latents().has_posterior()) return;
    // The same draws for every row, so that its features do not depend on its neighbours.
    draws_.resize(at(importance_samples * info_.width));
    latents().draw_prior(draws_, 0, Rng(1));
  }

  void extract(const Examples& examples, const FeatureBlock& out) const override {
    DatasetInfo info = examples.info;
    const Rows rows = as_read(model_.can.info(), examples);
    info.has_lengths = !rows.length.empty();
    const Examples read{info, rows, examples.first};
    if (!latents().has_posterior()) return weigh(read, out.features);
    std::ranges::copy(latents().encode(read).mean, out.features.begin());
  }

 private:
  [[nodiscard]] const ModelLatents& latents() const { return *model_.can.latents; }

  void weigh(const Examples& examples, std::span<float> out) const {
    const std::size_t count = at(examples.rows.count), dims = at(info_.width);
    std::vector<WeightedMean> means(count, WeightedMean(dims));
    const auto joint = latents().joint(examples, samples_at_once);
    std::vector<double> log_prior(at(samples_at_once) * count), log_likelihood(log_prior.size());
    std::vector<float> z(log_prior.size() * dims);
    for (std::size_t first = 0; first < at(importance_samples); first += at(samples_at_once)) {
      for (std::size_t e = 0; e < log_prior.size(); ++e)
        std::ranges::copy(draw(first + e / count),
                          z.begin() + static_cast<std::ptrdiff_t>(e * dims));
      joint->evaluate(z, {log_prior, log_likelihood}, {});
      for (std::size_t e = 0; e < log_prior.size(); ++e)
        means[e % count].add(log_likelihood[e], draw(first + e / count));
    }
    for (std::size_t i = 0; i < count; ++i) {
      if (means[i].empty())
        fail(ErrorKind::numeric, examples.info.name,
             "row " + std::to_string(examples.first + static_cast<std::int64_t>(i)) +
                 " has no likelihood under any of " + std::to_string(importance_samples) +
                 " draws of the prior");
      for (std::size_t d = 0; d < dims; ++d) out[i * dims + d] = means[i].mean(d);
    }
  }

  [[nodiscard]] std::span<const float> draw(std::size_t k) const {
    return std::span(draws_).subspan(k * at(info_.width), at(info_.width));
  }

  AbleModel model_;
  std::vector<float> draws_;  // [importance_samples, width], if there is no encoder
};

}  // namespace

std::unique_ptr<Extractor> make_posterior(const ExtractorWords& words, ExtractorParts parts) {
  const Abilities& can = parts.model.can;
  const std::string& family = can.info().family;
  if (!can.latents)
    fail(ErrorKind::usage, "--extractor",
         words.file + " is a model of family " + family + ", which has no latents");
  ExtractorInfo info{
      .name = "model:" + family, .data = std::move(parts.data), .width = can.latents->dims()};
  return std::make_unique<PosteriorMeans>(std::move(info), std::move(parts.model));
}

}  // namespace logpx
