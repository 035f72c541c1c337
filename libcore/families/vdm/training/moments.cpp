#include "libcore/families/vdm/training/moments.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/data/row_values.hpp"
#include "libcore/families/vdm/reconstruction.hpp"
#include "libcore/families/vdm/training/noised_row.hpp"

#include <cmath>

namespace logpx::vdm {

void Moments::check(const std::string& subject) const {
  const std::size_t dims = mean.size();
  const auto refuse = [&](const std::string& what) { fail(ErrorKind::data, subject, what); };
  if (dims == 0 || covariance.size() != dims * dims)
    refuse("holds " + std::to_string(dims) + " means and " + std::to_string(covariance.size()) +
           " covariances, expected D and D lists of D");
  for (const std::vector<double>* all : {&mean, &covariance})
    for (const double value : *all)
      if (!std::isfinite(value)) refuse("holds a number that is not finite");
  for (std::size_t d = 0; d < dims; ++d)
    for (std::size_t e = 0; e <= d; ++e) {
      const double one = covariance[d * dims + e], other = covariance[e * dims + d];
      const double most = covariance[d * dims + d] * covariance[e * dims + e];
      if (one != other || (d == e && one < 0) || one * one > most * (1 + 1e-9))
        refuse("holds no covariance in row " + std::to_string(d) + ", column " + std::to_string(e));
    }
}

Moments moments_of(const RowReader& reader, std::int64_t levels, const Examples& examples) {
  const std::size_t count = at(examples.rows.count);
  const std::size_t dims = at(reader.dims(examples.info));
  std::vector<float> x(dims * count);
  reader.take_supported(examples, x);
  to_network_values(levels, x);
  Moments moments{std::vector<double>(dims), std::vector<double>(dims * dims)};
  for (std::size_t i = 0; i < x.size(); ++i)
    moments.mean[i % dims] += static_cast<double>(x[i]) / static_cast<double>(count);
  std::vector<double> off(dims);
  for (std::size_t row = 0; row < count; ++row) {
    for (std::size_t d = 0; d < dims; ++d)
      off[d] = static_cast<double>(x[row * dims + d]) - moments.mean[d];
    for (std::size_t d = 0; d < dims; ++d)
      for (std::size_t e = 0; e <= d; ++e)
        moments.covariance[d * dims + e] += off[d] * off[e] / static_cast<double>(count);
  }
  for (std::size_t d = 0; d < dims; ++d)
    for (std::size_t e = 0; e < d; ++e)
      moments.covariance[e * dims + d] = moments.covariance[d * dims + e];
  return moments;
}

Moments network_moments(const Moments& stored, std::int64_t levels, const DatasetInfo& data) {
  const std::size_t dims = at(data.dims());
  if (stored.mean.size() != dims)
    fail(ErrorKind::data, "--moments",
         "are those of D = " + std::to_string(stored.mean.size()) + ", and " + data.name + " has " +
             std::to_string(dims) + " columns");
  const Standardisation& columns = data.standardisation;
  const ChannelsFirst places(data);
  std::vector<double> factor(dims, 1.0);
  Moments seen{std::vector<double>(dims), std::vector<double>(dims * dims)};
  for (std::size_t d = 0; d < dims; ++d) {
    double shift = 0;
    if (levels > 0) {
      factor[d] = 2 / static_cast<double>(levels);
      shift = value_of_level(0, levels);
    } else if (!columns.empty()) {
      factor[d] = 1 / columns.deviation[d];
      shift = -columns.mean[d] / columns.deviation[d];
    }
    seen.mean[places(d)] = stored.mean[d] * factor[d] + shift;
  }
  for (std::size_t d = 0; d < dims; ++d)
    for (std::size_t e = 0; e < dims; ++e)
      seen.covariance[places(d) * dims + places(e)] =
          stored.covariance[d * dims + e] * factor[d] * factor[e];
  return seen;
}

}  // namespace logpx::vdm
