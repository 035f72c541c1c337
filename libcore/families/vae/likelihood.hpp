// p(x|z) of the decoder's heads: as nodes of a graph, and as numbers to draw from.
// [spec/vae.md section 2]
#pragma once

#include "libcore/det/draws.hpp"
#include "libcore/families/vae/config.hpp"
#include "libcore/grad/graph.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace logpx::vae {

// One output of the decoder for every dimension of x, clamped smoothly to [low, high] when set.
struct HeadForm {
  std::string name;
  std::int64_t per_dim = 1;
  std::optional<double> low = {}, high = {};
  bool squashed = false;  // through a sigmoid
};
[[nodiscard]] std::vector<HeadForm> head_forms(const Config& config, std::int64_t levels);

// [..., D] each, or [..., D, K] for heads of several numbers per dimension; gaussian-fixed has its
// one log-variance [] behind the mean.
using Heads = std::vector<Var>;

// What x is compared with: the values, and for categorical data their indices.
struct Target {
  Var x;  // [M,D]
  std::optional<Var> index = {};
};

class LikelihoodModel {
 public:
  LikelihoodModel(const Config& config, std::int64_t levels);
  [[nodiscard]] std::int64_t levels() const { return levels_; }
  [[nodiscard]] std::size_t heads() const { return heads_; }  // of the decoder
  [[nodiscard]] bool takes_index() const { return kind_ == Likelihood::categorical; }

  // log p(x|z): heads [L,M,D] and x [M,D] give [L,M].
  [[nodiscard]] Var log_prob(const Target& target, const Heads& heads) const;

  // Head values of one example, [D * per_dim] each.
  using HeadValues = std::vector<std::span<const float>>;
  [[nodiscard]] double mean(const HeadValues& heads, std::size_t dim) const;
  [[nodiscard]] double draw(const HeadValues& heads, std::size_t dim, DrawCursor& draws) const;
  // Whether x_d may have this value; what may be, in words.
  [[nodiscard]] bool supports(float value) const;
  [[nodiscard]] std::string support() const;

 private:
  // Running weights of the classes or components of one dimension.
  [[nodiscard]] std::vector<double> cumulative(const HeadValues& heads, std::size_t dim) const;
  Likelihood kind_;
  std::int64_t levels_, per_dim_;
  std::size_t heads_;
  bool gray_;
};

}  // namespace logpx::vae
