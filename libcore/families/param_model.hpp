// The base of models that are made of a config and trained tensors. A model that also has constants
// overrides params(): visit_parameters (libcore/model/parameters.hpp), then its constants.
#pragma once

#include "libcore/model/parameters.hpp"
#include "libcore/nn/site.hpp"

#include <utility>

namespace logpx {

template <typename Config>
class ParamModel : public Model {
 public:
  void initialise(Rng rng) { initialisers_.run(params_, rng); }
  [[nodiscard]] ParamSet& param_set() { return params_; }

  [[nodiscard]] const ModelInfo& info() const override { return info_; }
  void describe(Fields& fields) override { config_.describe(fields); }
  void params(const TensorVisitor& visit) override { visit_parameters(params_, visit); }

 protected:
  explicit ParamModel(Config config) : config_(std::move(config)) {}
  [[nodiscard]] Site site() { return {params_, initialisers_}; }  // where layers put tensors

  Config config_;
  ModelInfo info_;  // for the constructor to fill
  ParamSet params_;

 private:
  Initialisers initialisers_;
};

}  // namespace logpx
