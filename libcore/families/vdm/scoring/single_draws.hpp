// How far single draws of the diffusion term scatter.   [VDM table 4b; vdm/README 11.1]
#pragma once

#include "libcore/families/vdm/scoring/scored_rows.hpp"
#include "libcore/families/vdm/scoring/time_points.hpp"

#include <cstdint>

namespace logpx::vdm {

struct DrawnTerm {
  const Denoiser& denoiser;
  const TimeIntegral& integral;
  const ScoredRows& rows;
};
// In (bits/dim)^2: "variance" of `repeats` draws at independent times, for each row; and
// "variance_stratified", of draws whose times are spread evenly over the rows: that of their mean
// times the number of rows.
[[nodiscard]] Scores::Columns variances_of_draws(const DrawnTerm& term, std::int64_t repeats,
                                                 const Rng& rng);

}  // namespace logpx::vdm
