// How samples of a number, and lists of counts, differ between two sets of molecules.
// [eval/README 10.4]
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace logpx {

// How often each thing occurs: a fragment, a scaffold.
using NamedCounts = std::map<std::string, std::int64_t>;
// a.b / (|a| |b|) of counts as vectors; nothing where a list is empty.
[[nodiscard]] std::optional<double> cosine(const NamedCounts& a, const NamedCounts& b);

// The integral of |F - G| over all x, F and G the shares of values up to x; nothing where a sample
// is empty.
[[nodiscard]] std::optional<double> wasserstein_1(std::vector<double> a, std::vector<double> b);

// Divergences KL(baseline || sampled) as GuacaMol's benchmark computes them, of two values or more
// each; nothing where that fails there.

// Densities are normals around the values, as wide as Scott's rule says, at 1,000 even steps from
// the least value to the largest; fails where a sample is constant.
[[nodiscard]] std::optional<double> continuous_divergence(std::span<const double> baseline,
                                                          std::span<const double> sampled);
// Histograms have ten equal bins between the least and the largest value of the baseline; fails
// where no sampled value lies between them.
[[nodiscard]] std::optional<double> discrete_divergence(std::span<const double> baseline,
                                                        std::span<const double> sampled);

}  // namespace logpx
