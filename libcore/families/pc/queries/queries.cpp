#include "libcore/families/pc/queries/queries.hpp"

#include "libcore/base/index.hpp"
#include "libcore/families/pc/queries/leaf_tables.hpp"
#include "libcore/families/pc/queries/paths.hpp"
#include "libcore/math/blas.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace logpx::pc {
namespace {

// Rows from `first` on, so many at a time.
template <typename Run>
void for_parts(std::int64_t count, std::int64_t at_once, Run run) {
  for (std::int64_t first = 0; first < count; first += at_once) {
    std::vector<std::int64_t> numbers(at(std::min(at_once, count - first)));
    std::iota(numbers.begin(), numbers.end(), first);
    run(numbers);
  }
}

std::int64_t steps_at_most(const SymbolRows& rows, const Examples& examples) {
  std::int64_t steps = 1;
  for (std::int64_t row = 0; row < examples.rows.count; ++row)
    steps = std::max(steps, rows.steps_of(examples, row));
  return steps;
}

// x [rows, width] of these numbers, from columns.
void take_values(const Columns& columns, std::span<const std::int64_t> numbers, std::int64_t width,
                 std::vector<std::int32_t>& x) {
  const std::int64_t values = std::ssize(columns.x) / columns.count;
  for (std::size_t c = 0; c < numbers.size(); ++c)
    for (std::int64_t i = 0; i < std::min(width, values); ++i)
      x[at(numbers[c] * width + i)] = columns.x[at(i) * numbers.size() + c];
}

}  // namespace

std::vector<double> Queries::weights() const {
  const std::span<const float> block = params_.block();
  return {block.begin(), block.end()};
}

std::int64_t Queries::rows_at_once(std::int64_t steps) const {
  constexpr std::int64_t most_bytes = std::int64_t{64} << 20, most_rows = 128;
  const std::int64_t each = Pass<double>::bytes(plan_, {.columns = 1}, steps);
  return std::clamp<std::int64_t>(most_bytes / std::max<std::int64_t>(each, 1), 1, most_rows);
}

std::vector<std::int32_t> Queries::observed(const Examples& examples) const {
  const std::int64_t width = examples.info.dims();
  std::vector<std::int32_t> x(at(examples.rows.count * width), -1);
  std::vector<std::int64_t> all(at(examples.rows.count));
  std::iota(all.begin(), all.end(), std::int64_t{0});
  if (!all.empty()) take_values(rows_.take_all(examples), all, width, x);
  return x;
}

std::vector<double> Queries::tables(const Examples& examples) const {
  single_threaded_kernels();
  const Circuit& circuit = plan_.circuit();
  const std::int64_t size = LeafTables<double>::table_size(circuit),
                     width = examples.info.dims() / std::ssize(circuit.variables) * size;
  const std::vector<double> theta = weights();
  std::vector<double> all(at(examples.rows.count * width)), nats, part;
  const std::int64_t at_once = rows_at_once(steps_at_most(rows_, examples));
  Pass<double> pass(plan_, {.columns = at_once});
  Columns columns;
  for_parts(examples.rows.count, at_once, [&](std::span<const std::int64_t> numbers) {
    rows_.take(examples, numbers, evaluation_noise(rows_.rules()), columns);
    nats.resize(numbers.size());
    part.assign(at(columns.count * columns.steps * size), 0);
    LeafTables<double> way(circuit, part);
    pass.descend({.theta = theta}, columns, nats, way);
    way.normalise();
    const std::int64_t own = std::min(width, columns.steps * size);
    for (std::size_t c = 0; c < numbers.size(); ++c)
      std::copy_n(part.begin() + static_cast<std::ptrdiff_t>(c) * columns.steps * size, own,
                  all.begin() + numbers[c] * width);
  });
  return all;
}

FilledRows Queries::fill(const Examples& examples, FillBy how, Rng rng, std::uint32_t draw) const {
  single_threaded_kernels();
  const std::int64_t width = examples.info.dims(), count = examples.rows.count,
                     steps = steps_at_most(rows_, examples), at_once = rows_at_once(steps);
  const std::vector<double> theta = weights();
  FilledRows filled{.x = std::vector<std::int32_t>(at(count * width), -1),
                    .nats = std::vector<double>(at(count))};
  if (plan_.carry() >= 0) filled.states.assign(at(count * steps), -1);
  Pass<double> pass(
      plan_, {.columns = at_once, .over = how == FillBy::draws ? Over::sums : Over::largest});
  for_parts(count, at_once, [&](std::span<const std::int64_t> numbers) {
    Columns given;
    rows_.take(examples, numbers, evaluation_noise(rows_.rules()), given);
    std::vector<DrawCursor> draws;
    for (const std::int64_t row : numbers)
      draws.emplace_back(
          rng.stream(Stream::evaluation, static_cast<std::uint32_t>(examples.first + row)),
          std::uint64_t{draw} << 32);
    DrawnChoice drawn(std::move(draws));
    LargestChoice largest;
    Columns out = given;
    Paths<double> way(how == FillBy::draws ? static_cast<Chooser&>(drawn) : largest, out);
    const std::span nats = std::span(filled.nats).subspan(at(numbers.front()), numbers.size());
    pass.descend({.theta = theta}, given, nats, way);
    take_values(out, numbers, width, filled.x);
    for (std::size_t i = 0; i < way.states().size(); ++i)
      filled.states[at(numbers[i % numbers.size()] * steps) + i / numbers.size()] = way.states()[i];
    for (std::size_t c = 0; c < numbers.size(); ++c)
      if (!std::isfinite(nats[c])) std::fill_n(filled.x.begin() + numbers[c] * width, width, -1);
  });
  return filled;
}

}  // namespace logpx::pc
