// What a KAEM is made of: its prior, its generator, its likelihood, and how x is read.
// [kaem/README 2 and 3]
#pragma once

#include "libcore/data/dataset.hpp"
#include "libcore/families/kaem/generator/generator.hpp"
#include "libcore/families/kaem/prior/prior_values.hpp"
#include "libcore/model/data_reading.hpp"
#include "libcore/model/likelihood.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace logpx {
class Fields;
}

namespace logpx::kaem {

enum class CouplingChoice { automatic, shared, independent };

inline constexpr std::int64_t usual_encoder_hidden = 500;

struct Config {
  PriorKind prior = PriorKind::univariate;
  std::vector<std::int64_t> latent = {10};  // P, or P and Q
  CouplingChoice coupling = CouplingChoice::automatic;
  BaseMeasure base = BaseMeasure::gaussian;
  std::vector<double> domain = {};  // its two ends; empty: by the base measure
  MixtureWeights alpha = MixtureWeights::fixed;
  Quadrature quadrature = Quadrature::gauss_legendre;
  std::int64_t nquad = 200;

  CurveForm curves = {};  // for prior and generator
  Activation activation = Activation::silu;
  double tau = 1;
  bool tau_fixed = false;
  CurveScales start = {};

  GeneratorForm generator = {};   // without what follows from the rest
  std::string hidden = "auto:1";  // widths, or the rule of auto:D

  // A word of model/likelihood; `auto` until it is settled.
  std::string likelihood = "gaussian-fixed";
  std::string obs_std = "0.1";
  Squash mean_activation = Squash::sigmoid;
  DataReading reading = {};
  std::int64_t pca = 0;  // principal axes that x is read as; 0: x itself
  bool whiten = false;

  // Hidden units of q(v|x), where there is an encoder. Files of models without one do not have it.
  std::optional<std::int64_t> encoder_hidden = {};

  void describe(Fields& fields);
  // Where no option was given: chooses the likelihood by the data, and no activation for the mean
  // of numbers of any size. Returns the reason for the likelihood, for people.
  [[nodiscard]] std::string settle(const DatasetInfo& data, const Fields& given);
  // Usage errors for what contradicts itself or the data.
  void validate(const DatasetInfo& data) const;

  [[nodiscard]] PriorForm prior_form() const;
  // The extents of x as it is read: --pca changes them.
  [[nodiscard]] Extents extents(const DatasetInfo& data) const;
  [[nodiscard]] GeneratorForm generator_form(const Extents& extents) const;
  [[nodiscard]] DataReading::Chosen chosen() const { return {.word = likelihood}; }
  // Whether its likelihood reads obs_std, and mean_activation.
  [[nodiscard]] std::unique_ptr<const Likelihood> make_likelihood(const LevelsOfX& levels) const;
  // What codes whole numbers: the density of gaussian-fixed is integrated over their cells.
  [[nodiscard]] std::unique_ptr<const Likelihood> make_coding_likelihood(
      const LevelsOfX& levels) const;

 private:
  void check_prior() const;
  void check_axes(const DatasetInfo& data) const;
};

}  // namespace logpx::kaem
