#include "libcore/families/vdm/sampling/sampling_plan.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/data/row_values.hpp"
#include "libcore/det/draws.hpp"
#include "libcore/families/vdm/process.hpp"
#include "libcore/math/blas.hpp"
#include "libcore/model/mean_rows.hpp"

#include <algorithm>
#include <cmath>

namespace logpx::vdm {
namespace {

constexpr std::int64_t usual_ancestral_steps = 250, usual_fast_steps = 25, usual_ode_steps = 100;

// `count` items from `first` on, and the generator of their noise.
struct Items {
  std::int64_t first = 0, count = 0, dims = 0;
  const Rng& rng;

  // Normals of a step, [count, dims]; step 0 is that of x given z_0.
  void draw(std::int64_t step, std::span<double> normals) const {
    std::vector<float> own(at(dims));
    const auto width = static_cast<std::uint64_t>((dims + 1) / 2 * 2);
    for (std::int64_t i = 0; i < count; ++i) {
      fill_normals(rng.stream(Stream::sample_model, static_cast<std::uint32_t>(first + i)),
                   static_cast<std::uint64_t>(step) * width, own);
      std::ranges::copy(own, normals.begin() + static_cast<std::ptrdiff_t>(i * dims));
    }
  }
};

class DiffusionSampling final : public SamplingPlan {
 public:
  explicit DiffusionSampling(const DiffusionModel& model) : model_(model) {}
  void describe(Fields& fields) override { settings_.describe(fields); }
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
  [[nodiscard]] const DatasetInfo& samples() const { return model_.model_info().samples; }
  // The frame that shows step i; -1: none does.
  [[nodiscard]] std::int64_t frame_of(std::int64_t step) const;
  // Values [D] of a row of samples(), from x between -1 and 1.
  [[nodiscard]] std::vector<float> stored(std::span<const double> x) const;
  void append_draws(const Items& items, std::span<const double> z, SampleChunk& chunk) const;
  void append_row_means(std::span<const double> z, SampleChunk& chunk) const;

  const DiffusionModel& model_;
  SamplingSettings settings_;
  std::vector<double> gammas_;
  std::int32_t label_ = no_label;
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

void DiffusionSampling::settle() {
  settle_class();
  settle_steps();
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

std::vector<float> DiffusionSampling::stored(std::span<const double> x) const {
  std::vector<float> values(x.begin(), x.end());
  const auto levels = static_cast<double>(model_.levels());
  if (levels > 0)
    for (std::size_t d = 0; d < x.size(); ++d)
      values[d] = static_cast<float>(std::clamp((x[d] + 1) * levels / 2 - 0.5, 0.0, levels - 1));
  return stored_order(samples(), model_.reader().rules(), values);
}

void DiffusionSampling::append_row_means(std::span<const double> z, SampleChunk& chunk) const {
  const NoiseLevel level = model_.process().at(gammas_.front());
  const std::size_t dims = at(samples().dims());
  std::vector<double> x(dims);
  for (std::size_t row = 0; row < z.size() / dims; ++row) {
    for (std::size_t d = 0; d < dims; ++d) x[d] = z[row * dims + d] / level.alpha;
    if (model_.levels() > 0) {
      const LevelDecoder decoder(model_.levels(), gammas_.front());
      for (double& value : x)
        value = (2 * decoder.mean_level(value) + 1) / static_cast<double>(model_.levels()) - 1;
    }
    append_means(samples(), stored(x), chunk.rows);
  }
}

void DiffusionSampling::append_draws(const Items& items, std::span<const double> z,
                                     SampleChunk& chunk) const {
  const NoiseLevel level = model_.process().at(gammas_.front());
  const std::size_t dims = at(items.dims);
  const DatasetInfo info = row_info(samples());
  chunk.rows.count = items.count;
  chunk.rows.x.resize(at(items.count) * info.row_bytes());
  std::vector<double> normals(z.size());
  if (model_.levels() == 0) items.draw(0, normals);
  const LevelDecoder decoder(std::max<std::int64_t>(model_.levels(), 1), level.gamma);
  std::vector<float> x(dims);
  for (std::int64_t i = 0; i < items.count; ++i) {
    Cursor uniforms(items.rng.stream(Stream::recon, static_cast<std::uint32_t>(items.first + i)));
    for (std::size_t d = 0; d < dims; ++d) {
      const std::size_t place = at(i) * dims + d;
      const double r = z[place] / level.alpha;
      if (model_.levels() == 0)
        x[d] = static_cast<float>(r + std::exp(level.gamma / 2) * normals[place]);
      else x[d] = static_cast<float>(decoder.draw(r, uniforms.uniform53()));
    }
    store_values(info, model_.reader().rules(), x, i, chunk.rows);
  }
}

SampleChunk DiffusionSampling::make(std::int64_t first, std::int64_t last, Rng rng) const {
  single_threaded_kernels();
  const Items items{first, last - first, samples().dims(), rng};
  Denoiser denoiser(model_.predictor(), model_.process());
  denoiser.clip_to(settings_.steps.limit(model_)).guide_by(settings_.guidance);
  const Sampler sampler(denoiser, gammas_, settings_.sampler);
  std::vector<double> z(at(items.count * items.dims));
  items.draw(sampler.steps() + 1, z);
  const double deviation = model_.process().prior_deviation(gammas_.back());
  for (double& value : z) value *= deviation;
  std::vector<std::int32_t> labels;
  if (model_.predictor().classes() > 0) labels.assign(at(items.count), label_);
  const std::int64_t frames = rows_per_item();
  std::vector<double> shown(settings_.trajectory ? z.size() * at(frames) : 0);
  Sampler::Watch watch;
  if (settings_.trajectory)
    watch = [&](std::int64_t step, std::span<const double> x_hat) {
      const std::int64_t frame = frame_of(step);
      if (frame < 0) return;
      const std::size_t dims = at(items.dims);
      for (std::size_t i = 0; i < x_hat.size(); ++i)
        shown[(i / dims * at(frames) + at(frame)) * dims + i % dims] = x_hat[i];
    };
  sampler.run(
      {z, labels}, [&](std::int64_t step, std::span<double> n) { items.draw(step, n); }, watch);
  SampleChunk chunk;
  if (settings_.trajectory)
    for (std::size_t at_row = 0; at_row < shown.size(); at_row += at(items.dims))
      append_means(samples(), stored(std::span(shown).subspan(at_row, at(items.dims))), chunk.rows);
  else if (settings_.mean) append_row_means(z, chunk);
  else append_draws(items, z, chunk);
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
}

std::unique_ptr<SamplingPlan> make_sampling(const DiffusionModel& model) {
  return std::make_unique<DiffusionSampling>(model);
}

}  // namespace logpx::vdm
