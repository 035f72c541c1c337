// All rows under all samples, against the likelihood's own node, one pair at a time and in double.
#include "libcore/model/likelihood_pairs.hpp"

#include "libcore/base/index.hpp"
#include "libcore/grad/executor.hpp"
#include "libcore/math/blas.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/random_values.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <thread>

namespace logpx::likelihood_pairs_test {
namespace {

// Rows and samples of a likelihood, all different.
struct Scene {
  std::unique_ptr<const Likelihood> likelihood;
  std::int64_t rows = 0, samples = 0, dims = 0;
  std::vector<float> x;                   // [rows,dims]
  std::vector<std::vector<float>> heads;  // [samples, dims per_dim], or [1]
  std::vector<double> weights;            // [rows,samples]

  [[nodiscard]] Likelihood::HeadValues views() const { return {heads.begin(), heads.end()}; }
};

std::int64_t levels_for(const std::string& word) {
  const ValuesOfX takes = values_of_likelihood(word);
  return takes == ValuesOfX::reals ? 0 : takes == ValuesOfX::bits ? 2 : 9;
}

struct Sizes {
  std::int64_t rows = 5, samples = 4, dims = 7;
};

struct Choice {
  std::string word;
  LevelsOfX levels;
  std::string obs_std = "0.7";
};

Scene scene_of(const Choice& choice, const Sizes& sizes) {
  Scene scene{
      make_likelihood(choice.word, choice.levels, {.obs_std = choice.obs_std, .components = 3}),
      sizes.rows,
      sizes.samples,
      sizes.dims,
      {},
      {},
      random_values<double>(3, at(sizes.rows * sizes.samples))};
  scene.weights[1] = scene.weights[at(sizes.samples)] = 0;
  for (const HeadForm& form : scene.likelihood->heads()) {
    const auto size = form.shared ? 1 : at(sizes.samples * sizes.dims * form.per_dim);
    std::vector<float>& head = scene.heads.emplace_back(
        random_values<float>(static_cast<std::uint32_t>(10 + scene.heads.size()), size));
    if (form.shared) head[0] = static_cast<float>(form.value.value_or(0.3));
    else
      for (float& value : head) value = 0.5F + value / 3;
  }
  for (const double u : random_values<double>(2, at(sizes.rows * sizes.dims))) {
    const std::int64_t levels = choice.levels.at(scene.x.size() % at(sizes.dims));
    const double unit = 0.5 + 0.5 * std::tanh(u), top = static_cast<double>(levels - 1);
    scene.x.push_back(static_cast<float>(top < 0 ? unit : std::round(unit * top)));
  }
  return scene;
}

Scene scene_of(const std::string& word, const Sizes& sizes, const std::string& obs_std) {
  return scene_of({word, levels_for(word), obs_std}, sizes);
}

// sum over rows b and samples s of W_bs log p(x_b|h_s), and each of the log p, by a graph in
// double that has a row for each pair.
class Pairwise {
 public:
  explicit Pairwise(const Scene& scene) : scene_(scene) {
    const std::int64_t pairs = scene.rows * scene.samples;
    Likelihood::Target target{graph_.input("x", {1, pairs, scene.dims})};
    if (scene.likelihood->takes_index())
      target.index = graph_.index_input("index", {1, pairs, scene.dims});
    Likelihood::Heads nodes;
    for (const HeadForm& form : scene.likelihood->heads()) {
      Shape shape = {1, pairs, scene.dims};
      if (form.per_dim > 1) shape = {1, pairs, scene.dims, form.per_dim};
      if (form.shared) shape = Shape{};
      nodes.push_back(graph_.input("head" + std::to_string(nodes.size()), shape));
    }
    graph_.output("log_p", scene.likelihood->log_prob(target, nodes));
    for (const std::vector<float>& head : scene.heads)
      values_.emplace_back(head.begin(), head.end());
  }

