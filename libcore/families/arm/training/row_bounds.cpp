#include "libcore/families/arm/training/row_bounds.hpp"

#include "libcore/base/index.hpp"
#include "libcore/families/arm/training/drawn_rows.hpp"
#include "libcore/math/blas.hpp"
#include "libcore/math/low_discrepancy.hpp"

#include <algorithm>
#include <cmath>

namespace logpx::arm {
namespace {

constexpr std::int64_t most_rows = 1000;
constexpr std::uint64_t evaluation_seed = 1;

}  // namespace

RowBounds::RowBounds(const ArmModel& model)
    : model_(model),
      passes_(
          [this](std::int64_t rows, std::int64_t extent) {
            auto graph = std::make_unique<Graph>();
            name_objective(*graph, model_, options_, {rows, extent});
            return graph;
          },
          {}) {}

std::int64_t RowBounds::judged_rows(const Examples& examples) {
  return std::min(most_rows, examples.rows.count);
}

void RowBounds::compute_by(const Numerics& numerics) {
  passes_.clear();
  passes_.request().numerics = numerics;
}

std::vector<double> RowBounds::mean(std::span<const float> weights, const Examples& examples,
                                    const EvaluationMachine& machine) {
  const std::int64_t rows = judged_rows(examples), columns = std::ssize(objective_terms(model_));
  const double offset = uniform53_at(Rng(evaluation_seed).stream(Stream::time), 0);
  // Steps of the golden section: any block of neighbouring rows covers the order evenly.
  const auto time_of = [&](std::int64_t row) {
    const double place = offset + static_cast<double>(row) * 0.6180339887498949;
    return place - std::floor(place);
  };
  const auto add = [&](RowBlock block, std::span<double> sums) {
    const Rows held = slice_rows(examples.rows, block.first, block.first + block.count);
    std::vector<double> times;
    for (std::int64_t i = 0; i < block.count; ++i) times.push_back(time_of(block.first + i));
    add_block(weights, {examples.info, held, examples.first + block.first}, times, sums);
  };
  std::vector<double> sums = sum_over_rows(machine, {.rows = rows, .columns = columns}, add);
  for (double& sum : sums) sum /= static_cast<double>(rows);
  return sums;
}

void RowBounds::add_block(std::span<const float> weights, const Examples& examples,
                          std::span<const double> times, std::span<double> sums) {
  single_threaded_kernels();
  const std::int64_t count = examples.rows.count, dims = model_.dims();
  const std::vector<std::int32_t> x = model_.reader().values(examples);
  const std::int64_t extent = model_.form().extent_of(x);
  const NetLayout layout(model_.form(), extent);
  const ExecutorPool::Loan loan = passes_.lend({count, extent});
  GraphInputs& inputs = loan.inputs();
  const Rng rng(evaluation_seed);
  for (std::int64_t i = 0; i < count; ++i)
    bind_row(model_, layout,
             {.row = at(i),
              .time = times[at(i)],
              .orders = rng.stream(Stream::order, static_cast<std::uint32_t>(examples.first + i))},
             std::span(x).subspan(at(i * dims), at(dims)), inputs);
  if (inputs.holds("learns")) std::ranges::fill(inputs.values("learns"), 1.0F);
  loan.executor().bind_parameters(weights);
  loan.executor().forward();
  const std::vector<std::string> names = objective_terms(model_);
  for (std::size_t t = 0; t < names.size(); ++t)
    for (const float value : loan.executor().output(names[t]).span())
      sums[t] += static_cast<double>(value);
}

}  // namespace logpx::arm
