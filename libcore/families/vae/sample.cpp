#include "libcore/families/vae/sample.hpp"

#include "libcore/det/draws.hpp"
#include "libcore/families/vae/bound.hpp"
#include "libcore/families/vae/objective.hpp"
#include "libcore/math/blas.hpp"

#include <algorithm>

namespace logpx::vae {
namespace {

constexpr std::int64_t rows_drawn_at_a_time = 64;  // of the decoder, when it draws

class Joint final : public LatentJoint {
 public:
  Joint(const VaeModel& model, const Examples& examples, std::int64_t copies) : model_(model) {
    const std::int64_t rows = examples.rows.count;
    x_ = Tensor<float>({rows, model.dims()});
    model.reader().take_supported(examples, x_.span());
    build_joint(model, graph_, rows, copies);
    if (!model.likelihood().takes_index()) return;
    index_ = Tensor<std::int32_t>({copies, rows, model.dims()});
    fill_index(x_.span(), index_.span());
  }

  void evaluate(std::span<const float> z, const Values& values, const Gradient& gradient) override {
    single_threaded_kernels();
    const bool wanted = !gradient.values.empty();
    Executor<float>& run = executor(wanted);
    run.bind("z", z);
    run.forward();
    read(run, "log_prior", values.log_prior);
    read(run, "log_likelihood", values.log_likelihood);
    if (!wanted) return;
    std::ranges::fill(seed_, static_cast<float>(gradient.likelihood_weight));
    run.backward(seed_);
    const auto prior = static_cast<float>(gradient.prior_weight);  // d log p(z) = -z
    const std::span<const float> slope = run.gradient("z").span();
    for (std::size_t i = 0; i < z.size(); ++i) gradient.values[i] = slope[i] - prior * z[i];
  }

 private:
  Executor<float>& executor(bool with_gradient) {
    std::unique_ptr<Executor<float>>& run = with_gradient ? slopes_ : values_;
    if (run != nullptr) return *run;
    PlanRequest request;
    if (with_gradient) {
      request.from = "log_likelihood";
      request.inputs = {"z"};
    }
    run = std::make_unique<Executor<float>>(graph_, request);
    run->bind("x", x_.span());
    if (index_.size() > 0) run->bind_index("index", index_.span());
    run->bind_parameters(model_.param_set().block());
    const Shape shape = run->output("log_likelihood").shape;
    seed_.resize(static_cast<std::size_t>(shape.elements()));
    return *run;
  }
  static void read(const Executor<float>& run, const char* output, std::span<double> to) {
    std::ranges::copy(run.output(output).span(), to.begin());
  }

  const VaeModel& model_;
  Graph graph_;
  Tensor<float> x_;
  Tensor<std::int32_t> index_;
  std::unique_ptr<Executor<float>> values_, slopes_;
  std::vector<float> seed_;
};

std::unique_ptr<Graph> decoder_graph(const VaeModel& model, std::int64_t rows) {
  auto graph = std::make_unique<Graph>();
  build_decoder(model, *graph, rows);
  return graph;
}

class Latents final : public ModelLatents {
 public:
  explicit Latents(const VaeModel& model)
      : model_(model),
        decoders_([&model](std::int64_t rows, std::int64_t) { return decoder_graph(model, rows); },
                  {}) {}

  [[nodiscard]] std::int64_t dims() const override { return model_.latent(); }
  [[nodiscard]] bool has_posterior() const override {
    return model_.config().inference == Inference::encoder;
  }

  [[nodiscard]] Posterior encode(const Examples& examples) const override {
    single_threaded_kernels();
    const std::int64_t rows = examples.rows.count;
    const ExecutorPool::Loan loan = model_.encoders().lend({rows});
    Executor<float>& run = loan.executor();
    const std::span<float> x = loan.inputs().values("x");
    model_.reader().take_supported(examples, x);
    run.bind_parameters(model_.param_set().block());
    run.forward();
    Posterior posterior{.count = rows, .dims = dims(), .mean = {}, .log_var = {}};
    const auto mean = run.output("mean").span(), log_var = run.output("log_var").span();
    posterior.mean.assign(mean.begin(), mean.end());
    for (std::size_t i = 0; i < mean.size(); ++i)  // one vector for all rows repeats
      posterior.log_var.push_back(log_var[i % log_var.size()]);
    return posterior;
  }

  [[nodiscard]] std::vector<float> observed(const Examples& examples) const override {
    Tensor<float> x({examples.rows.count, model_.dims()});
    const RowRules& rules = model_.rules();
    model_.reader().take(examples, evaluation_noise(rules), x.span());
    std::vector<float> rows;
    for (std::int64_t i = 0; i < examples.rows.count; ++i) {
      const auto row = x.span().subspan(static_cast<std::size_t>(i) * x_dims(), x_dims());
      const std::vector<float> stored = stored_order(model_.info().samples, rules, row);
      rows.insert(rows.end(), stored.begin(), stored.end());
    }
    return rows;
  }

