// The whole distribution of a real variable given all other observed values: in each node of its
// leaves it is normal, and the share of the row that goes through the node is its weight.
// [pc/README 9.2]
#pragma once

#include "libcore/families/pc/passes/slopes.hpp"
#include "libcore/math/normal_mixture.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx::pc {

template <typename T>
class LeafNormals final : public Slopes<T> {
 public:
  // At a place of [steps, variables], which no row of the pass holds. Of each column, `mixtures`
  // get the parts, in standardised numbers; none where the evidence is impossible.
  LeafNormals(const Circuit& circuit, std::int64_t place, std::span<NormalMixture> mixtures)
      : step_(place / std::ssize(circuit.variables)),
        variable_(static_cast<int>(place % std::ssize(circuit.variables))),
        mixtures_(mixtures) {}

  // Makes weights sum to 1, and leaves out those that no digit shows.
  void normalise();

 protected:
  void at_leaf(const Work<T>& work, int b, const StepView& view) override;

 private:
  void add_leaf(const Work<T>& work, int b);
  void add_joint(const Work<T>& work, int b, const StepView& view);
  void add(std::int64_t column, const NormalMixture::Part& part);

  std::int64_t step_;
  int variable_;
  std::span<NormalMixture> mixtures_;
};

}  // namespace logpx::pc
