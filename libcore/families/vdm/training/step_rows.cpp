#include "libcore/families/vdm/training/step_rows.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/det/draws.hpp"
#include "libcore/math/low_discrepancy.hpp"

namespace logpx::vdm {
namespace {

constexpr std::uint64_t draws_of_a_place = 4;  // blocks of normals; Draw has fewer kinds

Substream stream_of(const StepPlace& place, Stream stream) {
  return Rng(place.seed).stream(stream, static_cast<std::uint32_t>(place.step));
}

}  // namespace

StepRows::StepRows(const VdmModel& model, const LearnOptions& options, const Examples& examples)
    : model_(model),
      options_(options),
      examples_(examples),
      rows_(model.reader(), examples),
      augmentation_(options.augment, extents_of(examples.info),
                    examples.info.content == Content::image) {
  if (model.config().classes > 0) require_labels(model.config(), examples);
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
  return examples_.rows.y[at(shard.rows[at(i)])];
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

void require_labels(const Config& config, const Examples& examples) {
  if (!examples.info.has_labels)
    fail(ErrorKind::data, examples.info.name, "has no labels, and the model learns from them");
  for (std::size_t i = 0; i < examples.rows.y.size(); ++i)
    if (examples.rows.y[i] < 0 || examples.rows.y[i] >= config.classes)
      fail(ErrorKind::data, examples.info.name,
           "row " + std::to_string(examples.first + static_cast<std::int64_t>(i)) + " has label " +
               std::to_string(examples.rows.y[i]) + ", and the model knows 0 to " +
               std::to_string(config.classes - 1));
}

}  // namespace logpx::vdm