  [[nodiscard]] std::unique_ptr<LatentJoint> joint(const Examples& examples,
                                                   std::int64_t copies) const override {
    return std::make_unique<Joint>(model_, examples, copies);
  }

  void draw_prior(std::span<float> z, std::int64_t first, Rng rng) const override {
    const auto n = static_cast<std::size_t>(dims());
    for (std::size_t i = 0; i * n < z.size(); ++i)
      fill_normals(rng.stream(Stream::prior_samples,
                              static_cast<std::uint32_t>(first) + static_cast<std::uint32_t>(i)),
                   0, z.subspan(i * n, n));
  }

  [[nodiscard]] std::vector<float> mean(std::span<const float> z) const override {
    std::vector<float> means, x(x_dims());
    for_each_decoded(z, [&](std::int64_t, const Likelihood::HeadValues& heads) {
      for (std::size_t d = 0; d < x.size(); ++d)
        x[d] = static_cast<float>(model_.likelihood().mean(heads, d));
      const std::vector<float> row = stored_order(model_.info().samples, model_.rules(), x);
      means.insert(means.end(), row.begin(), row.end());
    });
    return means;
  }

  void sample(std::span<const float> z, Rows& out, std::int64_t first, Rng rng) const override {
    const DatasetInfo& data = model_.info().samples;
    out.count = std::ssize(z) / dims();
    out.x.assign(static_cast<std::size_t>(out.count) * data.row_bytes(), std::byte{0});
    std::vector<float> x(x_dims());
    for_each_decoded(z, [&](std::int64_t i, const Likelihood::HeadValues& heads) {
      DrawCursor draws(rng.stream(Stream::sample_model, static_cast<std::uint32_t>(first + i)));
      for (std::size_t d = 0; d < x.size(); ++d)
        x[d] = static_cast<float>(model_.likelihood().draw(heads, d, draws));
      store_values(data, model_.rules(), x, i, out);
    });
  }

 private:
  [[nodiscard]] std::size_t x_dims() const { return static_cast<std::size_t>(model_.dims()); }

  // use(number, heads of one z)
  template <typename Use>
  void for_each_decoded(std::span<const float> z, Use use) const {
    single_threaded_kernels();
    const std::int64_t count = std::ssize(z) / dims();
    for (std::int64_t first = 0; first < count; first += rows_drawn_at_a_time) {
      const std::int64_t rows = std::min(rows_drawn_at_a_time, count - first);
      const ExecutorPool::Loan loan = decoders_.lend({rows});
      Executor<float>& run = loan.executor();
      std::ranges::copy(z.subspan(static_cast<std::size_t>(first * dims()),
                                  static_cast<std::size_t>(rows * dims())),
                        loan.inputs().values("z").begin());
      run.bind_parameters(model_.param_set().block());
      run.forward();
      const DecodedHeads heads(model_, run);
      for (std::int64_t i = 0; i < rows; ++i) use(first + i, heads.row(i));
    }
  }

  const VaeModel& model_;
  mutable ExecutorPool decoders_;
};

std::string head_name(std::size_t head) { return "head" + std::to_string(head); }

}  // namespace

void build_decoder(const VaeModel& model, Graph& graph, std::int64_t rows) {
  const Heads heads = model.decode(graph.input("z", {rows, model.latent()}));
  for (std::size_t h = 0; h < heads.size(); ++h) graph.output(head_name(h), heads[h]);
}

ExecutorPool encoder_executors(const VaeModel& model) {
  const auto build = [&model](std::int64_t rows, std::int64_t) {
    auto graph = std::make_unique<Graph>();
    const Gaussian q = model.encode(model.target(*graph, rows, 1).x);
    graph->output("mean", q.mean);
    graph->output("log_var", q.log_var);
    return graph;
  };
  return {build, {}};
}

DecodedHeads::DecodedHeads(const VaeModel& model, const Executor<float>& run) {
  for (std::size_t h = 0; h < model.likelihood().heads().size(); ++h)
    heads_.push_back(run.output(head_name(h)));
}

Likelihood::HeadValues DecodedHeads::row(std::int64_t i) const {
  Likelihood::HeadValues values;
  for (const View<const float>& head : heads_) {
    const bool shared = head.shape.rank() == 0;
    const auto n = static_cast<std::size_t>(shared ? 1 : head.size() / head.shape[0]);
    values.push_back(head.span().subspan(shared ? 0 : static_cast<std::size_t>(i) * n, n));
  }
  return values;
}

std::unique_ptr<ModelLatents> make_latents(const VaeModel& model) {
  return std::make_unique<Latents>(model);
}

}  // namespace logpx::vae
