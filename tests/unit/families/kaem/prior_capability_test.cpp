// The prior of a KAEM as tools see it: its densities, its samples, and models with changes.
// [kaem/README 4 and 9]
#include "libcore/base/error.hpp"
#include "libcore/det/draws.hpp"
#include "libcore/eval/prior_facts.hpp"
#include "libcore/eval/prior_pruning.hpp"
#include "libcore/families/kaem/model.hpp"
#include "libcore/families/kaem/prior/prior_density.hpp"
#include "libcore/families/kaem/prior/prior_draws.hpp"
#include "libcore/families/registry.hpp"
#include "libcore/families/synthetic_rows.hpp"
#include "libcore/model/plan.hpp"
#include "tests/support/kaem_models.hpp"
#include "tools/archives/capsule.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace logpx::prior_capability_test {

using namespace logpx::kaem;

namespace {

Config with_base(BaseMeasure base) {
  Config config = small_config();
  config.base = base;
  return config;
}
Config with_basis(CurveBasis basis) {
  Config config = small_config();
  config.curves.basis = basis;
  return config;
}

std::vector<double> column(const std::vector<double>& z, std::int64_t width, std::int64_t number) {
  std::vector<double> all;
  for (std::size_t i = at(number); i < z.size(); i += at(width)) all.push_back(z[i]);
  std::ranges::sort(all);
  return all;
}

// sup |F - F'| of two samples of one size.
double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto below = std::ranges::upper_bound(b, a[i]) - b.begin();
    largest = std::max(largest, std::abs(static_cast<double>(below) - static_cast<double>(i + 1)));
  }
  return largest / static_cast<double>(a.size());
}

const Formula wave{.function = symbolic_function("sin"), .a = 4, .b = 1, .c = 1.5, .d = 0.25};

