// Which of the options of likelihoods each one reads, as its entry says (likelihood_entry.hpp).
//
//   std::string likelihood = "gaussian";
//   double min_logvar = -10;
//   fields.add("min-logvar", min_logvar, "least log-variance")
//       .when(read_by_likelihood(likelihood, LikelihoodOption::min_log_var));
#pragma once

#include "libcore/base/choice.hpp"

#include <string>

namespace logpx {

// The members of LikelihoodOptions.
enum class LikelihoodOption { squash, min_log_var, obs_std, components };

[[nodiscard]] bool likelihood_reads(const std::string& word, LikelihoodOption option);
// That a config's word is one that reads it: "--likelihood gaussian-fixed or discretised-gaussian".
[[nodiscard]] Condition read_by_likelihood(const std::string& word, LikelihoodOption option);

}  // namespace logpx
