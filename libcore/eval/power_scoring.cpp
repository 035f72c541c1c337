// The methods ti and ss of scoring: power posteriors as plans.
#include "libcore/base/fields.hpp"
#include "libcore/eval/latent_scoring.hpp"
#include "libcore/eval/power_chains.hpp"
#include "libcore/eval/power_posterior.hpp"
#include "libcore/math/replica_exchange.hpp"

#include <algorithm>

namespace logpx {
namespace {

template <typename Formula>
struct PowerSettings : PowerOptions {
  Formula formula = {};
};
struct TiSettings : PowerSettings<TiFormula> {
  TiSettings() { formula = TiFormula::corrected; }
  void describe(Fields& f) {
    PowerOptions::describe(f);
    f.add("formula", formula,
          {{"ti-left", TiFormula::left, "rectangles by the left ends: too low on average"},
           {"ti-right", TiFormula::right, "rectangles by the right ends: too high"},
           {"ti-trapezoid", TiFormula::trapezoid, "trapezoids"},
           {"ti-corrected", TiFormula::corrected,
            "trapezoids, corrected by the variances at both ends"},
           {"eq32", TiFormula::eq32, "the sum as the KAEM paper prints it"}},
          "how the temperatures are summed up")
        .rank(Rank::manual);
  }
};
struct SsSettings : PowerSettings<SteppingStone> {
  void describe(Fields& f) {
    PowerOptions::describe(f);
    f.add("formula", formula,
          {{"ss", SteppingStone::forward, "stepping stones from the prior to the posterior"},
           {"ss-reverse", SteppingStone::reverse, "the same stones, the other way round"}},
          "how the temperatures are summed up")
        .rank(Rank::manual);
  }
};

template <typename Settings>
class PowerScoring : public LatentScoring<Settings> {
 public:
  using LatentScoring<Settings>::LatentScoring;
  [[nodiscard]] std::int64_t draws() const override {
    return settings().moves() * settings().chains;
  }
  [[nodiscard]] ScoringPlan::ReportedKnobs reported() const override {
    return {{"formula", "formula"}, {"power", "power"}, {"chains", "ais_chains"}};
  }
  [[nodiscard]] std::vector<FactCurve> curves() const override {
    const std::vector<double> t = power_temperatures(settings().temps, settings().power);
    return {{.name = "E",
             .x_name = "temps",
             .title = "E_t",
             .x_label = "temperature t",
             .y_label = "E_t[log p(x|z)], nats",
             .x = t},
            {.name = "V", .x_name = "temps", .x = t},
            {.name = "log_Z_t", .x_name = "temps", .x = t}};
  }
  [[nodiscard]] ScoringPlan::Verdicts verdicts(const Scores::Columns& facts) const override {
    return {{"mixing_warning", unmixed(facts) > 0}};
  }
  [[nodiscard]] std::vector<std::string> doubts(const Scores::Columns& facts) const override {
    const std::int64_t count = unmixed(facts);
    if (count == 0) return {};
    return {"the chains have not mixed, or are too short to tell, at " + std::to_string(count) +
            " examples (split R-hat): give them more --samples or --temps"};
  }

 protected:
  [[nodiscard]] const Settings& settings() const { return this->settings_; }

 private:
  static std::int64_t unmixed(const Scores::Columns& facts) {
    for (const auto& [name, values] : facts)
      if (name == r_hat_fact)
        return std::ranges::count_if(values, [](double r_hat) { return !have_mixed(r_hat); });
    return 0;
  }
};

class TiScoring final : public PowerScoring<TiSettings> {
 public:
  using PowerScoring::PowerScoring;

 private:
  [[nodiscard]] Scores score_block(const LatentBlock& block) const override {
    return thermodynamic_integration(block, settings_, settings_.formula);
  }
};

class SsScoring final : public PowerScoring<SsSettings> {
 public:
  using PowerScoring::PowerScoring;

 private:
  [[nodiscard]] Scores score_block(const LatentBlock& block) const override {
    return stepping_stones(block, settings_, settings_.formula);
  }
};

}  // namespace

Method ti_method() {
  return method_of<TiScoring, TiSettings>("ti", "power posteriors", Method::Use::by_name,
                                          [](const ModelLatents&) { return true; });
}

Method ss_method() {
  return method_of<SsScoring, SsSettings>("ss", "power posteriors", Method::Use::by_name,
                                          [](const ModelLatents&) { return true; });
}

}  // namespace logpx
