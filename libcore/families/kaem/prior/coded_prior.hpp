// The prior as an encoder and a decoder sample it: inverses of tabulated distribution functions,
// the same bits on every machine.   [kaem/README 11.1]
#pragma once

#include "libcore/base/parallel.hpp"
#include "libcore/energy/energy_cells.hpp"
#include "libcore/families/kaem/prior/prior_values.hpp"
#include "libcore/math/cell_quantiles.hpp"

#include <span>
#include <vector>

namespace logpx::kaem {

class CodedPrior {
 public:
  CodedPrior(const PriorValues& values, Workers& workers);
  // s [n,Q] from uniforms u [n,score_dims]: s_q = sum_p z_{q,p}; for a mixture z_q.
  void sums(std::span<const double> u, std::span<float> s) const;
  [[nodiscard]] std::int64_t score_dims() const { return form_.score_dims(); }
  [[nodiscard]] std::int64_t latents() const { return form_.n_q; }

 private:
  [[nodiscard]] double sum_of(std::size_t q, std::span<const double> u) const;
  PriorForm form_;
  std::vector<CellQuantiles> features_;  // a row for each curve; one of a mixture
};

}  // namespace logpx::kaem
