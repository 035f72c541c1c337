#include "libcore/eval/likelihood.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/data/example_dims.hpp"
#include "libcore/model/common_errors.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <utility>

namespace logpx {
namespace {

constexpr std::int64_t blocks_at_once = 64;  // rows read together: a chunk is inflated once

struct BlockSpan {
  std::int64_t first, last;  // half-open
};

BlockSpan blocks_of(const EvalRows& rows) {
  const std::int64_t first = (rows.begin - rows.origin) / rows.block,
                     count = (rows.end - rows.origin + rows.block - 1) / rows.block - first;
  if (count < rows.share.of)
    fail(ErrorKind::usage, "",
         std::to_string(rows.share.of) + " processes for " + std::to_string(count) +
             " blocks of examples",
         "mpirun -n " + std::to_string(count));
  return {first + rows.share.index * count / rows.share.of,
          first + (rows.share.index + 1) * count / rows.share.of};
}

// The rows of blocks first .. last-1 that are asked for.
std::pair<std::int64_t, std::int64_t> asked_rows(const EvalRows& rows, BlockSpan blocks) {
  return {std::max(rows.origin + blocks.first * rows.block, rows.begin),
          std::min(rows.origin + blocks.last * rows.block, rows.end)};
}

void copy_columns(const Scores::Columns& from, std::size_t at, std::size_t total,
                  Scores::Columns& to) {
  for (const auto& [name, values] : from) {
    auto column = std::ranges::find(to, name, &Scores::Columns::value_type::first);
    if (column == to.end()) column = to.emplace(to.end(), name, std::vector<double>(total));
    std::ranges::copy(values, column->second.begin() + static_cast<std::ptrdiff_t>(at));
  }
}

void add_tallies(const Scores::Columns& from, Scores::Columns& to) {
  for (const auto& [name, values] : from) {
    auto tally = std::ranges::find(to, name, &Scores::Columns::value_type::first);
    if (tally == to.end()) tally = to.emplace(to.end(), name, std::vector<double>(values.size()));
    for (std::size_t i = 0; i < values.size(); ++i) tally->second[i] += values[i];
  }
}

template <typename T>
void copy_column(const std::vector<T>& from, std::size_t at, std::size_t total,
                 std::vector<double>& to) {
  if (from.empty()) return;
  to.resize(total);
  std::ranges::copy(from, to.begin() + static_cast<std::ptrdiff_t>(at));
}

void sum_shares(const BlockShare& share, Scored& scored) {
  if (share.of == 1) return;
  for (auto* column : {&scored.nats, &scored.mc_std_error, &scored.true_logp, &scored.labels,
                       &scored.source_rows, &scored.dims})
    share.sum(*column);
  for (auto* columns : {&scored.terms, &scored.facts, &scored.tallies})
    for (auto& [name, values] : *columns) share.sum(values);
}

// For a ratio of sums: the residuals nats - ratio dims have mean 0, and give the ratio's error.
std::optional<PerObserved> per_observed(const Scored& scored, const Estimate& mean) {
  double sum = 0;
  for (const double dims : scored.dims) sum += dims;
  if (sum == 0) return std::nullopt;
  const double per_example = sum / static_cast<double>(scored.dims.size());
  PerObserved observed{static_cast<std::int64_t>(sum), mean.scaled(1 / per_example, mean.unit)};
  observed.nats.std_error.reset();
  if (!mean.std_error) return observed;
  std::vector<double> residuals = scored.nats;
  for (std::size_t i = 0; i < residuals.size(); ++i)
    residuals[i] -= observed.nats.value * scored.dims[i];
  const Estimate centred = mean_of(residuals, scored.kind);
  if (centred.std_error) observed.nats.std_error = *centred.std_error / per_example;
  return observed;
}

Spread spread_of(const Scored& scored) {
  std::vector<double> sorted = scored.nats;
  std::ranges::sort(sorted);
  const auto at = [&](double share) {
    return sorted[static_cast<std::size_t>(
        std::lround(share * static_cast<double>(sorted.size() - 1)))];
  };
  return {.min = sorted.front(),
          .p1 = at(0.01),
          .median = at(0.5),
          .p99 = at(0.99),
          .max = sorted.back(),
          .argmin = scored.begin + (std::ranges::min_element(scored.nats) - scored.nats.begin())};
}

// Noise that is independent from row to row averages out; errors that rows share do not.
double error_of_mean(const Scored& scored) {
  std::vector<double> noise;
  for (const double error : scored.mc_std_error) noise.push_back(error * error);
  double common = 0;
  for (const auto& [name, values] : scored.facts) {
    if (name == shared_noise_fact) noise = values;
    if (std::ranges::find(common_errors, name) == std::end(common_errors)) continue;
    for (std::size_t i = 0; i < noise.size(); ++i) noise[i] -= values[i] * values[i];
    common += std::pow(mean_of(values, scored.kind).value, 2);
  }
  const double variance =
      mean_of(noise, scored.kind).value / static_cast<double>(scored.nats.size());
  return std::sqrt(std::max(variance, 0.0) + common);
}

}  // namespace

void visit_blocks(const EvalRows& rows, Workers& workers,
                  const std::function<void(const Examples&)>& visit) {
  const BlockSpan blocks = blocks_of(rows);
  std::mutex mutex;
  std::int64_t done = 0;
  for (std::int64_t first = blocks.first; first < blocks.last; first += blocks_at_once) {
    const std::int64_t last = std::min(first + blocks_at_once, blocks.last);
    const auto [begin, end] = asked_rows(rows, {first, last});
    const Rows window = rows.data.read(begin, end);
    workers.run(last - first, [&, before = begin](std::int64_t b) {
      const auto [from, to] = asked_rows(rows, {first + b, first + b + 1});
      const Rows own = slice_rows(window, from - before, to - before);
      visit({rows.data.info(), own, from});
      const std::lock_guard lock(mutex);
      done += to - from;
      if (rows.progress) rows.progress(done);
    });
  }
}

Scored score_rows(const EvalRows& rows, Workers& workers,
                  const std::function<Scores(const Examples&)>& score) {
  const auto total = static_cast<std::size_t>(rows.count());
  Scored scored{.begin = rows.begin, .nats = std::vector<double>(total)};
  std::mutex mutex;
  visit_blocks(rows, workers, [&](const Examples& examples) {
    const Scores block = score(examples);
    const auto at = static_cast<std::size_t>(examples.first - rows.begin);
    const std::lock_guard lock(mutex);
    scored.kind = block.kind;
    std::ranges::copy(block.nats, scored.nats.begin() + static_cast<std::ptrdiff_t>(at));
    copy_column(block.mc_std_error, at, total, scored.mc_std_error);
    copy_column(examples.rows.true_logp, at, total, scored.true_logp);
    copy_column(examples.rows.y, at, total, scored.labels);
    copy_column(examples.rows.source, at, total, scored.source_rows);
    copy_column(example_dims(examples.info, examples.rows), at, total, scored.dims);
    copy_columns(block.terms, at, total, scored.terms);
    copy_columns(block.facts, at, total, scored.facts);
    add_tallies(block.tallies, scored.tallies);
  });
  sum_shares(rows.share, scored);
  return scored;
}

Posterior encode_rows(const EvalRows& rows, Workers& workers, const ModelLatents& latents) {
  const auto dims = static_cast<std::size_t>(latents.dims());
  const std::size_t size = static_cast<std::size_t>(rows.count()) * dims;
  Posterior all{.count = rows.count(),
                .dims = latents.dims(),
                .mean = std::vector<float>(size),
                .log_var = std::vector<float>(size)};
  visit_blocks(rows, workers, [&](const Examples& examples) {
    const Posterior q = latents.encode(examples);
    const std::size_t at = static_cast<std::size_t>(examples.first - rows.begin) * dims;
    std::ranges::copy(q.mean, all.mean.begin() + static_cast<std::ptrdiff_t>(at));
    std::ranges::copy(q.log_var, all.log_var.begin() + static_cast<std::ptrdiff_t>(at));
  });
  if (rows.share.of > 1)
    for (auto* column : {&all.mean, &all.log_var}) {
      std::vector<double> values(column->begin(), column->end());
      rows.share.sum(values);
      std::ranges::transform(values, column->begin(),
                             [](double value) { return static_cast<float>(value); });
    }
  return all;
}

Summary summarise(const Scored& scored) {
  Summary summary;
  for (std::size_t i = 0; i < scored.nats.size(); ++i) {
    const std::int64_t row = scored.begin + static_cast<std::int64_t>(i);
    const double nats = scored.nats[i];
    if (std::isnan(nats) || (std::isinf(nats) && nats > 0))
      fail(ErrorKind::numeric, "row " + std::to_string(row),
           std::string("its log-likelihood is ") + (nats > 0 ? "infinite" : "not a number"));
    if (!std::isinf(nats)) continue;
    if (summary.num_impossible++ == 0) summary.first_impossible = row;
  }
  summary.log_likelihood = mean_of(scored.nats, scored.kind);
  summary.observed = per_observed(scored, summary.log_likelihood);
  if (!scored.mc_std_error.empty() && summary.num_impossible == 0)
    summary.mc_std_error = error_of_mean(scored);
  for (const auto& [name, values] : scored.terms)
    summary.terms.emplace_back(name, mean_of(values, scored.kind));
  summary.per_example = spread_of(scored);
  if (!scored.true_logp.empty()) {
    std::vector<double> gaps;
    for (std::size_t i = 0; i < scored.nats.size(); ++i)
      gaps.push_back(scored.true_logp[i] - scored.nats[i]);
    summary.gap_to_truth = mean_of(gaps, scored.kind);
  }
  return summary;
}

std::string contradiction_of_truth(const Summary& summary) {
  const Bound kind = summary.log_likelihood.kind;
  const bool must_be_below =
      kind == Bound::exact || kind == Bound::lower_bound || kind == Bound::stochastic_lower_bound;
  if (!summary.gap_to_truth || !must_be_below) return {};
  const Estimate& gap = *summary.gap_to_truth;
  const double rounding = 1e-5 * std::max(1.0, std::abs(summary.log_likelihood.value));
  if (gap.value >= -3 * gap.std_error.value_or(0) - rounding) return {};
  const std::string error = gap.std_error ? " ± " + four_digits(*gap.std_error) : "";
  return "log p(x) of the model, " + summary.log_likelihood.text() + ", lies " +
         four_digits(-gap.value) + error + " nats above that of the source";
}

Estimate paired_difference(const Scored& a, const Scored& b) {
  LOGPX_ASSERT(a.nats.size() == b.nats.size());
  std::vector<double> differences;
  for (std::size_t i = 0; i < a.nats.size(); ++i) differences.push_back(a.nats[i] - b.nats[i]);
  const bool exact = a.kind == Bound::exact && b.kind == Bound::exact;
  return mean_of(differences, exact ? Bound::exact : Bound::estimate);
}

double mean_of_fact(const Scored& scored, const std::string& name) {
  const auto column = std::ranges::find(scored.facts, name, &Scores::Columns::value_type::first);
  LOGPX_ASSERT(column != scored.facts.end());
  return mean_of(column->second, scored.kind).value;
}

}  // namespace logpx
