#include "libcore/families/vdm/sampling/data_end.hpp"

#include "libcore/data/row_values.hpp"

#include <algorithm>
#include <cmath>

namespace logpx::vdm {

DataEnd::DataEnd(const DiffusionModel& model, double gamma_0)
    : model_(model),
      level_(model.process().at(gamma_0)),
      decoder_(std::max<std::int64_t>(model.levels(), 1), gamma_0) {}

std::vector<double> DataEnd::mean(std::span<const double> z) const {
  std::vector<double> x(z.begin(), z.end());
  for (double& value : x) value /= level_.alpha;
  if (model_.levels() > 0)
    for (double& value : x)
      value = (2 * decoder_.mean_level(value) + 1) / static_cast<double>(model_.levels()) - 1;
  return x;
}

std::vector<float> DataEnd::draw(std::span<const double> z, const Chance& chance) const {
  Cursor uniforms(chance.uniforms);
  std::vector<float> x(z.size());
  for (std::size_t d = 0; d < z.size(); ++d) {
    const double r = z[d] / level_.alpha;
    if (model_.levels() == 0)
      x[d] = static_cast<float>(r + std::exp(level_.gamma / 2) * chance.normals[d]);
    else x[d] = static_cast<float>(decoder_.draw(r, uniforms.uniform53()));
  }
  return x;
}

std::vector<float> DataEnd::stored(std::span<const double> x) const {
  std::vector<float> values(x.begin(), x.end());
  const auto levels = static_cast<double>(model_.levels());
  if (levels > 0)
    for (std::size_t d = 0; d < x.size(); ++d)
      values[d] = static_cast<float>(std::clamp((x[d] + 1) * levels / 2 - 0.5, 0.0, levels - 1));
  return stored_order(model_.model_info().samples, model_.reader().rules(), values);
}

}  // namespace logpx::vdm
