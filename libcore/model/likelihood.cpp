#include "libcore/model/likelihood.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/codec/symbol_vector.hpp"
#include "libcore/det/functions.hpp"

#include <algorithm>
#include <cmath>

namespace logpx {
namespace {

constexpr double least_mean = 0.001;  // a mean is kept in [this, 1 - this] before its logit

}  // namespace

std::vector<HeadForm> Likelihood::heads() const {
  std::vector<HeadForm> all = forms();
  if (!options().limited)
    for (HeadForm& form : all) form.low = form.high = std::nullopt;
  return all;
}

bool Likelihood::supports(float value, std::size_t dim) const {
  return allows(value, given_.levels.at(dim));
}

std::string Likelihood::support(std::size_t dim) const { return allowed(given_.levels.at(dim)); }

bool Likelihood::allows(float value, std::int64_t levels) const {
  switch (takes()) {
    case ValuesOfX::bits: return value == 0 || (value == 1 && levels != 1);
    case ValuesOfX::reals: return std::isfinite(value);
    case ValuesOfX::levels: break;
  }
  return value >= 0 && value <= static_cast<float>(levels - 1) && value == std::floor(value);
}

std::string Likelihood::allowed(std::int64_t levels) const {
  if (takes() == ValuesOfX::reals) return "finite numbers";
  if (levels == 1) return "0";
  return takes() == ValuesOfX::bits ? "0 and 1"
                                    : "whole numbers from 0 to " + std::to_string(levels - 1);
}

std::optional<Likelihood::Location> Likelihood::location(double) const { return std::nullopt; }

std::unique_ptr<codec::SymbolVector> Likelihood::coding(ItemHeads, const ChannelsFirst&) const {
  LOGPX_ASSERT(false);  // ask is_codable()
  return nullptr;
}

std::unique_ptr<codec::SymbolVector> Likelihood::coding_of(ItemHeads heads, std::size_t) const {
  std::size_t count = 1;
  const std::vector<HeadForm> all = forms();
  for (std::size_t h = 0; h < all.size(); ++h)
    if (!all[h].shared) count = heads[h].size() / at(all[h].per_dim);
  return coding(std::move(heads), as_they_are(count));
}

ChannelsFirst Likelihood::as_they_are(std::size_t count) {
  DatasetInfo info;
  info.content = Content::vector;
  info.shape = {static_cast<std::int64_t>(count)};
  return ChannelsFirst(info);
}

double Likelihood::logit_of(double mean) {
  const double kept = std::clamp(mean, least_mean, 1 - least_mean);
  return det_log(kept / (1 - kept));
}

double Likelihood::unsquashed(double mean) const {
  switch (options().squash) {
    case Squash::none: break;
    case Squash::sigmoid: return logit_of(mean);
    case Squash::tanh: return logit_of((1 + mean) / 2) / 2;
  }
  return mean;
}

std::vector<double> Likelihood::running_weights(std::span<const float> logits) {
  std::vector<double> weights(logits.begin(), logits.end());
  accumulate_log_weights(weights);
  return weights;
}

}  // namespace logpx
