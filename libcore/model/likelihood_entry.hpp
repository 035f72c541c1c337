// The entry of each likelihood's file in the list of likelihood_entry.cpp.
#pragma once

#include "libcore/model/likelihood.hpp"
#include "libcore/model/likelihood_options.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace logpx {

struct LikelihoodEntry {
  const char* word;
  ValuesOfX takes;
  const char* says;  // when one takes it, in one clause
  std::unique_ptr<const Likelihood> (*make)(const Likelihood::Given& given);
  std::vector<LikelihoodOption> reads = {};
};
template <typename L>
[[nodiscard]] LikelihoodEntry likelihood_entry(const char* word, ValuesOfX takes, const char* says,
                                               std::vector<LikelihoodOption> reads = {}) {
  return {word, takes, says,
          [](const Likelihood::Given& given) -> std::unique_ptr<const Likelihood> {
            return std::make_unique<const L>(given);
          },
          std::move(reads)};
}

}  // namespace logpx
