// A probabilistic circuit as a model: exact likelihoods of rows with missing values, and draws.
// [pc/README 1]
#pragma once

#include "libcore/base/spares.hpp"
#include "libcore/families/pc/config.hpp"
#include "libcore/families/pc/constant/ln_z.hpp"
#include "libcore/families/pc/passes/pass.hpp"
#include "libcore/families/pc/symbol_rows.hpp"
#include "libcore/math/tensor.hpp"
#include "libcore/model/model.hpp"

#include <memory>
#include <string>

namespace logpx::pc {

inline constexpr const char* structure_tensor = "structure";

// Passes that threads borrow, one thread to a pass.
class Passes {
 public:
  Passes(const PassPlan& plan, const PassSettings& settings) : plan_(plan), settings_(settings) {}
  struct Idle {
    std::unique_ptr<Pass<float>> pass;
    Columns columns;
  };
  // A pass, and columns to fill for it.
  class Loan {
   public:
    Loan(Spares<Idle>& spares, const PassPlan& plan, const PassSettings& settings);
    [[nodiscard]] Pass<float>& pass() const { return *loan_->pass; }
    [[nodiscard]] Columns& columns() const { return loan_->columns; }

   private:
    Spares<Idle>::Loan loan_;
  };
  [[nodiscard]] Loan lend() { return {spares_, plan_, settings_}; }
  [[nodiscard]] const PassSettings& settings() const { return settings_; }

 private:
  const PassPlan& plan_;
  PassSettings settings_;
  Spares<Idle> spares_;
};

class PcModel final : public Model {
 public:
  // Throws a data error when the circuit does not fit the data.
  PcModel(Config config, const DatasetInfo& data, Circuit circuit);

  [[nodiscard]] const ModelInfo& info() const override { return info_; }
  void describe(Fields& fields) override { config_.describe(fields); }
  void params(const TensorVisitor& visit) override;
  void filled() override;

  [[nodiscard]] const Config& config() const { return config_; }
  [[nodiscard]] const Circuit& circuit() const { return plan_.circuit(); }
  [[nodiscard]] const PassPlan& plan() const { return plan_; }
  [[nodiscard]] ParamSet& param_set() { return params_; }
  [[nodiscard]] const ParamSet& param_set() const { return params_; }
  [[nodiscard]] const SymbolRows& rows() const { return rows_; }
  [[nodiscard]] Passes& passes() const { return passes_; }
  // Each row is scored from its own beginning.
  [[nodiscard]] std::vector<double> log_p(const Examples& examples) const {
    return log_p(examples, passes_);
  }
  // The same by other passes of its plan.
  [[nodiscard]] std::vector<double> log_p(const Examples& examples, Passes& by) const;
  // Steps of a row of full length.
  [[nodiscard]] std::int64_t steps() const;

 private:
  void check_leaf(int block) const;
  void check_ln_z() const;
  Config config_;
  ModelInfo info_;
  ParamSet params_;
  PassPlan plan_;
  SymbolRows rows_;
  Tensor<std::uint8_t> structure_;  // a constant: the circuit as text
  mutable Passes passes_;
  mutable LnZ<float> ln_z_;
};

}  // namespace logpx::pc
