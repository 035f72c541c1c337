// pca:K: scores on the principal axes of the rows used for the fit.
//
//   y = (x - mean) components^T
#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/features/kinds.hpp"
#include "libcore/features/unit_rows.hpp"
#include "libcore/judge/moments.hpp"
#include "libcore/math/blas.hpp"
#include "libcore/math/principal_axes.hpp"

#include <algorithm>
#include <cmath>

namespace logpx {
namespace {

// A covariance matrix of more columns than this is too costly; the inner products of fewer rows
// have the same axes.
constexpr std::int64_t most_columns = 4096;

class PcaExtractor final : public Extractor {
 public:
  PcaExtractor(const ExtractorWords& words, const ExtractorParts& parts)
      : Extractor({.name = words.text, .data = parts.data, .width = words.numbers[0]}),
        mean_({dims()}),
        components_({info_.width, dims()}),
        variances_({info_.width}) {
    if (parts.tensors.empty()) return;
    fill_tensors(tensors(), parts.tensors);
    check();
    take_axes();
  }

  void extract(const Examples& examples, const FeatureBlock& out) const override {
    single_threaded_kernels();
    std::vector<float> x(at(examples.rows.count * dims()));
    unit_rows(examples, info_.data, x);
    const std::vector<double> wide(x.begin(), x.end());
    std::ranges::transform(axes_.scores(wide), out.features.begin(),
                           [](double score) { return static_cast<float>(score); });
  }

  FitReport fit(RowStream& rows, const FitMachine& machine) override {
    double total = 0;
    const PrincipalAxes found =
        dims() <= most_columns ? by_covariance(rows, machine, total) : by_rows(rows, total);
    std::ranges::copy(found.mean, mean_.data());
    std::ranges::copy(found.components, components_.data());
    std::ranges::copy(found.variances, variances_.data());
    take_axes();
    double explained = 0;
    for (const double variance : found.variances) explained += variance;
    return {.facts = {{"explained", total > 0 ? explained / total : 1}}};
  }

  [[nodiscard]] std::vector<TensorRef> tensors() override {
    return {TensorRef::of("pca/mean", mean_), TensorRef::of("pca/components", components_),
            TensorRef::of("pca/variances", variances_)};
  }

 private:
  [[nodiscard]] std::int64_t dims() const { return info_.data.dims(); }

  void take_axes() {
    const auto numbers = [](const Tensor<double>& tensor) {
      return std::vector<double>(tensor.span().begin(), tensor.span().end());
    };
    axes_ = {numbers(mean_), numbers(components_), numbers(variances_)};
  }

  void check() {
    for (const TensorRef& tensor : tensors())
      for (std::size_t i = 0; i < tensor.bytes.size() / sizeof(double); ++i)
        if (!std::isfinite(reinterpret_cast<const double*>(tensor.bytes.data())[i]))
          fail(ErrorKind::data, tensor.name, "element " + std::to_string(i) + " is not finite");
  }

  void require_axes(const DatasetInfo& rows, std::int64_t count) const {
    const std::int64_t most = std::min(count - 1, dims());
    if (info_.width > most)
      fail(ErrorKind::data, rows.name,
           std::to_string(count) + " rows of " + std::to_string(dims()) + " numbers have at most " +
               std::to_string(std::max<std::int64_t>(most, 0)) +
               " principal axes, and --extractor is " + info_.name);
  }

  [[nodiscard]] std::vector<double> values(const DatasetInfo& info, const Rows& rows) const {
    std::vector<float> x(at(rows.count * dims()));
    unit_rows({info, rows}, info_.data, x);
    return {x.begin(), x.end()};
  }

  [[nodiscard]] PrincipalAxes by_covariance(RowStream& rows, const FitMachine& machine,
                                            double& total) const {
    MomentSums sums(dims(), &machine.workers);
    for (Rows some; rows.next(some);) {
      sums.append(values(rows.info(), some));
      if (machine.progress && rows.info().n > 0)
        machine.progress(static_cast<double>(sums.n()) / static_cast<double>(rows.info().n));
    }
    require_axes(rows.info(), sums.n());
    const Moments moments = sums.finish();
    for (std::int64_t d = 0; d < dims(); ++d) total += moments.covariance[at(d * dims() + d)];
    return axes_of_covariance(moments.mean, moments.covariance, info_.width);
  }

  [[nodiscard]] PrincipalAxes by_rows(RowStream& rows, double& total) const {
    std::vector<double> all;
    std::int64_t count = 0;
    for (Rows some; rows.next(some);) {
      count += some.count;
      if (count > most_columns)
        fail(ErrorKind::data, rows.info().name,
             "axes of rows of " + std::to_string(dims()) + " numbers are fitted on at most " +
                 std::to_string(most_columns) + " rows",
             "--fit-on FILE:SPLIT with fewer rows");
      const std::vector<double> x = values(rows.info(), some);
      all.insert(all.end(), x.begin(), x.end());
    }
    require_axes(rows.info(), count);
    PrincipalAxes found = principal_axes(all, {count, dims()}, info_.width);
    for (std::size_t e = 0; e < all.size(); ++e) {
      const double from_mean = all[e] - found.mean[e % at(dims())];
      total += from_mean * from_mean / static_cast<double>(count - 1);
    }
    return found;
  }

  Tensor<double> mean_, components_, variances_;
  PrincipalAxes axes_;  // the same
};

}  // namespace

std::unique_ptr<Extractor> make_pca(const ExtractorWords& words, ExtractorParts parts) {
  return std::make_unique<PcaExtractor>(words, parts);
}

}  // namespace logpx
