// What circuits say of themselves and of each other, without rows.   [pc/README 9.12]
#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/families/pc/measures/inner_product.hpp"
#include "libcore/families/pc/measures/joint_entropy.hpp"
#include "libcore/families/pc/queries/queries.hpp"
#include "libcore/math/blas.hpp"

#include <cmath>

namespace logpx::pc {

// Real numbers are wider in the units of the data than as the circuit reads them.
double Queries::joint_entropy(std::int64_t width) const {
  double nats = pc::joint_entropy(plan_, *weights(), steps_of(width));
  const std::vector<double>& deviation = rows_.rules().columns.deviation;
  for (std::int64_t place = 0; place < width && !deviation.empty(); ++place)
    if (is_real(place)) nats += std::log(deviation[at(place)]);
  return nats;
}

double Queries::log_inner(const ModelQueries& other, std::int64_t width) const {
  const auto* const circuit = dynamic_cast<const Queries*>(&other);
  if (circuit == nullptr) fail(ErrorKind::usage, "--other", "is no circuit");
  if (reads_colours() != circuit->reads_colours())
    fail(ErrorKind::usage, "--other", "is of another form: one of the two reads colours whole");
  if (plan_.carry() >= 0 && plan_.circuit().has_reals())
    fail(ErrorKind::usage, "--other", "is not compared by inner products of real sequences");
  single_threaded_kernels();
  const auto with_units = [](const Queries& one) {
    return [&one](int variable, SummedCircuit::Normal read) -> SummedCircuit::Normal {
      const std::vector<double>& deviation = one.rows_.rules().columns.deviation;
      const double unit = deviation.empty() ? 1 : deviation[at(variable)];
      return {.mean = one.rows_.in_units(read.mean, variable), .deviation = read.deviation * unit};
    };
  };
  const Weights own = weights(), others = circuit->weights();
  return log_inner_product({plan_, *own, with_units(*this)},
                           {circuit->plan_, *others, with_units(*circuit)}, steps_of(width));
}

// Every row that sums to 1 has one number less than it holds. What only decides the styles of
// training rows is no parameter of p(x).
std::int64_t Queries::free_parameters() const {
  std::int64_t count = 0;
  for (const ParamInfo& info : params_.infos()) {
    const std::int64_t numbers = info.shape.elements();
    if (info.name == style_values_tensor) continue;
    if (use_of(info.name) == TensorUse::parameters) count += numbers;
    if (use_of(info.name) == TensorUse::rows) count += numbers - numbers / info.shape.back();
  }
  return count;
}

}  // namespace logpx::pc
