// An autoregressive model that may see the dims of x in any order: p(x_k|x_S) for every k that is
// not in S, by one network, and what chooses the next k.   [LO-ARM; arm/README 1]
#pragma once

#include "libcore/families/arm/config.hpp"
#include "libcore/families/arm/networks/net_predictor.hpp"
#include "libcore/families/arm/order_model.hpp"
#include "libcore/families/row_model.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace logpx::arm {

// What a model keeps of its training data, besides their description.
struct ArmParts {
  // For models with groups: the group of each dim of a stored row; lower ones come first. Empty:
  // bonds before atoms, or one group; for a fixed order, as rows are stored.
  std::vector<std::int64_t> groups = {};
  std::vector<std::int64_t> atoms = {};  // how many each training molecule has
};

class ArmModel final : public ParamModel<Config>, public OrderModel {
 public:
  // A usage error when config and data do not fit each other.
  ArmModel(Config config, const DatasetInfo& data, ArmParts parts = {});
  ~ArmModel() override;

  void params(const TensorVisitor& visit) override;
  void filled() override;

  [[nodiscard]] const Config& config() const { return config_; }
  [[nodiscard]] const ModelInfo& model_info() const override { return info_; }
  [[nodiscard]] const LevelReader& reader() const override { return reader_; }
  [[nodiscard]] OrderRule rule() const override { return rule(params_.block()); }
  [[nodiscard]] const StatePredictor& predictor() const override { return *predictor_; }
  [[nodiscard]] std::unique_ptr<const StatePredictor> repeatable_predictor(
      const RowForm& form) const override;
  [[nodiscard]] const AtomCounts* atom_counts() const override {
    return atom_counts_ ? &*atom_counts_ : nullptr;
  }
  [[nodiscard]] std::string sees_numbers_by() const override;

  // The rule with other weights than the model's own.
  [[nodiscard]] OrderRule rule(std::span<const float> theta) const;
  [[nodiscard]] const ParamSet& param_set() const { return params_; }
  using ParamModel::param_set;

  // The networks, for inputs as in NetInputs.
  [[nodiscard]] const OrderNet& net() const { return *net_; }
  [[nodiscard]] const OrderNet& choice_net() const { return choice_ ? *choice_ : *net_; }
  // beta as a node, for models that follow the entropy.
  [[nodiscard]] Var beta(Graph& graph) const { return graph.parameter(params_, beta_); }

 private:
  [[nodiscard]] OrderNets nets() const { return {net_.get(), &choice_net()}; }
  void make_nets(const DatasetInfo& data);
  void take_groups();
  LevelReader reader_;
  std::vector<std::int64_t> stored_groups_;  // as files have them, by place in a stored row
  std::vector<std::int64_t> groups_;         // by dim
  std::optional<AtomCounts> atom_counts_;
  std::unique_ptr<const OrderNet> net_, choice_;
  int beta_ = -1;
  std::unique_ptr<NetPredictor> predictor_;
};

}  // namespace logpx::arm
