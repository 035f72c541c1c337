#include "libcore/model/abilities.hpp"

#include "libcore/base/error.hpp"

#include <algorithm>

namespace logpx {

std::vector<std::string> Abilities::methods() const {
  std::vector<std::string> words;
  for (const OwnScoring& way : score) words.push_back(way.word);
  return words;
}

std::unique_ptr<ScoringPlan> Abilities::scoring(const std::string& method) const {
  const auto way = std::ranges::find(score, method, &OwnScoring::word);
  LOGPX_ASSERT(way != score.end());
  return way->plan();
}

std::unique_ptr<SamplingPlan> Abilities::sampling() const {
  if (!sample) fail(ErrorKind::usage, "", "this " + info().family + " cannot be sampled");
  return sample();
}

}  // namespace logpx
