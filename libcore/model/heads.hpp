// How the outputs of a network become the heads of a likelihood: its numbers for every dimension
// are put in order, kept in their limits and squashed; numbers that all dimensions share are
// parameters or constants.
#pragma once

#include "libcore/model/likelihood.hpp"
#include "libcore/nn/site.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx {

// What a network sees of an example: dims, and for images channels, height and width.
struct Extents {
  std::int64_t dims = 1, channels = 1, height = 1, width = 1;
};
[[nodiscard]] Extents extents_of(const DatasetInfo& data);

// Maps [N, C per_dim, H, W] as [N, D per_dim]: numbers of one dimension lie together.
[[nodiscard]] Var numbers_of_maps(Var maps, std::int64_t per_dim);

// The forms that every dimension has for itself; shared ones follow them.
[[nodiscard]] std::span<const HeadForm> own_heads(std::span<const HeadForm> forms);

class HeadMaker {
 public:
  // Adds parameters for the shared numbers that are learned.
  HeadMaker(const Site& site, std::vector<HeadForm> forms);

  [[nodiscard]] std::span<const HeadForm> own() const { return own_heads(forms_); }
  // Numbers [..., D per_dim] of own heads to all heads: [...,D], [...,D,per_dim], and [] if shared.
  [[nodiscard]] Likelihood::Heads operator()(const ParamSet& params,
                                             const std::vector<Var>& numbers) const;

 private:
  std::vector<HeadForm> forms_;
  std::vector<int> shared_;  // a parameter for each shared form, -1 where the form has a value
};

}  // namespace logpx
