#include "libcore/families/kaem/normal_latents.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/families/bound_pass.hpp"
#include "libcore/families/kaem/decoding.hpp"
#include "libcore/families/kaem/likelihood_graph.hpp"
#include "libcore/families/kaem/model.hpp"
#include "libcore/families/kaem/prior/prior_draws.hpp"
#include "libcore/math/blas.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace logpx::kaem {
namespace {

class Joint final : public LatentJoint {
 public:
  Joint(const KaemModel& model, const Examples& examples, std::int64_t copies)
      : model_(model), scores_(model.scores()), x_({examples.rows.count, model.dims()}) {
    model.reader().take_supported(examples, x_.span());
    graph_ = likelihood_graph(model, {examples.rows.count, copies});
    inputs_.emplace(*graph_, "log_likelihood");
    const auto points = at(copies * examples.rows.count);
    z_.resize(points * at(model.prior_form().z_dims()));
    slopes_.resize(z_.size());
    bind_rows(model, x_.span(), *inputs_);
  }

  void evaluate(std::span<const float> v, const Values& values, const Gradient& gradient) override {
    single_threaded_kernels();
    const bool wanted = !gradient.values.empty();
    scores_.to_z(v, z_, wanted ? std::span<double>(slopes_) : std::span<double>());
    sum_rows(model_.prior_form(), z_, inputs_->values("s"));
    Executor<float>& run = executor(wanted);
    run.forward();
    const double jacobian = model_.reader().log_jacobian();
    const std::span<const float> log_p = run.output("log_likelihood").span();
    const std::size_t dims = v.size() / log_p.size();
    for (std::size_t i = 0; i < log_p.size(); ++i) {
      values.log_likelihood[i] = static_cast<double>(log_p[i]) + jacobian;
      double squares = 0;
      for (const float score : v.subspan(i * dims, dims))
        squares += static_cast<double>(score) * static_cast<double>(score);
      values.log_prior[i] =
          -(squares + static_cast<double>(dims) * std::log(2 * std::numbers::pi)) / 2;
    }
    if (wanted) go_back(run, v, gradient);
  }

 private:
  // dL/dz_qp is dL/ds_q.
  void go_back(Executor<float>& run, std::span<const float> v, const Gradient& gradient) {
    std::ranges::fill(inputs_->seed(), static_cast<float>(gradient.likelihood_weight));
    run.backward(inputs_->seed());
    const std::span<const float> by_s = run.gradient("s").span();
    const std::size_t parts = z_.size() / by_s.size();
    for (std::size_t i = 0; i < z_.size(); ++i) z_[i] = static_cast<double>(by_s[i / parts]);
    scores_.pull_back(z_, slopes_, gradient.values);
    for (std::size_t i = 0; i < v.size(); ++i)
      gradient.values[i] -= static_cast<float>(gradient.prior_weight) * v[i];
  }
  Executor<float>& executor(bool with_gradient) {
    std::unique_ptr<Executor<float>>& run = with_gradient ? backward_ : forward_;
    if (run != nullptr) return *run;
    PlanRequest request;
    if (with_gradient) {
      request.from = "log_likelihood";
      request.inputs = {"s"};
    }
    run = std::make_unique<Executor<float>>(*graph_, request);
    inputs_->bind_to(*run);
    run->bind_parameters(model_.param_set().block());
    return *run;
  }

  const KaemModel& model_;
  const NormalScores& scores_;
  Tensor<float> x_;
  std::unique_ptr<Graph> graph_;
  std::unique_ptr<Executor<float>> forward_, backward_;
  std::optional<GraphInputs> inputs_;
  std::vector<double> z_, slopes_;
};

class NormalLatents final : public ModelLatents {
 public:
  explicit NormalLatents(const KaemModel& model) : model_(model), decoder_(model) {}

  [[nodiscard]] std::int64_t dims() const override { return model_.prior_form().score_dims(); }
  [[nodiscard]] bool has_posterior() const override { return model_.has_encoder(); }
  [[nodiscard]] Posterior encode(const Examples& examples) const override {
    if (has_posterior()) return encode_rows(model_, model_.encoders(), examples);
    fail(ErrorKind::usage, "this kaem", "has no encoder",
         "fit-prior DATA -o KE.h5 --encoder-for MODEL.h5");
  }
  [[nodiscard]] std::vector<float> observed(const Examples& examples) const override {
    return model_.reader().observed(examples, model_.info().samples);
  }
  [[nodiscard]] std::unique_ptr<LatentJoint> joint(const Examples& examples,
                                                   std::int64_t copies) const override {
    return std::make_unique<Joint>(model_, examples, copies);
  }

  // The scores of the samples that sample-its draws.
  void draw_prior(std::span<float> v, std::int64_t first, Rng rng) const override {
    const std::int64_t count = std::ssize(v) / dims();
    const std::vector<double> z = draw_rows(model_.components(), first, count, rng);
    model_.scores().from_z(z, v);
  }

  [[nodiscard]] std::vector<float> mean(std::span<const float> v) const override {
    const std::vector<float> s = sums(v);
    return decoder_.mean(s);
  }
  void sample(std::span<const float> v, Rows& out, std::int64_t first, Rng rng) const override {
    const std::vector<float> s = sums(v);
    decoder_.sample(s, out, first, rng);
  }

 private:
  [[nodiscard]] std::vector<float> sums(std::span<const float> v) const {
    const PriorForm& form = model_.prior_form();
    const std::int64_t count = std::ssize(v) / dims();
    std::vector<double> z(at(count * form.z_dims()));
    model_.scores().to_z(v, z, {});
    std::vector<float> s(at(count * form.n_q));
    sum_rows(form, z, s);
    return s;
  }

  const KaemModel& model_;
  RowDecoder decoder_;
};

}  // namespace

std::unique_ptr<ModelLatents> make_latents(const KaemModel& model) {
  return std::make_unique<NormalLatents>(model);
}

}  // namespace logpx::kaem
