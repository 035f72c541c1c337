#include "libcore/families/vdm/sampling/flow_codes.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/families/vdm/flow/probability_flow.hpp"
#include "libcore/families/vdm/process.hpp"
#include "libcore/families/vdm/sampling/data_end.hpp"
#include "libcore/families/vdm/scoring/scored_rows.hpp"
#include "libcore/math/blas.hpp"

#include <vector>

namespace logpx::vdm {
namespace {

constexpr double tolerance = 1e-6;  // of a step: encoding and back returns z to 1e-4

class FlowCodes final : public RowCodes {
 public:
  explicit FlowCodes(const DiffusionModel& model) : model_(model) {}
  [[nodiscard]] std::int64_t dims() const override { return model_.predictor().dims(); }
  [[nodiscard]] Posterior encode(const Examples& examples) const override;
  [[nodiscard]] std::vector<float> mean(std::span<const float> z) const override;

 private:
  [[nodiscard]] std::vector<std::int32_t> no_labels(std::size_t rows) const;
  const DiffusionModel& model_;
};

std::vector<std::int32_t> FlowCodes::no_labels(std::size_t rows) const {
  if (!model_.knows_no_label())
    fail(ErrorKind::usage, "",
         "this model was trained with --label-drop 0, and codes are taken without a class");
  if (model_.predictor().classes() == 0) return {};
  return std::vector<std::int32_t>(rows, no_label);
}

Posterior FlowCodes::encode(const Examples& examples) const {
  single_threaded_kernels();
  ScoredRows rows = take_rows(model_, examples, Labels::ignored);
  const Endpoints ends = model_.schedule().ends();
  const Denoiser denoiser(model_.predictor(), model_.process());
  const double alpha = model_.process().at(ends.first).alpha;
  for (double& value : rows.x) value *= alpha;
  ProbabilityFlow(denoiser, ends)
      .to_noise(rows.x, no_labels(at(rows.count)), {.tolerance = tolerance});
  const double deviation = model_.process().prior_deviation(ends.last);
  Posterior codes{.count = rows.count, .dims = rows.dims};
  for (const double z : rows.x) codes.mean.push_back(static_cast<float>(z / deviation));
  return codes;
}

std::vector<float> FlowCodes::mean(std::span<const float> z) const {
  single_threaded_kernels();
  const Endpoints ends = model_.schedule().ends();
  const Denoiser denoiser(model_.predictor(), model_.process());
  std::vector<double> rows(z.begin(), z.end());
  const double deviation = model_.process().prior_deviation(ends.last);
  for (double& value : rows) value *= deviation;
  ProbabilityFlow(denoiser, ends)
      .to_data(rows, no_labels(z.size() / at(dims())), {.tolerance = tolerance});
  const DataEnd end(model_, ends.first);
  std::vector<float> means;
  const std::size_t width = at(dims());
  for (std::size_t first = 0; first < rows.size(); first += width) {
    const std::vector<float> row = end.stored(end.mean(std::span(rows).subspan(first, width)));
    means.insert(means.end(), row.begin(), row.end());
  }
  return means;
}

}  // namespace

std::unique_ptr<RowCodes> make_flow_codes(const DiffusionModel& model) {
  return std::make_unique<FlowCodes>(model);
}

}  // namespace logpx::vdm
