#include "libcore/families/vae/sample.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/det/draws.hpp"
#include "libcore/families/vae/objective.hpp"
#include "libcore/math/blas.hpp"
#include "libcore/model/latent_decoder.hpp"

#include <algorithm>

namespace logpx::vae {
namespace {

class Joint final : public LatentJoint {
 public:
  Joint(const VaeModel& model, const GaussianMixture* prior, const Examples& examples,
        std::int64_t copies)
      : model_(model), prior_(prior) {
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
    std::vector<double> slopes(wanted && prior_ != nullptr ? z.size() : 0);
    if (prior_ != nullptr) {
      const std::vector<double> exact(z.begin(), z.end());
      prior_->log_density(exact, values.log_prior, slopes);
    }
    if (!wanted) return;
    std::ranges::fill(seed_, static_cast<float>(gradient.likelihood_weight));
    run.backward(seed_);
    const auto weight = static_cast<float>(gradient.prior_weight);
    const std::span<const float> slope = run.gradient("z").span();
    for (std::size_t i = 0; i < z.size(); ++i)
      gradient.values[i] =
          slope[i] + weight * (prior_ != nullptr ? static_cast<float>(slopes[i]) : -z[i]);
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
  const GaussianMixture* prior_;  // null: N(0, I)
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
        prior_(model.prior(model.param_set().block())),
        decoder_([&model](std::int64_t rows, std::int64_t) { return decoder_graph(model, rows); },
                 {model.likelihood(), model.info().samples, model.rules()}) {
    if (model.context() != nullptr) walk_ = make_walk(model);
  }

  [[nodiscard]] std::int64_t dims() const override { return model_.latent(); }
  [[nodiscard]] bool has_posterior() const override {
    return model_.config().inference == Inference::encoder;
  }

  [[nodiscard]] Posterior encode(const Examples& examples) const override {
    return encode_rows(model_, model_.encoders(), examples);
  }

  [[nodiscard]] std::vector<float> observed(const Examples& examples) const override {
    return model_.reader().observed(examples, model_.info().samples);
  }

  [[nodiscard]] std::unique_ptr<LatentJoint> joint(const Examples& examples,
                                                   std::int64_t copies) const override {
    return std::make_unique<Joint>(model_, prior_.get(), examples, copies);
  }

  [[nodiscard]] bool standard_normal_prior() const override { return prior_ == nullptr; }

  void draw_prior(std::span<float> z, std::int64_t first, Rng rng) const override {
    const auto n = static_cast<std::size_t>(dims());
    for (std::size_t i = 0; i * n < z.size(); ++i) {
      const Substream own = rng.stream(
          Stream::prior_samples, static_cast<std::uint32_t>(first) + static_cast<std::uint32_t>(i));
      fill_normals(own, 0, z.subspan(i * n, n));
      if (prior_ != nullptr) draw_component(own, z.subspan(i * n, n));
    }
  }

  [[nodiscard]] std::vector<float> mean(std::span<const float> z) const override {
    if (walk_)
      fail(ErrorKind::usage, "this vae",
           "has pixels that see those before them, and z alone gives no mean",
           "sample-model MODEL --reconstruct DATA");
    return decoder_.mean({model_.param_set().block(), z, dims()});
  }

  [[nodiscard]] std::vector<float> reconstruct(std::span<const float> z,
                                               const Examples& examples) const override {
    if (!walk_) return mean(z);
    std::vector<float> x(at(examples.rows.count * model_.dims())), means;
    model_.reader().take_supported(examples, x);
    const std::vector<float> all = walk_->mean(z, x);
    for (std::int64_t i = 0; i < examples.rows.count; ++i) {
      const auto row = std::span(all).subspan(at(i * model_.dims()), at(model_.dims()));
      const std::vector<float> stored = stored_order(model_.info().samples, model_.rules(), row);
      means.insert(means.end(), stored.begin(), stored.end());
    }
    return means;
  }

  void sample(std::span<const float> z, Rows& out, std::int64_t first, Rng rng) const override {
    if (walk_) return draw_by_walk(z, out, first, rng);
    decoder_.sample({model_.param_set().block(), z, dims()}, first, rng, out);
  }

 private:
  void draw_by_walk(std::span<const float> z, Rows& out, std::int64_t first, const Rng& rng) const {
    const DatasetInfo& samples = model_.info().samples;
    const std::vector<float> x = walk_->draw(z, first, rng);
    out.count = std::ssize(x) / model_.dims();
    out.x.assign(at(out.count) * samples.row_bytes(), std::byte{0});
    for (std::int64_t i = 0; i < out.count; ++i)
      store_values(samples, model_.rules(),
                   std::span(x).subspan(at(i * model_.dims()), at(model_.dims())), i, out);
  }

  // From normal numbers, which are the first of the substream.
  void draw_component(const Substream& own, std::span<float> z) const {
    const std::vector<double> noise(z.begin(), z.end());
    std::vector<double> drawn(z.size());
    prior_->draw(own.uniform((z.size() + 3) / 4 * 4), noise, drawn);
    std::ranges::transform(drawn, z.begin(),
                           [](double value) { return static_cast<float>(value); });
  }

  const VaeModel& model_;
  std::unique_ptr<const GaussianMixture> prior_;
  LatentDecoder decoder_;
  std::unique_ptr<const ContextWalk> walk_;  // where pixels see others, in the place of the decoder
};

}  // namespace

void build_decoder(const VaeModel& model, Graph& graph, std::int64_t rows) {
  name_heads(graph, model.decode(graph.input("z", {rows, model.latent()})));
}

std::unique_ptr<const ContextWalk> make_walk(const VaeModel& model) {
  return std::make_unique<ContextWalk>(
      ContextWalk::Parts{.params = model.param_set(),
                         .heads = *model.context(),
                         .likelihood = model.likelihood(),
                         .features = [&model](Var z) { return model.features(z); },
                         .latents = model.latent()});
}

std::unique_ptr<ModelLatents> make_latents(const VaeModel& model) {
  return std::make_unique<Latents>(model);
}

}  // namespace logpx::vae
