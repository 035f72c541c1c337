// --likelihood auto: what p(x_d|h) suits the data.
#pragma once

#include "libcore/base/field.hpp"
#include "libcore/model/data_reading.hpp"

#include <string>
#include <vector>

namespace logpx {

inline constexpr const char* automatic_likelihood = "auto";

// What a family chooses for each kind of data; words and symbols are always categorical.
struct LikelihoodsByData {
  std::string bits = "bernoulli";
  std::string pictures = "beta-binomial", levels = "beta-binomial";  // whole numbers in their order
  std::string reals = "gaussian";
};

struct FittingLikelihood {
  std::string word;
  // For people: why the data ask for it. Empty if an option decides.
  std::string note = {};
};
// A data error for words beside real numbers, which no likelihood can read.
[[nodiscard]] FittingLikelihood fitting_likelihood(const DatasetInfo& data,
                                                   const DataReading& reading,
                                                   const LikelihoodsByData& usual);

// The choices of a trainer: auto and likelihood_words().
[[nodiscard]] std::vector<Choice> likelihood_choices();

}  // namespace logpx
