#include "libcore/families/vdm/sampling/sampling_plan.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/data/row_values.hpp"
#include "libcore/families/vdm/grids/expected_bound.hpp"
#include "libcore/families/vdm/sampling/completer.hpp"
#include "libcore/families/vdm/sampling/data_end.hpp"
#include "libcore/families/vdm/sampling/given_rows.hpp"
#include "libcore/math/blas.hpp"
#include "libcore/model/mean_rows.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace logpx::vdm {
namespace {

constexpr std::int64_t usual_ancestral_steps = 250, usual_fast_steps = 25, usual_ode_steps = 100;

// `count` items from `noise.first` on.
struct Items {
  ItemNoise noise;
  std::int64_t count = 0, dims = 0;

  // Normals of a step, [count, dims]; step 0 is that of x given z_0.
  void draw(std::int64_t step, std::span<double> normals) const {
    for (std::int64_t i = 0; i < count; ++i)
      noise.normals(i, static_cast<std::uint64_t>(step), normals.subspan(at(i * dims), at(dims)));
  }
  [[nodiscard]] std::span<const double> row(std::span<const double> each, std::int64_t i) const {
    return each.subspan(at(i * dims), at(dims));
  }
};

class DiffusionSampling final : public SamplingPlan, public Completion {
 public:
  explicit DiffusionSampling(const DiffusionModel& model) : model_(model) {}
  void describe(Fields& fields) override { settings_.describe(fields); }
  [[nodiscard]] Completion* completion() override { return this; }
  void start_from(KnownRows given) override { given_.emplace(model_, std::move(given)); }
  void settle() override;
  [[nodiscard]] DatasetInfo rows() const override;
  [[nodiscard]] bool gives_means() const override { return settings_.mean || settings_.trajectory; }
  [[nodiscard]] std::int64_t rows_per_item() const override {
    return settings_.trajectory.value_or(1);
  }
  [[nodiscard]] SampleChunk make(std::int64_t first, std::int64_t last, Rng rng) const override;

 private:
  void settle_class();
  void settle_steps();
  void settle_completion() const;
  [[nodiscard]] const DatasetInfo& samples() const { return model_.model_info().samples; }
  // The frame that shows step i; -1: none does.
  [[nodiscard]] std::int64_t frame_of(std::int64_t step) const;
  // The class of each item, for networks that know any.
  [[nodiscard]] std::vector<std::int32_t> labels_of(const Items& items) const {
    if (model_.predictor().classes() == 0) return {};
    return std::vector<std::int32_t>(at(items.count), label_);
  }
  // z_0 of items [count, D]; of completions also how many samples they are worth.
  [[nodiscard]] std::vector<double> sampled(const Items& items, const Denoiser& denoiser,
                                            const Sampler::Watch& watch) const;
  [[nodiscard]] std::vector<double> completed(const Items& items, const Denoiser& denoiser,
                                              SampleChunk& chunk) const;
  void append_draws(const Items& items, std::span<const double> z, SampleChunk& chunk) const;
  void append_means_of(const Items& items, std::span<const double> z, SampleChunk& chunk) const;
  void append_frames(const Items& items, const Denoiser& denoiser, SampleChunk& chunk) const;

