// The small KAEMs whose evidence tests/golden/kaem.json knows.
#pragma once

#include "libcore/base/index.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/families/kaem/model.hpp"
#include "libcore/model/task_data.hpp"
#include "tests/support/energy_values.hpp"
#include "tests/support/golden_layer.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace logpx::golden_kaem {

using Numbers = std::vector<double>;

inline Numbers numbers(const Json& json) { return golden_layer::tensor(json).data; }

// Components (q,p) of the file: rows [Q][P], or [Q] where P is 1.
inline const Json& component(const Json& prior, std::size_t q, std::size_t p) {
  return prior.at(0).is_array() ? prior.at(q).at(p) : prior.at(q);
}

inline kaem::Config config_of(const Json& model, kaem::PriorKind kind,
                              kaem::CouplingChoice coupling) {
  const Json& first = component(model.at("prior"), 0, 0);
  const Json& layer = model.at("generator").at(0);
  REQUIRE(layer.at("activation").string() == first.at("activation").string());
  REQUIRE(layer.at("zmin").number() == first.at("zmin").number());
  kaem::Config config;
  config.prior = kind;
  config.latent = {model.at("P").integer(), model.at("Q").integer()};
  config.coupling = coupling;
  config.base = golden_base(first.at("base").string());
  config.activation = golden_layer::activation_of(first.at("activation").string());
  config.domain = {first.at("zmin").number(), first.at("zmax").number()};
  config.curves.intervals = static_cast<int>(numbers(first.at("grid")).size()) - 1;
  config.hidden = "auto:0";
  config.obs_std = to_text(model.at("sigma_llhood").number());
  config.reading.dequantise = Dequantise::none;
  return config;
}

inline std::map<std::string, Numbers> tensors_of(const Json& model, const kaem::PriorForm& form) {
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
  all["prior/rho"] = {std::log(component(model.at("prior"), 0, 0).at("tau").number())};
  all["generator/layer0/rho"] = {std::log(model.at("generator").at(0).at("tau").number())};
  if (form.is_mixture())
    for (const double alpha : numbers(model.at("alpha")))
      all["prior/alpha_logits"].push_back(std::log(alpha));
  for (const char* tensor : {"coef", "w_base", "w_spline"})
    all[std::string("generator/layer0/") + tensor] =
        numbers(model.at("generator").at(0).at(tensor));
  return all;
}

inline std::unique_ptr<kaem::KaemModel> model_of(const Json& json, const kaem::Config& config,
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

inline DatasetInfo real_vectors(std::size_t dims) {
  DatasetInfo data;
  data.content = Content::vector;
  data.measure = Measure::lebesgue;
  data.element = Element::f32;
  data.shape = {static_cast<std::int64_t>(dims)};
  return data;
}

inline HeldRows one_row(const DatasetInfo& info, const Numbers& x) {
  const std::vector<float> values(x.begin(), x.end());
  const auto bytes = std::as_bytes(std::span(values));
  HeldRows held;
  held.info = info;
  held.rows.x.assign(bytes.begin(), bytes.end());
  held.rows.count = 1;
  return held;
}

}  // namespace logpx::golden_kaem