  [[nodiscard]] std::vector<std::vector<double>>& heads() { return values_; }
  [[nodiscard]] std::vector<double> log_p() {
    Executor<double> run(graph_, {});
    std::vector<double> x;
    std::vector<std::vector<double>> repeated(values_.size());
    for (std::int64_t b = 0; b < scene_.rows; ++b)
      for (std::int64_t s = 0; s < scene_.samples; ++s) {
        const auto row = scene_.x.begin() + b * scene_.dims;
        x.insert(x.end(), row, row + scene_.dims);
        for (std::size_t h = 0; h < values_.size(); ++h) {
          if (values_[h].size() == 1) continue;
          const auto size = std::ssize(values_[h]) / scene_.samples;
          const auto own = values_[h].begin() + s * size;
          repeated[h].insert(repeated[h].end(), own, own + size);
        }
      }
    const std::vector<std::int32_t> index(x.begin(), x.end());
    run.bind("x", x);
    if (scene_.likelihood->takes_index()) run.bind_index("index", index);
    for (std::size_t h = 0; h < values_.size(); ++h)
      run.bind("head" + std::to_string(h), repeated[h].empty() ? values_[h] : repeated[h]);
    run.forward();
    const auto found = run.output("log_p").span();
    return {found.begin(), found.end()};
  }
  [[nodiscard]] double weighed() {
    const std::vector<double> each = log_p();
    double sum = 0;
    for (std::size_t i = 0; i < each.size(); ++i) sum += scene_.weights[i] * each[i];
    return sum;
  }