  const DiffusionModel& model_;
  SamplingSettings settings_;
  std::vector<double> gammas_;
  std::int32_t label_ = no_label;
  std::optional<GivenRows> given_;  // samples complete them
};

void DiffusionSampling::settle_class() {
  const std::int64_t classes = model_.predictor().classes();
  if (!settings_.label) {
    if (!model_.knows_no_label())
      fail(ErrorKind::usage, "", "this model was trained with --label-drop 0: it needs a --class");
    return;
  }
  const std::string subject = "--class " + *settings_.label;
  if (classes == 0)
    fail(ErrorKind::usage, subject, "this model was trained without labels", "train-vdm --labels");
  const std::vector<std::string>& names = model_.model_info().data.label_names;
  const auto named = std::ranges::find(names, *settings_.label);
  const std::optional<std::int64_t> number = parse_integer(*settings_.label);
  if (named != names.end()) label_ = static_cast<std::int32_t>(named - names.begin());
  else if (number && *number >= 0 && *number < classes) label_ = static_cast<std::int32_t>(*number);
  else
    fail(ErrorKind::usage, subject,
         "is not one of this model's classes, 0 to " + std::to_string(classes - 1) +
             (names.empty() ? "" : ": " + join_text(names, ", ")));
  if (settings_.guidance != 0 && !model_.knows_no_label())
    fail(ErrorKind::usage, "--guidance", "needs a model that was trained with a --label-drop");
}

void DiffusionSampling::settle_steps() {
  StepKnobs& steps = settings_.steps;
  const SamplerKind kind = settings_.sampler;
  const bool fast = kind == SamplerKind::ddim || kind == SamplerKind::dpm2m;
  if (!steps.timesteps) {
    if (fast) steps.timesteps = usual_fast_steps;
    else if (kind == SamplerKind::ode) steps.timesteps = usual_ode_steps;
    else steps.timesteps = model_.timesteps() > 0 ? model_.timesteps() : usual_ancestral_steps;
  }
  steps.settle_clipping(model_, "range");
  steps.settle_grid(model_);
  gammas_ = steps.gammas(model_, model_.schedule());
}

void DiffusionSampling::settle_completion() const {
  if (!given_ && settings_.particles) fail(ErrorKind::usage, "--particles", "goes with --given");
  if (given_ && settings_.sampler != SamplerKind::ancestral)
    fail(ErrorKind::usage, "--sampler", "rows are completed by draws, and not along the flow",
         "--sampler ancestral");
  if (given_ && settings_.trajectory)
    fail(ErrorKind::usage, "--trajectory", "does nothing with --given");
}

void DiffusionSampling::settle() {
  settle_class();
  settle_steps();
  settle_completion();
  if (!settings_.trajectory) return;
  if (*settings_.trajectory > *settings_.steps.timesteps)
    fail(ErrorKind::usage, "--trajectory " + std::to_string(*settings_.trajectory),
         "shows more frames than there are steps",
         "--timesteps " + std::to_string(*settings_.trajectory));
}

DatasetInfo DiffusionSampling::rows() const {
  DatasetInfo info = gives_means() ? mean_info(samples()) : row_info(samples());
  if (label_ == no_label) return info;
  info.has_labels = true;
  info.label_names = model_.model_info().data.label_names;
  return info;
}

std::int64_t DiffusionSampling::frame_of(std::int64_t step) const {
  const std::int64_t frames = *settings_.trajectory, last = std::ssize(gammas_) - 2;
  const std::int64_t place = last + 1 - step;  // 0 .. last, in the order of sampling
  if (frames == 1) return place == last ? 0 : -1;
  const std::int64_t frame = (place * (frames - 1) + last - 1) / std::max<std::int64_t>(last, 1);
  return frame * last / (frames - 1) == place ? frame : -1;
}

void DiffusionSampling::append_means_of(const Items& items, std::span<const double> z,
                                        SampleChunk& chunk) const {
  const DataEnd end(model_, gammas_.front());
  for (std::int64_t i = 0; i < items.count; ++i) {
    std::vector<double> x = end.mean(items.row(z, i));
    if (given_) given_->keep(items.noise.first + i, x);
    append_means(samples(), end.stored(x), chunk.rows);
  }
}

void DiffusionSampling::append_draws(const Items& items, std::span<const double> z,
                                     SampleChunk& chunk) const {
  const DataEnd end(model_, gammas_.front());
  const DatasetInfo info = row_info(samples());
  chunk.rows.count = items.count;
  chunk.rows.x.resize(at(items.count) * info.row_bytes());
  std::vector<double> normals(z.size());
  if (model_.levels() == 0) items.draw(0, normals);
  for (std::int64_t i = 0; i < items.count; ++i) {
    const std::int64_t item = items.noise.first + i;
    const Substream uniforms =
        items.noise.rng.stream(Stream::recon, static_cast<std::uint32_t>(item));
    std::vector<float> x = end.draw(items.row(z, i), {uniforms, items.row(normals, i)});
    if (given_) given_->keep_values(item, x);
    store_values(info, model_.reader().rules(), x, i, chunk.rows);
    if (given_) given_->keep_stored(item, i, chunk.rows);
  }
}

std::vector<double> DiffusionSampling::sampled(const Items& items, const Denoiser& denoiser,
                                               const Sampler::Watch& watch) const {
  const Sampler sampler(denoiser, gammas_, settings_.sampler);
  std::vector<double> z(at(items.count * items.dims));
  items.draw(sampler.steps() + 1, z);
  const double deviation = model_.process().prior_deviation(gammas_.back());
  for (double& value : z) value *= deviation;
  sampler.run(
      {z, labels_of(items)}, [&](std::int64_t step, std::span<double> n) { items.draw(step, n); },
      watch);
  return z;
}

void DiffusionSampling::append_frames(const Items& items, const Denoiser& denoiser,
                                      SampleChunk& chunk) const {
  const std::size_t dims = at(items.dims), frames = at(rows_per_item());
  std::vector<double> shown(at(items.count) * frames * dims);
  static_cast<void>(sampled(items, denoiser, [&](std::int64_t step, std::span<const double> x_hat) {
    const std::int64_t frame = frame_of(step);
    if (frame < 0) return;
    for (std::size_t i = 0; i < x_hat.size(); ++i)
      shown[(i / dims * frames + at(frame)) * dims + i % dims] = x_hat[i];
  }));
  const DataEnd end(model_, gammas_.front());
  for (std::size_t row = 0; row < shown.size(); row += dims)
    append_means(samples(), end.stored(std::span(shown).subspan(row, dims)), chunk.rows);
}

std::vector<double> DiffusionSampling::completed(const Items& items, const Denoiser& denoiser,
                                                 SampleChunk& chunk) const {
  const std::int64_t particles = settings_.particles.value_or(1);
  const Completer completer(
      denoiser, {gammas_, expected_errors(model_, gammas_), particles, model_.levels()});
  std::vector<double> x, z(at(items.count * items.dims)), effective(at(items.count));
  std::vector<std::uint8_t> known;
  for (std::int64_t i = 0; i < items.count; ++i) {
    std::ranges::copy(given_->x(items.noise.first + i), std::back_inserter(x));
    std::ranges::copy(given_->known(items.noise.first + i), std::back_inserter(known));
  }
  completer.run({x, known, labels_of(items)}, items.noise, {z, effective});
  if (particles > 1) {
    const std::vector<float> each(effective.begin(), effective.end());
    chunk.codes.push_back(SampleCode::of<float>("ess", {}, each));
  }
  return z;
}

SampleChunk DiffusionSampling::make(std::int64_t first, std::int64_t last, Rng rng) const {
  single_threaded_kernels();
  const Items items{{first, rng}, last - first, samples().dims()};
  Denoiser denoiser(model_.predictor(), model_.process());
  denoiser.clip_to(settings_.steps.limit(model_)).guide_by(settings_.guidance);
  SampleChunk chunk;
  if (settings_.trajectory) append_frames(items, denoiser, chunk);
  else {
    const std::vector<double> z =
        given_ ? completed(items, denoiser, chunk) : sampled(items, denoiser, {});
    if (settings_.mean) append_means_of(items, z, chunk);
    else append_draws(items, z, chunk);
  }
  if (label_ != no_label) chunk.rows.y.assign(at(chunk.rows.count), label_);
  return chunk;
}

}  // namespace

