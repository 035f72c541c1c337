// A model whose log p(x), or a bound of it without noise, follows from the row alone. Its family
// writes that as nodes; scoring and training use them.
#pragma once

#include "libcore/families/family.hpp"
#include "libcore/families/param_model.hpp"
#include "libcore/families/row_loss_task.hpp"

#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace logpx {

template <typename Config>
class RowModel : public ParamModel<Config> {
 public:
  // log p of rows x [rows, dims], in nats [rows].
  [[nodiscard]] virtual Var log_p(Var x) const = 0;

 protected:
  RowModel(Config config, std::int64_t dims)
      : ParamModel<Config>(std::move(config)), losses_(dims, [this](Var x) { return log_p(x); }) {}
  // The same as numbers, under parameters that need not be the model's own.
  [[nodiscard]] std::vector<double> nats(std::span<const float> theta,
                                         const Examples& examples) const {
    return losses_.log_p(theta, examples);
  }

 private:
  RowLosses losses_;
};

// `settings` has the members model and training. Refers to the data.
template <typename M, typename Settings>
[[nodiscard]] Trainee train_rows(const Settings& settings, const TaskData& data, Rng rng) {
  auto model = std::make_unique<M>(settings.model, data.train.info);
  model->initialise(rng);
  auto task = std::make_unique<RowLossTask>(model->param_set(), data,
                                            [&model = *model](Var x) { return model.log_p(x); });
  return {std::move(model), std::move(task), settings.training};
}

}  // namespace logpx
