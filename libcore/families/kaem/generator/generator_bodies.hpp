// The networks inside generators of each kind: from s [M,Q] to the numbers of every head that is
// not shared by all dimensions.   [kaem/README 3.1]
#pragma once

#include "libcore/families/kaem/generator/generator.hpp"

#include <deque>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace logpx::kaem {

// What a body is built from.
struct BodyPlan {
  Site site;
  const GeneratorForm& form;
  std::int64_t latents;
  Extents extents;
  std::span<const HeadForm> heads;  // without shared ones

  [[nodiscard]] std::int64_t per_dim() const;  // numbers of all heads for one dimension
};

class GeneratorBody {
 public:
  virtual ~GeneratorBody() = default;
  // [M, D per_dim] for each head.
  [[nodiscard]] virtual std::vector<Var> operator()(const ParamSet& params, Var s,
                                                    const Decoding& decoding) const = 0;
  [[nodiscard]] virtual bool takes_tokens() const { return false; }

  [[nodiscard]] std::deque<GeneratorState>& states() { return states_; }
  [[nodiscard]] const std::deque<GeneratorState>& states() const { return states_; }
  [[nodiscard]] const std::vector<SplineLayer>& splines() const { return splines_; }

 protected:
  void add_state(const Site& layer, const std::string& name, std::size_t number,
                 Tensor<float> values);
  // A node for state that add_state listed.
  [[nodiscard]] Var state_input(Graph& graph, const std::string& input) const;
  std::vector<SplineLayer> splines_;

 private:
  std::deque<GeneratorState> states_;
};

// Numbers [..., D sum of per_dim], head after head, apart.
[[nodiscard]] std::vector<Var> numbers_apart(Var all, std::span<const HeadForm> heads,
                                             std::int64_t dims);

[[nodiscard]] std::unique_ptr<GeneratorBody> kan_body(const BodyPlan& plan);
[[nodiscard]] std::unique_ptr<GeneratorBody> mlp_body(const BodyPlan& plan);
[[nodiscard]] std::unique_ptr<GeneratorBody> cnn_body(const BodyPlan& plan);
[[nodiscard]] std::unique_ptr<GeneratorBody> seq_body(const BodyPlan& plan);

// Fills empty lists of a cnn by the size of the pictures; refuses lists that do not make them.
void fit_to_pictures(GeneratorForm& form, const Extents& extents);

}  // namespace logpx::kaem