 private:
  const Scene& scene_;
  Graph graph_{Precision::f64};
  std::vector<std::vector<double>> values_;
};

std::vector<double> log_p_of(const Scene& scene, const LikelihoodPairs& pairs) {
  std::vector<double> log_p(at(scene.rows * scene.samples));
  pairs.log_prob(scene.x, log_p);
  return log_p;
}

using Slopes = std::vector<std::vector<double>>;
Slopes zeros_for(const Scene& scene) {
  Slopes slopes;
  for (const std::vector<float>& head : scene.heads) slopes.emplace_back(head.size());
  return slopes;
}
void add_slopes(const Scene& scene, const LikelihoodPairs& pairs, std::int64_t first,
                std::int64_t last, Slopes& slopes) {
  const std::vector<std::span<double>> views(slopes.begin(), slopes.end());
  pairs.add_slopes(
      std::span(scene.x).subspan(at(first * scene.dims), at((last - first) * scene.dims)),
      std::span(scene.weights)
          .subspan(at(first * scene.samples), at((last - first) * scene.samples)),
      views);
}

// Graphs round their results to float.
double tolerance_of(const std::string& word) {
  const bool own = word == "bernoulli" || word == "gaussian-fixed" || word == "categorical";
  return own ? 1e-12 : 1e-6;
}

void check_scene(const Choice& choice) {
  const std::string& word = choice.word;
  CAPTURE(word);
  CAPTURE(choice.obs_std);
  const Scene scene = scene_of(choice, {});
  Pairwise pairwise(scene);
  const auto pairs = scene.likelihood->pairs(scene.dims);
  pairs->take(scene.views(), scene.samples);
  const std::vector<double> expected = pairwise.log_p(), found = log_p_of(scene, *pairs);
  for (std::size_t i = 0; i < expected.size(); ++i)
    CHECK(std::abs(found[i] - expected[i]) <= tolerance_of(word) * (1 + std::abs(expected[i])));

  Slopes slopes = zeros_for(scene);
  add_slopes(scene, *pairs, 0, scene.rows, slopes);
  const double h = 1e-5;
  for (std::size_t head = 0; head < slopes.size(); ++head)
    for (std::size_t i = 0; i<slopes[head].size(); i += slopes[head].size()> 50 ? 7 : 1) {
      double& value = pairwise.heads()[head][i];
      const double start = value;
      value = start + h;
      const double up = pairwise.weighed();
      value = start - h;
      const double slope = (up - pairwise.weighed()) / (2 * h);
      value = start;
      CAPTURE(head);
      CAPTURE(i);
      CHECK(std::abs(slopes[head][i] - slope) <= 3e-6 * (1 + std::abs(slope)));
    }
}

}  // namespace

TEST_CASE("pairs: all rows under all samples are what the node says of each, and so are slopes") {
  for (const std::string& word : likelihood_words()) {
    check_scene({word, levels_for(word)});
    if (word == "gaussian-fixed" || word == "discretised-gaussian")
      check_scene({word, levels_for(word), "learn"});
  }
}

TEST_CASE("pairs: so they are where columns have few words, and heads of others have no slope") {
  check_scene({"categorical", {9, {2, 9, 1, 5, 3, 2, 4}}});
  check_scene({"bernoulli", {2, {2, 1, 1, 2, 1, 2, 2}}});
}

TEST_CASE("pairs: the Gaussian's products lose at most 1e-6 at 784 dimensions") {
  const Scene scene = scene_of("gaussian-fixed", {.rows = 20, .samples = 10, .dims = 784}, "0.1");
  const auto pairs = scene.likelihood->pairs(scene.dims);
  pairs->take(scene.views(), scene.samples);
  const std::vector<double> found = log_p_of(scene, *pairs);
  const double log_var = static_cast<double>(scene.heads[1][0]);
  for (std::int64_t b = 0; b < scene.rows; ++b)
    for (std::int64_t s = 0; s < scene.samples; ++s) {
      double squares = 0;
      for (std::int64_t d = 0; d < scene.dims; ++d) {
        const double r = static_cast<double>(scene.x[at(b * scene.dims + d)]) -
                         static_cast<double>(scene.heads[0][at(s * scene.dims + d)]);
        squares += r * r;
      }
      const double expected = -0.5 * squares * std::exp(-log_var) -
                              392 * (std::log(2 * 3.14159265358979323846) + log_var);
      CHECK(std::abs(found[at(b * scene.samples + s)] - expected) <= 1e-6);
    }
}

TEST_CASE("pairs: slopes of shards add up, on any thread") {
  for (const std::string& word : likelihood_words()) {
    CAPTURE(word);
    const Scene scene = scene_of(word, {}, "0.7");
    const auto pairs = scene.likelihood->pairs(scene.dims);
    pairs->take(scene.views(), scene.samples);
    Slopes whole = zeros_for(scene), first = whole, second = whole, alone = whole;
    add_slopes(scene, *pairs, 0, scene.rows, whole);
    add_slopes(scene, *pairs, 2, scene.rows, alone);
    std::thread other([&] { add_slopes(scene, *pairs, 2, scene.rows, second); });
    add_slopes(scene, *pairs, 0, 2, first);
    other.join();
    CHECK(second == alone);
    for (std::size_t h = 0; h < whole.size(); ++h)
      for (std::size_t i = 0; i < whole[h].size(); ++i)
        CHECK(first[h][i] + second[h][i] == doctest::Approx(whole[h][i]).epsilon(1e-5));
  }
}

TEST_CASE("pairs: a slope that nobody wants is left out") {
  const Scene scene = scene_of("gaussian-fixed", {}, "learn");
  const auto pairs = scene.likelihood->pairs(scene.dims);
  pairs->take(scene.views(), scene.samples);
  Slopes both = zeros_for(scene), mean_alone = zeros_for(scene);
  add_slopes(scene, *pairs, 0, scene.rows, both);
  mean_alone[1].clear();
  add_slopes(scene, *pairs, 0, scene.rows, mean_alone);
  CHECK(mean_alone[0] == both[0]);
  CHECK(both[1][0] != 0);
}

TEST_CASE("pairs: a step after the first allocates nothing of the size of rows or samples") {
  for (const std::string& word : likelihood_words()) {
    CAPTURE(word);
    const Scene scene = scene_of(word, {}, "0.7");
    const auto pairs = scene.likelihood->pairs(scene.dims);
    const Likelihood::HeadValues views = scene.views();
    Slopes slopes = zeros_for(scene);
    const std::vector<std::span<double>> wanted(slopes.begin(), slopes.end());
    std::vector<double> log_p(scene.weights.size());
    const auto step = [&] {
      pairs->take(views, scene.samples);
      pairs->log_prob(scene.x, log_p);
      pairs->add_slopes(scene.x, scene.weights, wanted);
    };
    step();
    step();
    const std::int64_t before = allocations();
    step();
    CHECK(allocations() == before);
  }
}

TEST_CASE("pairs: repeatable numbers are those of the ordered product") {
  const Scene scene = scene_of("bernoulli", {.rows = 20, .samples = 10, .dims = 300}, "1");
  const auto pairs = scene.likelihood->pairs(scene.dims);
  pairs->compute_by(repeatable_numerics);
  pairs->take(scene.views(), scene.samples);
  const std::vector<double> found = log_p_of(scene, *pairs);
  for (std::int64_t s = 0; s < scene.samples; ++s) {
    double sum = 0, offset = 0;
    for (std::int64_t d = 0; d < scene.dims; ++d) {
      const auto logit = static_cast<double>(scene.heads[0][at(s * scene.dims + d)]);
      sum += static_cast<double>(scene.x[at(d)]) * logit;
      offset += std::log1p(std::exp(logit));
    }
    CHECK(found[at(s)] == doctest::Approx(sum - offset).epsilon(1e-13));
  }
}

}  // namespace logpx::likelihood_pairs_test
