#include "libcore/families/vdm/training/noised_row.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/data/row_store.hpp"
#include "libcore/det/draws.hpp"
#include "libcore/math/low_discrepancy.hpp"

#include <cmath>

namespace logpx::vdm {

void to_network_values(std::int64_t levels, std::span<float> x) {
  if (levels == 0) return;
  for (float& value : x)
    value = static_cast<float>(value_of_level(static_cast<std::int64_t>(value), levels));
}

// d/dgamma of (alpha^2 x^2 + sigma^2 - ln sigma^2 - 1) / 2 is -alpha^2 (alpha^2 + sigma^2 x^2) / 2.
EndTerm prior_end_term(double gamma_1, std::span<const float> x) {
  const NoiseLevel last = Process{}.at(gamma_1);
  double squares = 0;
  for (const float value : x) squares += static_cast<double>(value) * static_cast<double>(value);
  const auto dims = static_cast<double>(x.size());
  return {0.5 * (last.alpha2 * (squares - dims) - dims * last.log_sigma2),
          -0.5 * last.alpha2 * (dims * last.alpha2 + last.sigma2 * squares)};
}

ReconTerm::ReconTerm(std::int64_t levels, double gamma_0)
    : levels_(levels),
      gamma_0_(gamma_0),
      deviation_(det_exp(gamma_0 / 2)),
      decoder_(levels > 0 ? levels : 2, gamma_0) {}

std::int64_t ReconTerm::level_of(float x) const {
  return std::llround((static_cast<double>(x) + 1) * static_cast<double>(levels_) / 2 - 0.5);
}

EndTerm ReconTerm::of_reals(std::size_t dims) const {
  return {static_cast<double>(dims) * expected_real_nats(gamma_0_), static_cast<double>(dims) / 2};
}

double ReconTerm::nats(std::span<const float> x, std::span<const float> noise) const {
  if (levels_ == 0) return of_reals(x.size()).nats;
  double sum = 0;
  for (std::size_t d = 0; d < x.size(); ++d) {
    const std::int64_t level = level_of(x[d]);
    const double off = deviation_ * static_cast<double>(noise[d]);
    sum -= decoder_.log_probability(level, value_of_level(level, levels_) + off);
  }
  return sum;
}

EndTerm ReconTerm::with_slope(std::span<const float> x, std::span<const float> noise) const {
  if (levels_ == 0) return of_reals(x.size());
  EndTerm sum;
  for (std::size_t d = 0; d < x.size(); ++d) {
    const std::int64_t level = level_of(x[d]);
    const double off = deviation_ * static_cast<double>(noise[d]);
    const double r = value_of_level(level, levels_) + off;
    const LevelDecoder::Slopes slopes = decoder_.slopes(level, r);
    sum.nats -= decoder_.log_probability(level, r);
    sum.slope -= slopes.gamma_0 + 0.5 * off * slopes.r;
  }
  return sum;
}

void mix_noise(const NoiseLevel& level, std::span<const float> x, std::span<const float> noise,
               std::span<float> z) {
  for (std::size_t d = 0; d < z.size(); ++d)
    z[d] = static_cast<float>(level.alpha * static_cast<double>(x[d]) +
                              level.sigma * static_cast<double>(noise[d]));
}

double slope_along(const NoiseLevel& level, std::span<const float> x, std::span<const float> noise,
                   std::span<const float> by_z) {
  const double by_x = -0.5 * level.alpha * level.sigma2,
               by_noise = 0.5 * level.sigma * level.alpha2;
  double sum = 0;
  for (std::size_t d = 0; d < x.size(); ++d)
    sum += static_cast<double>(by_z[d]) *
           (by_x * static_cast<double>(x[d]) + by_noise * static_cast<double>(noise[d]));
  return sum;
}

namespace {

constexpr std::uint64_t draws_of_a_place = 4;  // blocks of normals; Draw has fewer kinds

Substream stream_of(const StepPlace& place, Stream stream) {
  return Rng(place.seed).stream(stream, static_cast<std::uint32_t>(place.step));
}

}  // namespace

StepRows::StepRows(const VdmModel& model, const LearnOptions& options, const TaskRows& rows)
    : model_(model),
      options_(options),
      rows_(model.reader(), rows),
      augmentation_(options.augment, extents_of(rows.info), rows.info.content == Content::image) {
  if (model.config().classes > 0) require_labels(model.config(), rows);
}

bool StepRows::take(const Shard& shard, std::int64_t i, std::span<float> x) const {
  const auto epoch = static_cast<std::uint32_t>(shard.place.epoch);
  rows_.take(shard.rows[at(i)],
             training_noise(model_.reader().rules(), Rng(shard.place.seed), epoch), x);
  to_network_values(model_.levels(), x);
  return augmentation_.any() &&
         augmentation_.change(stream_of(shard.place, Stream::augmentation), shard.places[at(i)], x);
}

double StepRows::time(const StepPlace& place, std::int64_t row_place) const {
  const Substream words = stream_of(place, Stream::time);
  if (options_.times == TimeDraws::iid)
    return uniform53_at(words, static_cast<std::uint64_t>(row_place));
  return stratified_time(uniform53_at(words, 0), row_place, place.rows);
}

std::int32_t StepRows::label(const Shard& shard, std::int64_t i) const {
  const Config& config = model_.config();
  const auto place = static_cast<std::uint64_t>(shard.places[at(i)]);
  if (stream_of(shard.place, Stream::labels).uniform(place) < config.label_drop)
    return static_cast<std::int32_t>(config.classes);
  const RowPlace row = rows_.rows().at(shard.rows[at(i)]);
  return row.rows.y[at(row.from)];
}

void StepRows::noise(const StepPlace& place, std::int64_t row_place, Draw draw,
                     std::span<float> out) const {
  const std::uint64_t number =
      draws_of_a_place * static_cast<std::uint64_t>(row_place) + static_cast<std::uint64_t>(draw);
  fill_normals(stream_of(place, Stream::noise), number * out.size(), out);
}

void StepRows::recon_noise(const StepPlace& place, std::int64_t row_place,
                           std::span<float> out) const {
  fill_normals(stream_of(place, Stream::recon), static_cast<std::uint64_t>(row_place) * out.size(),
               out);
}

void require_labels(const Config& config, const TaskRows& rows) {
  if (!rows.info.has_labels)
    fail(ErrorKind::data, rows.info.name, "has no labels, and the model learns from them");
  rows.visit([&](const Examples& part) {
    for (std::size_t i = 0; i < part.rows.y.size(); ++i)
      if (part.rows.y[i] < 0 || part.rows.y[i] >= config.classes)
        fail(ErrorKind::data, part.info.name,
             "row " + std::to_string(part.first + static_cast<std::int64_t>(i)) + " has label " +
                 std::to_string(part.rows.y[i]) + ", and the model knows 0 to " +
                 std::to_string(config.classes - 1));
  });
}

}  // namespace logpx::vdm
