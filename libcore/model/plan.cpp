#include "libcore/model/plan.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"

#include <algorithm>

namespace logpx {
namespace {

constexpr double few_samples = 5;      // effective samples of one example
constexpr double many_examples = 0.1;  // share of examples with so few

}  // namespace

void add_samples(Fields& fields, std::int64_t& samples) {
  fields.add("samples", samples, "noise draws, weights or orders per example").at_least(1);
}

void add_chunk(Fields& fields, std::int64_t& chunk) {
  fields.add("chunk", chunk, "how many samples are held at a time; 0 leaves it to the method")
      .at_least(0)
      .rank(Rank::manual);
}

std::vector<std::string> ScoringPlan::doubts(const Scores::Columns& facts) const {
  const auto ess = std::ranges::find(facts, "ess", &Scores::Columns::value_type::first);
  if (ess == facts.end()) return {};
  const double low = static_cast<double>(std::ranges::count_if(
                         ess->second, [](double samples) { return samples < few_samples; })) /
                     static_cast<double>(ess->second.size());
  if (low <= many_examples) return {};
  return {"fewer than 5 effective samples at " + four_digits(100 * low) +
          " % of the examples: the bound is loose there"};
}

TensorRef SampleCode::tensor(std::int64_t count) {
  std::vector<std::int64_t> sizes(1, count);
  sizes.insert(sizes.end(), shape.sizes().begin(), shape.sizes().end());
  return {name, type, Shape(sizes), bytes};
}

void append_codes(std::vector<SampleCode>& codes, const std::vector<SampleCode>& next) {
  if (codes.empty())
    for (const SampleCode& code : next) codes.push_back({code.name, code.shape, code.type});
  LOGPX_ASSERT(codes.size() == next.size());
  for (std::size_t c = 0; c < codes.size(); ++c) {
    LOGPX_ASSERT(codes[c].type == next[c].type && codes[c].shape == next[c].shape);
    codes[c].bytes.insert(codes[c].bytes.end(), next[c].bytes.begin(), next[c].bytes.end());
  }
}

}  // namespace logpx
