#include "libcore/families/vae/baselines/gradients.hpp"

#include "libcore/base/error.hpp"
#include "libcore/det/draws.hpp"
#include "libcore/families/bound_pass.hpp"
#include "libcore/families/vae/objective.hpp"
#include "libcore/grad/executor_pool.hpp"
#include "libcore/math/blas.hpp"

#include <algorithm>

namespace logpx::vae {
namespace {

enum class Baseline { none, mean_reward };

// One estimator, and its graphs for any number of rows.
struct Way {
  std::string name;
  ObjectiveOptions options;
  Baseline baseline = Baseline::none;
  std::unique_ptr<ExecutorPool> executors = nullptr;
  [[nodiscard]] const char* from() const {
    return options.objective == Objective::score_function ? "surrogate" : "loss";
  }
};

std::vector<Way> all_ways(const GradientSettings& settings) {
  const auto of = [&](Objective objective) {
    ObjectiveOptions options;
    options.objective = objective;
    options.k = settings.k;
    return options;
  };
  ObjectiveOptions sampled_kl;
  sampled_kl.estimator = Estimator::a;
  std::vector<Way> ways;
  const auto add = [&](const char* name, const ObjectiveOptions& options) -> Way& {
    return ways.emplace_back(Way{.name = name, .options = options});
  };
  add("sgvb-a", sampled_kl);
  add("sgvb-b", of(Objective::elbo));
  add("score-function", of(Objective::score_function));
  add("score-function-baseline", of(Objective::score_function)).baseline = Baseline::mean_reward;
  add("iwae", of(Objective::iwae));
  add("iwae-dreg", of(Objective::iwae_dreg));
  return ways;
}

class VaeGradients final : public ModelGradients {
 public:
  VaeGradients(const VaeModel& model, const GradientSettings& settings)
      : model_(model), ways_(all_ways(settings)) {
    for (Way& way : ways_)
      way.executors = std::make_unique<ExecutorPool>(
          [&model, options = way.options](std::int64_t rows, std::int64_t) {
            auto graph = std::make_unique<Graph>();
            build_objective(model, options, *graph, {rows});
            return graph;
          },
          PlanRequest{.from = way.from(), .parameters = true});
    for (const ParamInfo& info : model.param_set().infos())
      if (info.name.starts_with("encoder/")) infos_.push_back(&info);
  }

  [[nodiscard]] std::vector<std::string> estimators() const override {
    std::vector<std::string> names;
    for (const Way& way : ways_) names.push_back(way.name);
    return names;
  }
  [[nodiscard]] std::vector<Part> parts() const override {
    std::vector<Part> parts;
    for (const ParamInfo* info : infos_) parts.push_back({info->name, info->shape.elements()});
    return parts;
  }
  void draw(const Examples& minibatch, const std::string& estimator, std::uint32_t repeat, Rng rng,
            std::span<float> out) const override;

 private:
  [[nodiscard]] const Way& find(const std::string& estimator) const;
  void bind_rows(const Examples& minibatch, GraphInputs& inputs) const;

  const VaeModel& model_;
  std::vector<Way> ways_;
  std::vector<const ParamInfo*> infos_;
};

const Way& VaeGradients::find(const std::string& estimator) const {
  const auto found = std::ranges::find(ways_, estimator, &Way::name);
  LOGPX_ASSERT(found != ways_.end());
  return *found;
}

void VaeGradients::bind_rows(const Examples& minibatch, GraphInputs& inputs) const {
  const std::span<float> x = inputs.values("x");
  model_.reader().take_supported(minibatch, x);
  if (model_.likelihood().takes_index()) fill_index(x, inputs.indices("index"));
}

// The mean bound of all rows under noise that the gradient does not see, so that taking it off the
// reward leaves the mean gradient as it is.
float mean_reward(Executor<float>& executor, GraphInputs& inputs, const Substream& noise) {
  fill_normals(noise, 0, inputs.values("noise"));
  inputs.values("baseline")[0] = 0;
  executor.forward();
  double sum = 0;
  const auto losses = executor.output("loss").span();
  for (const float loss : losses) sum -= static_cast<double>(loss);
  return static_cast<float>(sum / static_cast<double>(losses.size()));
}

void VaeGradients::draw(const Examples& minibatch, const std::string& estimator,
                        std::uint32_t repeat, Rng rng, std::span<float> out) const {
  single_threaded_kernels();
  const Way& way = find(estimator);
  const ExecutorPool::Loan loan = way.executors->lend({minibatch.rows.count});
  Executor<float>& executor = loan.executor();
  GraphInputs& inputs = loan.inputs();
  const ParamSet& params = model_.param_set();
  std::vector<float> gradient(static_cast<std::size_t>(params.block_size()));
  executor.bind_parameters(params.block(), gradient);
  bind_rows(minibatch, inputs);
  if (way.options.objective == Objective::score_function)
    inputs.values("baseline")[0] =
        way.baseline == Baseline::none
            ? 0
            : mean_reward(executor, inputs, rng.stream(Stream::noise, repeat));
  if (way.options.objective == Objective::iwae_dreg) std::ranges::fill(inputs.values("pull"), 1.0F);
  fill_normals(rng.stream(Stream::evaluation, repeat), 0, inputs.values("noise"));
  executor.forward();
  if (way.options.objective == Objective::iwae_dreg)
    normalise_draws(executor.output("log_weights"), inputs.values("pull"));
  std::ranges::fill(inputs.seed(), -1 / static_cast<float>(minibatch.rows.count));
  executor.backward(inputs.seed());
  auto to = out.begin();
  for (const ParamInfo* info : infos_)
    to = std::copy_n(gradient.begin() + info->offset, info->shape.elements(), to);
}

}  // namespace

std::unique_ptr<ModelGradients> make_gradients(const VaeModel& model,
                                               const GradientSettings& settings) {
  if (model.config().inference != Inference::encoder || model.prior_params()) return nullptr;
  return std::make_unique<VaeGradients>(model, settings);
}

}  // namespace logpx::vae
