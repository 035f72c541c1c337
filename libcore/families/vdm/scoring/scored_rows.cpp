#include "libcore/families/vdm/scoring/scored_rows.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/stop.hpp"
#include "libcore/det/draws.hpp"
#include "libcore/families/vdm/process.hpp"

#include <algorithm>
#include <cmath>

namespace logpx::vdm {
namespace {

constexpr std::int64_t places_at_a_time = 64;

void draw(const Substream& substream, std::uint64_t which, std::span<double> eps) {
  std::vector<float> normals(eps.size());
  // An even number of elements for each draw: normals come in pairs.
  fill_normals(substream, which * ((eps.size() + 1) / 2 * 2), normals);
  std::ranges::copy(normals, eps.begin());
}

void check_label(std::int32_t label, std::int64_t classes, std::int64_t row) {
  if (label >= 0 && label < classes) return;
  fail(ErrorKind::data, "row " + std::to_string(row),
       "has label " + std::to_string(label) + ", but the model knows 0 to " +
           std::to_string(classes - 1));
}

}  // namespace

std::span<const double> ScoredRows::row(std::int64_t i) const {
  return std::span(x).subspan(at(i * dims), at(dims));
}

ScoredRows take_rows(const DiffusionModel& model, const Examples& examples, Labels labels) {
  ScoredRows rows{.count = examples.rows.count,
                  .dims = model.predictor().dims(),
                  .first = examples.first,
                  .x = {},
                  .labels = {}};
  std::vector<float> values(at(rows.count * rows.dims));
  model.reader().take_supported(examples, values);
  for (const float value : values)
    rows.x.push_back(model.levels() == 0
                         ? static_cast<double>(value)
                         : value_of_level(static_cast<std::int64_t>(value), model.levels()));
  const std::int64_t classes = model.predictor().classes();
  if (classes == 0) return rows;
  if (labels == Labels::ignored) return rows.labels.assign(at(rows.count), no_label), rows;
  if (examples.rows.y.empty())
    fail(ErrorKind::data, "", "has no labels, and the model was trained with them", "--no-labels");
  rows.labels = examples.rows.y;
  for (std::int64_t i = 0; i < rows.count; ++i)
    check_label(rows.labels[at(i)], classes, rows.first + i);
  return rows;
}

void draw_noise(const Rng& rng, std::uint32_t row, std::uint64_t which, std::span<double> eps) {
  draw(rng.stream(Stream::noise, row), which, eps);
}

void draw_first_noise(const Rng& rng, std::uint32_t row, std::uint64_t which,
                      std::span<double> eps) {
  draw(rng.stream(Stream::recon, row), which, eps);
}

std::vector<double> denoising_errors(const Denoiser& denoiser, const ScoredRows& rows,
                                     std::span<const NoisyPlace> places, const Rng& rng) {
  const std::size_t dims = at(rows.dims);
  std::vector<double> errors, z, eps, noise;
  std::vector<NoiseLevel> levels;
  std::vector<std::int32_t> labels;
  for (std::int64_t first = 0; first < std::ssize(places); first += places_at_a_time) {
    stop::check();
    const auto held =
        places.subspan(at(first), std::min(at(places_at_a_time), places.size() - at(first)));
    levels.clear();
    labels.clear();
    for (std::vector<double>* tensor : {&z, &eps, &noise}) tensor->resize(held.size() * dims);
    for (std::size_t p = 0; p < held.size(); ++p) {
      const NoisyPlace& place = held[p];
      const NoiseLevel& level = levels.emplace_back(denoiser.process().at(place.gamma));
      const auto own = std::span(eps).subspan(p * dims, dims);
      draw_noise(rng, rows.number(place.row), place.draw, own);
      const std::span<const double> x = rows.row(place.row);
      for (std::size_t d = 0; d < dims; ++d)
        z[p * dims + d] = level.alpha * x[d] + level.sigma * own[d];
      if (!rows.labels.empty()) labels.push_back(rows.labels[at(place.row)]);
    }
    denoiser.noise({z, levels, labels}, noise);
    for (std::size_t p = 0; p < held.size(); ++p) {
      double sum = 0;
      for (std::size_t i = p * dims; i < (p + 1) * dims; ++i)
        sum += (eps[i] - noise[i]) * (eps[i] - noise[i]);
      errors.push_back(sum);
    }
  }
  return errors;
}

double log_reconstruction(std::int64_t levels, double gamma_0, std::span<const double> x,
                          std::span<const double> r) {
  const LevelDecoder decoder(levels, gamma_0);
  double sum = 0;
  for (std::size_t d = 0; d < x.size(); ++d)
    sum += decoder.log_probability(level_of_value(x[d], levels), r[d]);
  return sum;
}

double prior_term(double gamma_1, std::span<const double> x) {
  double sum = 0;
  for (const double value : x) sum += Process::prior_nats(gamma_1, value);
  return sum;
}

}  // namespace logpx::vdm