void SamplingSettings::describe(Fields& fields) {
  fields
      .add("sampler", sampler,
           {{"ancestral", SamplerKind::ancestral, "draw every step, as the model is defined"},
            {"ddim", SamplerKind::ddim, "along the flow, in first order"},
            {"dpm2m", SamplerKind::dpm2m, "along the flow, in second order: good from 20 steps on"},
            {"ode", SamplerKind::ode, "along the flow, in fourth order"}},
           "how noise becomes data: by draws, or along the flow in first, second or fourth order")
      .rank(Rank::manual);
  steps.describe(fields, {.default_steps = "those of the training, or 250; 25 for ddim and dpm2m, "
                                           "100 for ode",
                          .default_clipping = "range, for levels"});
  fields.add("class", label, "draw this class, by number or name")
      .metavar("CLASS")
      .rank(Rank::manual);
  fields.add("guidance", guidance, "how much more than the class itself asks for")
      .range(0, 1000)
      .when({[this] { return label.has_value(); }, "--class"})
      .rank(Rank::manual);
  fields.add("trajectory", trajectory, "show so many predictions of x on the way, not the draw")
      .at_least(1)
      .rank(Rank::manual);
  fields.add("mean", mean, "write the mean of p(x|z), not a draw")
      .unless({[this] { return trajectory.has_value(); }, "--trajectory, which shows means"});
  fields.add("particles", particles, "completions that are weighed for each draw")
      .range(1, 1 << 16)
      .shows_default("1")
      .rank(Rank::manual);
}

std::unique_ptr<SamplingPlan> make_sampling(const DiffusionModel& model) {
  return std::make_unique<DiffusionSampling>(model);
}

}  // namespace logpx::vdm
