// log p(x) of small KAEMs, integrated over their normal scores, against the integrals over z of
// tests/golden/kaem.json.
#include "libcore/base/index.hpp"
#include "libcore/eval/evidence.hpp"
#include "libcore/families/kaem/model.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/golden_layer.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

using namespace logpx;

namespace {

using Numbers = std::vector<double>;

Numbers numbers(const Json& json) { return golden_layer::tensor(json).data; }

// Components (q,p) of the file: rows [Q][P], or [Q] where P is 1.
const Json& component(const Json& prior, std::size_t q, std::size_t p) {
  return prior.at(0).is_array() ? prior.at(q).at(p) : prior.at(q);
}

kaem::Config config_of(const Json& model, kaem::PriorKind kind, kaem::CouplingChoice coupling) {
  const Json& first = component(model.at("prior"), 0, 0);
  const Json& layer = model.at("generator").at(0);
  REQUIRE(first.at("activation").string() == "silu");
  REQUIRE(first.at("base").string() == "gaussian");
  REQUIRE(layer.at("zmin").number() == first.at("zmin").number());
  kaem::Config config;
  config.prior = kind;
  config.latent = {model.at("P").integer(), model.at("Q").integer()};
  config.coupling = coupling;
  config.domain = {first.at("zmin").number(), first.at("zmax").number()};
  config.curves.intervals = static_cast<int>(numbers(first.at("grid")).size()) - 1;
  config.hidden = "auto:0";
  config.obs_std = std::to_string(model.at("sigma_llhood").number());
  config.reading.dequantise = Dequantise::none;
  return config;
}

std::map<std::string, Numbers> tensors_of(const Json& model, const kaem::PriorForm& form) {
  std::map<std::string, Numbers> all;
  for (std::int64_t f = 0; f < form.features(); ++f)
    for (std::int64_t c = 0; c < form.energies.curves_each; ++c) {
      const kaem::Component own = form.component(f, c);
      const Json& energy = component(model.at("prior"), at(own.q), at(own.p));
      const Numbers coef = numbers(energy.at("coef"));
      all["prior/coef"].insert(all["prior/coef"].end(), coef.begin(), coef.end());
      all["prior/w_base"].push_back(energy.at("w_base").number());
      all["prior/w_spline"].push_back(energy.at("w_spline").number());
    }
  if (form.is_mixture())
    for (const double alpha : numbers(model.at("alpha")))
      all["prior/alpha_logits"].push_back(std::log(alpha));
  for (const char* tensor : {"coef", "w_base", "w_spline"})
    all[std::string("generator/layer0/") + tensor] =
        numbers(model.at("generator").at(0).at(tensor));
  return all;
}

std::unique_ptr<kaem::KaemModel> model_of(const Json& json, const kaem::Config& config,
                                          const DatasetInfo& data) {
  auto model = std::make_unique<kaem::KaemModel>(config, data);
  model->initialise(Rng(1));
  const std::map<std::string, Numbers> tensors = tensors_of(json, model->prior_form());
  std::size_t filled = 0;
  for (const auto& [name, values] : tensors) {
    const int tensor = model->param_set().find(name);
    REQUIRE(tensor >= 0);
    const std::span<float> to = model->param_set().view(tensor).span();
    REQUIRE(to.size() == values.size());
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = static_cast<float>(values[i]);
    ++filled;
  }
  REQUIRE(filled == tensors.size());
  model->renew();
  return model;
}

void check_evidence(const Json& model, const kaem::Config& config, const char* stats) {
  const Json& rows = model.at("data");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Numbers x = numbers(rows.at(i).at("x"));
    DatasetInfo data;
    data.content = Content::vector;
    data.measure = Measure::lebesgue;
    data.element = Element::f32;
    data.shape = {std::ssize(x)};
    const auto built = model_of(model, config, data);
    const std::vector<float> values(x.begin(), x.end());
    const auto bytes = std::as_bytes(std::span(values));
    Rows held;
    held.x.assign(bytes.begin(), bytes.end());
    held.count = 1;
    const Examples examples{data, held};
    // Densities that end at the domain's walls make steep functions of normal scores.
    const std::int64_t dims = built->latents()->dims();
    const Scores scores =
        quadrature({*built->latents(), examples, Rng(1)}, {.nodes = dims <= 2 ? 256 : 64});
    const double stated = scores.facts[0].second[0];
    const double slack = 2e-6 + (dims == 1 ? 0 : stated);
    CHECK(std::abs(scores.nats[0] - rows.at(i).at(stats).at("log_evidence").number()) <= slack);
    CHECK(stated < 0.01);
  }
}

}  // namespace

TEST_CASE("golden/kaem/evidence: normal scores of shared and of independent latents") {
  const Json* entry = golden::field("kaem", "evidence");
  if (!entry) return;
  const Json& model = entry->at("kart_nz1");
  using kaem::CouplingChoice;
  const auto config = [&](CouplingChoice coupling) {
    return config_of(model, kaem::PriorKind::univariate, coupling);
  };
  check_evidence(model, config(CouplingChoice::shared), "shared");
  check_evidence(model, config(CouplingChoice::independent), "independent");
}

TEST_CASE("golden/kaem/evidence: normal scores of a mixture") {
  const Json* entry = golden::field("kaem", "evidence");
  if (!entry) return;
  const Json& model = entry->at("mixture_q2p3");
  kaem::Config config =
      config_of(model, kaem::PriorKind::mixture, kaem::CouplingChoice::independent);
  config.alpha = kaem::MixtureWeights::learned;
  check_evidence(model, config, "stats");
}
