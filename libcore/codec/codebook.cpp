#include "libcore/codec/codebook.hpp"

#include "libcore/base/error.hpp"
#include "libcore/det/reductions.hpp"

#include <algorithm>
#include <utility>

namespace logpx::codec {

constexpr int posterior_precision = 20;
static_assert(most_codebook_entries == 1 << (posterior_precision - 1));

Codebook::Codebook(const CodebookCoding& coding) : coding_(coding) {
  LOGPX_ASSERT(coding.entries() >= 1 && coding.entries() <= most_codebook_entries);
  drawn(
      Part::posterior, [this](Message& m, V& v) { push(m, posterior(v.x), v.entry); },
      [this](Message& m, V& v) { v.entry = pop(m, posterior(v.x)); });
  coded(
      Part::likelihood, [this](Message& m, V& v) { coding_.likelihood(v.entry)->push(m, v.x); },
      [this](Message& m, V& v) { coding_.likelihood(v.entry)->pop(m, v.x); });
  coded(
      Part::prior, [this](Message& m, V& v) { m.push_uniform(v.entry, coding_.entries()); },
      [this](Message& m, V& v) { v.entry = m.pop_uniform(coding_.entries()); });
}

Codebook::Codebook(std::unique_ptr<const CodebookCoding> coding) : Codebook(*coding) {
  owned_ = std::move(coding);
}

CodebookVariables Codebook::variables_for(std::span<const std::uint8_t>, std::uint64_t) const {
  return {};
}

Table Codebook::posterior(std::span<const std::uint8_t> x) const {
  std::vector<double> weights(coding_.entries());
  coding_.log_likelihoods(x, weights);
  const double largest = *std::max_element(weights.begin(), weights.end());
  for (double& w : weights) w = det_exp(w - largest);
  return Table::posterior(weights, posterior_precision);
}

void Codebook::score(std::span<const std::uint8_t> items, Rng, std::uint32_t,
                     std::span<double> nats) const {
  std::vector<double> each(coding_.entries());
  for (std::size_t i = 0; i < nats.size(); ++i) {
    coding_.log_likelihoods(item_of(items, i), each);
    nats[i] = det::log_sum_exp(each) - det_log(static_cast<double>(coding_.entries()));
  }
}

}  // namespace logpx::codec
