// The entry of each likelihood's file in the list of likelihood.cpp.
#pragma once

#include "libcore/model/likelihood.hpp"

#include <memory>

namespace logpx {

struct LikelihoodEntry {
  const char* word;
  ValuesOfX takes;
  const char* says;  // when one takes it, in one clause
  std::unique_ptr<const Likelihood> (*make)(const Likelihood::Given& given);
};
template <typename L>
[[nodiscard]] LikelihoodEntry likelihood_entry(const char* word, ValuesOfX takes,
                                               const char* says) {
  return {word, takes, says,
          [](const Likelihood::Given& given) -> std::unique_ptr<const Likelihood> {
            return std::make_unique<const L>(given);
          }};
}

}  // namespace logpx