// The error of a model one of whose tensors has other bytes; "" where there is none.
std::string refusal(Model& model, const std::string& name,
                    const std::function<void(std::span<std::byte>)>& change) {
  archive::ByteVector bytes = compress::make_capsule(model, compress::CapsulePrecision::whole);
  model.params([&](const TensorRef& tensor, TensorRole) {
    if (tensor.name != name) return;
    const auto found = std::ranges::search(bytes, tensor.bytes);
    REQUIRE(!found.empty());
    change({found.data(), found.size()});
  });
  try {
    static_cast<void>(compress::open_capsule(bytes));
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::data);
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("kaem prior: the densities of its components are those that it is sampled from") {
  std::vector<Config> configs = {mixture_config()};
  for (const BaseMeasure base : {BaseMeasure::none, BaseMeasure::uniform, BaseMeasure::gaussian,
                                 BaseMeasure::lognormal, BaseMeasure::learnable_gaussian})
    configs.push_back(with_base(base));
  for (const CurveBasis basis :
       {CurveBasis::bspline, CurveBasis::rswaf, CurveBasis::fourier, CurveBasis::chebyshev})
    configs.push_back(with_basis(basis));
  for (const Config& config : configs) {
    const std::unique_ptr<KaemModel> model = drawn_model(config);
    const Abilities can = abilities(*model);
    const ModelPrior& prior = *can.prior;
    for_each_component(prior.shape(), [&](std::int64_t q, std::int64_t p) {
      const IntervalDensity told = density_of(prior.component(q, p)),
                            kept = component_density(model->values(), {q, p});
      CHECK(told.breaks == kept.breaks);
      CHECK(PanelCdf(told).log_total() ==
            doctest::Approx(model->components().log_z({q, p})).epsilon(1e-10));
      const double low = told.breaks.front(), range = told.breaks.back() - low;
      const std::vector<double> z = {low + 0.1 * range, low + 0.5 * range, low + 0.83 * range};
      std::vector<double> a(3), b(3);
      told.log_g(z, a);
      kept.log_g(z, b);
      for (std::size_t i = 0; i < 3; ++i) CHECK(a[i] == doctest::Approx(b[i]).epsilon(1e-12));
    });
  }
}

TEST_CASE("kaem prior: weights of a mixture sum to one, and are 1 where there is none") {
  const auto mixture = drawn_model(mixture_config()), single = drawn_model(small_config());
  for (std::int64_t q = 0; q < 3; ++q) {
    double sum = 0;
    for (std::int64_t p = 0; p < 4; ++p) sum += abilities(*mixture).prior->component(q, p).weight;
    CHECK(sum == doctest::Approx(1).epsilon(1e-12));
  }
  CHECK(abilities(*single).prior->component(2, 1).weight == 1);
}

TEST_CASE("kaem prior: its samples are those of sample-model, whatever the range") {
  for (const Config& config : {small_config(), mixture_config()}) {
    const auto model = drawn_model(config);
    const std::vector<double> z = abilities(*model).prior->draw(0, 20, Rng(5)),
                              later = abilities(*model).prior->draw(12, 8, Rng(5));
    const std::size_t width = z.size() / 20;
    CHECK(std::ranges::equal(later, std::span(z).subspan(12 * width)));
    std::vector<float> v(at(20 * abilities(*model).latents->dims()));
    abilities(*model).latents->draw_prior(v, 0, Rng(5));
    std::vector<double> back(z.size());
    model->scores().to_z(v, back, {});
    for (std::size_t i = 0; i < z.size(); ++i) CHECK(std::abs(back[i] - z[i]) < 1e-5);
    const std::vector<float> x = abilities(*model).prior->decode(z),
                             same = abilities(*model).latents->mean(v);
    REQUIRE(x.size() == same.size());
    for (std::size_t i = 0; i < x.size(); ++i) CHECK(std::abs(x[i] - same[i]) < 1e-4F);
  }
}

TEST_CASE("kaem prior: a sample is decoded with the noise of its number") {
  const auto model = drawn_model(small_config());
  const Abilities can = abilities(*model);
  const ModelPrior& prior = *can.prior;
  const std::vector<double> z = prior.draw(0, 6, Rng(5));
  const std::span<const double> last = std::span(z).subspan(z.size() / 3);
  const std::vector<float> mean = prior.decode(z);
  CHECK(prior.decode(z, ModelPrior::Noise{.rng = Rng(1), .sd = 0}) == mean);
  const std::vector<float> noisy = prior.decode(z, ModelPrior::Noise{.rng = Rng(1)});
  const std::vector<float> part = prior.decode(last, ModelPrior::Noise{.first = 2, .rng = Rng(1)});
  CHECK(noisy != mean);
  // The last bits of a mean depend on how many are decoded at once.
  const std::span<const float> same = std::span(noisy).subspan(noisy.size() / 3);
  REQUIRE(part.size() == same.size());
  for (std::size_t i = 0; i < part.size(); ++i) CHECK(std::abs(part[i] - same[i]) < 1e-5F);
}

TEST_CASE("kaem prior: a removed component is never drawn, and the others grow by one factor") {
  const auto model = drawn_model(mixture_config());
  const Abilities can = abilities(*model);
  const ModelPrior& prior = *can.prior;
  const auto smaller = prior.changed({.energies = {}, .removals = {{1, 2}}, .edges = {}});
  const Abilities smaller_can = abilities(*smaller);
  const ModelPrior& after = *smaller_can.prior;
  CHECK(after.component(1, 2).weight == 0);
  const double gone = prior.component(1, 2).weight;
  for (const std::int64_t p : {0, 1, 3})
    CHECK(after.component(1, p).weight ==
          doctest::Approx(prior.component(1, p).weight / (1 - gone)).epsilon(1e-12));
  CHECK(after.component(0, 2).weight == prior.component(0, 2).weight);
  const auto& changed = dynamic_cast<const KaemModel&>(*smaller);
  PriorDraws draws;
  resize_draws(changed.prior_form(), 5000, draws);
  prior_uniforms(changed.prior_form(), Rng(2).stream(Stream::prior_samples), 0, draws.u);
  DrawSpace space;
  for (std::int64_t q = 0; q < 3; ++q) draw_feature(changed.components(), q, draws, space);
  const auto latent = std::span(draws.component).subspan(5000, 5000);
  CHECK(std::ranges::count(latent, 2) == 0);
  CHECK(std::ranges::count(latent, 1) > 0);
}

// sup |F - F'| of two densities is at most their total variation, at most sqrt(KL/2).
TEST_CASE("kaem prior: a pruned one draws the same samples, as far as its divergence says") {
  const auto model = drawn_model(small_config());
  const Abilities can = abilities(*model);
  const ModelPrior& prior = *can.prior;
  const auto smaller =
      prior.changed({.energies = {{0, 1, {}}, {2, 0, {}}}, .removals = {}, .edges = {}});
  const Abilities smaller_can = abilities(*smaller);
  const ModelPrior& after = *smaller_can.prior;
  CHECK(energy_range(after.component(0, 1)) == 0);
  const std::int64_t n = 20000;
  const std::vector<double> before_z = prior.draw(0, n, Rng(4)), after_z = after.draw(0, n, Rng(4));
  for_each_component(prior.shape(), [&](std::int64_t q, std::int64_t p) {
    const std::vector<double> a = column(before_z, 6, q * 2 + p), b = column(after_z, 6, q * 2 + p);
    const double moved = latent_divergence({prior.component(q, p)}, {after.component(q, p)});
    if ((q == 0 && p == 1) || (q == 2 && p == 0)) {
      CHECK(moved > 1e-3);
      CHECK(distance(a, b) > 0);
    } else {
      CHECK(a == b);
    }
    CHECK(distance(a, b) <= std::sqrt(moved / 2) + 0.02);
  });
  CHECK(abilities(*model).prior->component(0, 1).energy);
  CHECK(energy_range(prior.component(0, 1)) > 0);
}

TEST_CASE("kaem prior: scores of edges are the mean size of their curves") {
  Config config = small_config();
  config.latent = {1, 1};
  config.hidden = "auto:0";
  config.mean_activation = Squash::none;
  for (const CurveBasis basis : {CurveBasis::rbf, CurveBasis::bspline, CurveBasis::rswaf,
                                 CurveBasis::fourier, CurveBasis::chebyshev}) {
    config.curves.basis = basis;
    const auto model = drawn_model(config);
    const std::vector<double> z = abilities(*model).prior->draw(0, 400, Rng(1));
    const std::vector<LayerEdges> layers = abilities(*model).prior->edge_scores(z);
    REQUIRE(layers.size() == 1);
    CHECK(layers[0].layer == "generator/layer0");
    CHECK(layers[0].inputs == 1);
    // With one edge to each value, that edge is the value.
    const std::vector<float> x = abilities(*model).prior->decode(z);
    const std::size_t dims = x.size() / 400;
    REQUIRE(layers[0].scores.size() == dims);
    for (std::size_t d = 0; d < dims; ++d) {
      double sum = 0;
      for (std::size_t i = d; i < x.size(); i += dims) sum += std::abs(static_cast<double>(x[i]));
      CHECK(layers[0].scores[d] == doctest::Approx(sum / 400).epsilon(1e-4));
    }
  }
}

TEST_CASE("kaem prior: edges that go are 0, and the others as they were, bit for bit") {
  const auto model = drawn_model(small_config());
  const Abilities can = abilities(*model);
  const ModelPrior& prior = *can.prior;
  const std::vector<double> z = prior.draw(0, 50, Rng(1));
  const std::vector<LayerEdges> before = prior.edge_scores(z);
  REQUIRE(before.size() == 2);
  std::vector<bool> kept(before[1].scores.size(), true);
  kept[3] = kept[7] = false;
  const auto smaller =
      prior.changed({.energies = {}, .removals = {}, .edges = {{"generator/layer1", kept}}});
  const std::vector<LayerEdges> after = abilities(*smaller).prior->edge_scores(z);
  CHECK(after[0].scores == before[0].scores);
  for (std::size_t e = 0; e < kept.size(); ++e)
    CHECK(after[1].scores[e] == (kept[e] ? before[1].scores[e] : 0));
}

TEST_CASE("kaem prior: an energy may be a formula, whose density is drawn from") {
  for (const Config& config : {small_config(), mixture_config()}) {
    const auto model = drawn_model(config);
    const auto told =
        abilities(*model).prior->changed({.energies = {{1, 0, wave}}, .removals = {}, .edges = {}});
    const PriorComponent component = abilities(*told).prior->component(1, 0);
    const std::vector<double> z = {-0.9, -0.1, 0.4};
    std::vector<double> f(3), expected(3);
    component.energy(z, f);
    evaluate(wave, z, expected);
    CHECK(f == expected);
    const auto& changed = dynamic_cast<const KaemModel&>(*told);
    const PanelCdf cdf(density_of(component));
    CHECK(changed.components().log_z({1, 0}) == doctest::Approx(cdf.log_total()).epsilon(1e-10));
    CHECK(changed.prior_constants().log_z[1 * changed.prior_form().n_p] ==
          doctest::Approx(cdf.log_total()).epsilon(1e-9));
    for (const double u : {0.1, 0.5, 0.9})
      CHECK(cdf.cdf(changed.components().inverse({1, 0}).quantile(u)) ==
            doctest::Approx(u).epsilon(1e-8));
    // The other curves are as they were.
    CHECK(energy_range(abilities(*told).prior->component(0, 1)) ==
          energy_range(abilities(*model).prior->component(0, 1)));
  }
}

TEST_CASE("kaem prior: chains climb the slopes of formulas") {
  const auto model = drawn_model(mixture_config());
  const auto told = abilities(*model).prior->changed(
      {.energies = {{0, 1, wave}, {0, 2, {symbolic_function("x^2"), 1, 0, -2, 0}}},
       .removals = {},
       .edges = {}});
  const PriorValues& values = dynamic_cast<const KaemModel&>(*told).values();
  Workers workers(1);
  PriorDensity density(values, log_normalisers(values.energies, workers));
  std::vector<double> z = {0.3, -0.2, 0.5}, log_p(1), gradient(3), slope(3);
  density(z, log_p, gradient);
  constexpr double step = 1e-5;
  std::vector<double> above(1), below(1);
  z[0] += step;
  density(z, above, slope);
  z[0] -= 2 * step;
  density(z, below, slope);
  CHECK(gradient[0] == doctest::Approx((above[0] - below[0]) / (2 * step)).epsilon(1e-6));
}

TEST_CASE("kaem prior: formulas, flat energies and removed components are stored with a model") {
  const auto model = drawn_model(mixture_config());
  const auto changed = abilities(*model).prior->changed(
      {.energies = {{0, 1, wave}, {2, 2, {}}}, .removals = {{1, 3}}, .edges = {}});
  const auto stored =
      compress::open_capsule(compress::make_capsule(*changed, compress::CapsulePrecision::whole));
  CHECK(abilities(*stored).prior->draw(0, 100, Rng(3)) ==
        abilities(*changed).prior->draw(0, 100, Rng(3)));
  CHECK(abilities(*stored).prior->component(1, 3).weight == 0);
  // The tensors of formulas go with the last formula.
  const auto plain =
      abilities(*stored).prior->changed({.energies = {{0, 1, {}}}, .removals = {}, .edges = {}});
  bool found = false;
  plain->params(
      [&](const TensorRef& tensor, TensorRole) { found |= tensor.name == "prior/formula"; });
  CHECK(!found);
  CHECK(energy_range(abilities(*plain).prior->component(0, 1)) == 0);
}

TEST_CASE("kaem prior: formulas and masks that make no sense are a data error") {
  const auto model = drawn_model(mixture_config());
  const auto told =
      abilities(*model).prior->changed({.energies = {{0, 1, wave}}, .removals = {}, .edges = {}});
  const auto put = [](std::size_t place, auto value) {
    return [=](std::span<std::byte> bytes) {
      std::ranges::copy(std::as_bytes(std::span(&value, 1)),
                        bytes.begin() + static_cast<std::ptrdiff_t>(place * sizeof value));
    };
  };
  const auto place = [](const char* function) {
    return static_cast<std::int32_t>(symbolic_function(function));
  };
  const auto says = [&](const std::string& name, auto change, const char* words) {
    CAPTURE(words);
    CHECK(refusal(*told, name, change).find(words) != std::string::npos);
  };
  CHECK(refusal(*told, "prior/formula", put(1, place("sin"))) == "");
  says("prior/formula", put(1, std::int32_t{23}), "element 1 is 23, expected -1 to 22");
  says("prior/formula", put(1, std::int32_t{-2}), "element 1 is -2");
  says("prior/formula", put(1, place("1/x")), "which is not finite from -1 to 1");
  says("prior/formula", put(1, place("cos")), "prior/log_Z");
  says("prior/formula_numbers", put(6, 1e300), "prior");
  says("prior/formula_numbers", put(6, std::nan("")), "prior/formula_numbers");
  says("prior/mask", put(5, std::uint8_t{3}), "element 5 is 3");
  says("prior/mask", put(1, std::uint32_t{0x02020202}), "removes every component of latent 1");
}

}  // namespace logpx::prior_capability_test
