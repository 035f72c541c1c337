#include "libcore/features/net_extractor.hpp"

#include "libcore/base/error.hpp"
#include "libcore/features/unit_rows.hpp"
#include "libcore/math/blas.hpp"

#include <algorithm>

namespace logpx {

void require_pictures(const DatasetInfo& data, const std::string& extractor) {
  if (data.content == Content::image) return;
  fail(ErrorKind::data, data.name,
       "holds rows of content " + std::string(word_of(data.content)) + ", and --extractor " +
           extractor + " takes pictures",
       "--extractor pixels or pca:K take any numbers");
}

Shape picture_shape(const DatasetInfo& data, std::int64_t rows) {
  return {rows, data.shape[2], data.shape[0], data.shape[1]};
}

NetExtractor::NetExtractor(ExtractorInfo info)
    : Extractor(std::move(info)),
      passes_(
          [this](std::int64_t rows, std::int64_t) {
            auto graph = std::make_unique<Graph>();
            const Outputs made = nodes(graph->input("x", input_shape(rows)));
            graph->output("features", made.features);
            if (made.logits) graph->output("logits", *made.logits);
            return graph;
          },
          {}) {}

void NetExtractor::fill_input(const Examples& examples, std::span<float> x) const {
  unit_rows(examples, info_.data, x);
}

void NetExtractor::extract(const Examples& examples, const FeatureBlock& out) const {
  single_threaded_kernels();
  const ExecutorPool::Loan loan = passes_.lend({examples.rows.count});
  fill_input(examples, loan.inputs().values("x"));
  loan.executor().bind_parameters(params_.block());
  loan.executor().forward();
  std::ranges::copy(loan.executor().output("features").span(), out.features.begin());
  if (out.logits.empty()) return;
  std::ranges::copy(loan.executor().output("logits").span(), out.logits.begin());
}

}  // namespace logpx
