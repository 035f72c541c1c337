#include "libcore/families/pc/queries/queries.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/families/pc/circuit/validation.hpp"
#include "libcore/families/pc/patterns/matching.hpp"
#include "libcore/families/pc/queries/drawing.hpp"
#include "libcore/families/pc/queries/paths.hpp"
#include "libcore/families/pc/queries/state_tables.hpp"
#include "libcore/families/pc/text/circuit_numbers.hpp"
#include "libcore/math/blas.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace logpx::pc {
namespace {

// Copies the values of columns to rows of this width, from `first` on.
template <typename V>
void take_values(const std::vector<V>& columns, std::int64_t count, std::int64_t width,
                 std::span<V> rows) {
  const std::int64_t values = std::min(width, std::ssize(columns) / count);
  for (std::int64_t c = 0; c < count; ++c)
    for (std::int64_t i = 0; i < values; ++i) rows[at(c * width + i)] = columns[at(i * count + c)];
}

}  // namespace

Queries::Weights Queries::weights() const {
  if (given_) return given_;
  const std::span<const float> block = params_.block();
  const std::lock_guard<std::mutex> lock(guard_);
  const auto same = [](float a, double b) { return static_cast<double>(a) == b; };
  if (!kept_ || !std::ranges::equal(block, *kept_, same))
    kept_ = std::make_shared<const std::vector<double>>(block.begin(), block.end());
  return kept_;
}

void Queries::take_numbers(std::span<const double> part, std::int64_t each, std::int64_t width,
                           std::span<double> rows) {
  for (std::int64_t c = 0; c * each < std::ssize(part); ++c)
    std::ranges::copy(part.subspan(at(c * each), at(std::min(each, width))),
                      rows.begin() + c * width);
}

std::int64_t Queries::steps_of(std::int64_t length) const {
  if (plan_.carry() < 0) return 1;
  const auto variables = std::ssize(plan_.circuit().variables);
  return std::max<std::int64_t>(1, (length + variables - 1) / variables);
}

std::int64_t Queries::rows_at_once(std::int64_t steps) const {
  constexpr std::int64_t most_bytes = std::int64_t{64} << 20, most_rows = 128;
  const std::int64_t each =
      plan_.circuit().styles * Pass<double>::bytes(plan_, {.columns = 1}, steps);
  return std::clamp<std::int64_t>(most_bytes / std::max<std::int64_t>(each, 1), 1, most_rows);
}

Columns Queries::columns_of(const Evidence& rows, std::int64_t begin, std::int64_t end) const {
  Columns columns{.count = end - begin};
  for (std::int64_t i = begin; i < end; ++i)
    columns.lengths.push_back(steps_of(rows.lengths[at(i)]));
  columns.steps = std::ranges::max(columns.lengths);
  const std::int64_t values = columns.steps * std::ssize(plan_.circuit().variables);
  columns.x.assign(at(values * columns.count), -1);
  columns.reals.assign(plan_.circuit().has_reals() ? columns.x.size() : 0, 0.0F);
  columns.regions = regions_of(rows);
  std::vector<std::int32_t> x;
  for (std::int64_t i = begin; i < end; ++i) {
    x.assign(rows.row(i).begin(), rows.row(i).end());
    if (reads_colours() && !planes_to_ycocg(std::span(x), transform()))
      fail(ErrorKind::data, "row " + std::to_string(rows.first + i),
           "has a pixel of which some values are known and others are not, and the model reads "
           "colours whole");
    for (std::int64_t v = 0; v < std::min(values, rows.lengths[at(i)]); ++v) {
      const std::size_t place = at(v * columns.count + i - begin);
      columns.x[place] = std::max(x[at(v)], -1);  // a new value counts as missing
      if (columns.x[place] >= 0 && is_real(v))
        columns.reals[place] = rows_.as_read(rows.reals[at(i * rows.width + v)], v);
    }
  }
  return columns;
}

void Queries::for_parts(const Evidence& rows, const std::function<void(Part&)>& run) const {
  single_threaded_kernels();
  if (rows.count() == 0) return;
  const std::int64_t at_once = rows_at_once(steps_of(std::ranges::max(rows.lengths)));
  for (std::int64_t first = 0; first < rows.count(); first += at_once) {
    Part part{.first = first,
              .columns = columns_of(rows, first, std::min(rows.count(), first + at_once)),
              .nats = {}};
    part.nats.resize(at(part.columns.count));
    run(part);
  }
}

Evidence Queries::observed(const Examples& examples) const {
  Evidence rows{.width = examples.info.dims(), .first = examples.first};
  rows.x.assign(at(examples.rows.count * rows.width), -1);
  for (std::int64_t i = 0; i < examples.rows.count; ++i) {
    const bool ends = plan_.carry() >= 0 && !examples.rows.length.empty();
    rows.lengths.push_back(ends ? examples.rows.length[at(i)] : rows.width);
  }
  if (rows.count() == 0) return rows;
  const Columns columns = rows_.of_evidence().take_all(examples);
  take_values(columns.x, columns.count, rows.width, std::span(rows.x));
  if (columns.reals.empty()) return rows;
  rows.reals.resize(rows.x.size());
  take_values(columns.reals, columns.count, rows.width, std::span(rows.reals));
  return rows;
}

void Queries::complete_nats(const Evidence& rows, const Columns& scored, Part& part) const {
  rows_.to_rows(scored, part.nats);
  for (std::int64_t c = 0; c < scored.count; ++c)
    if (rows.has_new_value(part.first + c))
      part.nats[at(c)] = -std::numeric_limits<double>::infinity();
}

std::vector<double> Queries::log_p_pruned(const Evidence& rows, const StatePruning& pruning) const {
  return in_single() ? log_p_in<float>(rows, pruning) : log_p_in<double>(rows, pruning);
}

template <typename T>
std::vector<double> Queries::log_p_in(const Evidence& rows, const StatePruning& pruning) const {
  const auto theta = numbers<T>();
  std::vector<double> nats(at(rows.count()));
  Pass<T> pass(plan_, {.pruning = pruning});
  for_parts(rows, [&](Part& part) {
    pass.log_p(*theta, part.columns, part.nats);
    if (plan_.circuit().ln_z) ln_z_.subtract(*numbers<double>(), part.columns, part.nats);
    complete_nats(rows, part.columns, part);
    std::ranges::copy(part.nats, nats.begin() + part.first);
  });
  return nats;
}

ValueTables Queries::tables(const Evidence& rows, Tails tails) const {
  return in_single() ? tables_in<float>(rows, tails) : tables_in<double>(rows, tails);
}

template <typename T>
ValueTables Queries::tables_in(const Evidence& rows, Tails tails) const {
  const auto theta = numbers<T>();
  const std::int64_t row = rows.width * levels();
  ValueTables all{.p = std::vector<double>(at(rows.count() * row)),
                  .nats = std::vector<double>(at(rows.count()))};
  if (plan_.circuit().has_reals()) all.reals.resize(rows.x.size());
  std::vector<double> own;
  Pass<T> pass(plan_, {});
  for_parts(rows, [&](Part& part) {
    LeafTables<T> way(plan_.circuit(), part.columns, own, tails);
    pass.descend({.theta = *theta}, part.columns, part.nats, way);
    way.normalise();
    take_numbers(own, std::ssize(own) / part.columns.count, row,
                 std::span(all.p).subspan(at(part.first * row)));
    if (!all.reals.empty()) take_moments(way, part, rows, all);
    complete_nats(rows, part.columns, part);
    std::ranges::copy(part.nats, all.nats.begin() + part.first);
  });
  return all;
}

// Moments in the units of the data.
template <typename T>
void Queries::take_moments(const LeafTables<T>& way, const Part& part, const Evidence& rows,
                           ValueTables& all) const {
  const std::int64_t values = std::ssize(part.columns.x) / part.columns.count;
  const std::vector<double>& deviation = rows_.rules().columns.deviation;
  for (std::int64_t c = 0; c < part.columns.count; ++c)
    for (std::int64_t place = 0; place < std::min(rows.width, values); ++place) {
      if (!is_real(place)) continue;
      RealMoments moments = way.moments(c * values + place);
      const double spread = moments.square - moments.mean * moments.mean;
      moments.mean = rows_.in_units(moments.mean, place);
      const double unit = deviation.empty() ? 1 : deviation[at(place)];
      moments.square = spread * unit * unit + moments.mean * moments.mean;
      moments.nats -= std::log(unit);
      all.reals[at((part.first + c) * rows.width + place)] = moments;
    }
}

FilledRows Queries::fill(const Evidence& rows, FillBy how, Rng rng, std::uint32_t draw) const {
  const FillAsked asked{.how = how, .rng = rng, .draw = draw};
  return in_single() ? fill_in<float>(rows, asked) : fill_in<double>(rows, asked);
}

template <typename T>
FilledRows Queries::fill_in(const Evidence& rows, const FillAsked& asked) const {
  const auto theta = numbers<T>();
  const std::int64_t count = rows.count(), width = rows.width, steps = steps_of(width);
  FilledRows filled{.x = std::vector<std::int32_t>(at(count * width), -1),
                    .nats = std::vector<double>(at(count))};
  if (plan_.carry() >= 0) filled.states.assign(at(count * steps), -1);
  if (plan_.circuit().has_reals()) filled.reals = rows.reals;
  filled.reals.resize(plan_.circuit().has_reals() ? filled.x.size() : 0);
  const bool draws_some = asked.how == FillBy::draws;
  Pass<T> pass(plan_, {.over = draws_some ? Over::sums : Over::largest});
  for_parts(rows, [&](Part& part) {
    std::vector<DrawCursor> draws;
    for (std::int64_t c = 0; c < part.columns.count; ++c)
      draws.emplace_back(asked.rng.stream(Stream::evaluation,
                                          static_cast<std::uint32_t>(rows.first + part.first + c)),
                         std::uint64_t{asked.draw} << 32);
    DrawnChoice drawn(std::move(draws));
    LargestChoice largest;
    Columns out = part.columns;
    Paths<T> way(draws_some ? static_cast<Chooser&>(drawn) : largest, out);
    pass.descend({.theta = *theta}, part.columns, part.nats, way);
    take_values(out.x, out.count, width, std::span(filled.x).subspan(at(part.first * width)));
    for (std::int64_t c = 0; reads_colours() && c < out.count; ++c)
      planes_to_rgb(std::span(filled.x).subspan(at((part.first + c) * width), at(width)),
                    transform());
    take_reals(part, out, rows, filled);
    complete_nats(rows, draws_some ? part.columns : out, part);
    std::ranges::copy(part.nats, filled.nats.begin() + part.first);
    const std::int64_t columns = part.columns.count;
    for (std::int64_t i = 0; i < std::ssize(way.states()); ++i)
      filled.states[at((part.first + i % columns) * steps + i / columns)] = way.states()[at(i)];
    for (std::int64_t c = 0; c < columns; ++c)
      if (!std::isfinite(part.nats[at(c)]))
        std::fill_n(filled.x.begin() + (part.first + c) * width, width, -1);
  });
  // Fillings beyond the end of a row are not part of it.
  for (std::int64_t i = 0; i < count; ++i)
    std::fill(filled.x.begin() + i * width + rows.lengths[at(i)],
              filled.x.begin() + (i + 1) * width, -1);
  return filled;
}

// Takes only what was missing; all else stays bit for bit.
void Queries::take_reals(const Part& part, const Columns& out, const Evidence& rows,
                         FilledRows& filled) const {
  if (out.reals.empty()) return;
  const std::int64_t values = std::min(rows.width, std::ssize(out.x) / out.count);
  for (std::int64_t c = 0; c < out.count; ++c)
    for (std::int64_t place = 0; place < values; ++place) {
      const std::size_t from = at(place * out.count + c);
      if (!is_real(place) || part.columns.x[from] >= 0) continue;
      double value = rows_.in_units(static_cast<double>(out.reals[from]), place);
      if (rows.regions && rows.regions->contains(place))
        value = rows.regions->at(place).nearest(value);
      filled.reals[at((part.first + c) * rows.width + place)] = static_cast<float>(value);
    }
}

std::unique_ptr<ModelQueries> Queries::tempered(double temperature) const {
  std::vector<double> theta = *weights();
  for (int b = 0; b < static_cast<int>(plan_.circuit().blocks.size()); ++b) {
    const Leaf* const leaf = plan_.leaf(b);
    if (plan_.block(b).tied_to >= 0) continue;
    if (const JointForm* const joint = plan_.joint(b))
      temper_joint(*joint, temperature,
                   std::span(theta).subspan(at(plan_.range(b, 0).begin),
                                            at(plan_.block(b).size * joint->parameters())));
    if (leaf == nullptr) continue;
    const BlockRange range = plan_.range(b, 0);
    for (std::int64_t i = range.begin; i < range.end; i += leaf->parameters())
      leaf->temper(temperature, std::span(theta).subspan(at(i), at(leaf->parameters())));
  }
  for (int tensor = 0; tensor < params_.count(); ++tensor) {
    if (use_of(params_.infos()[at(tensor)].name) != TensorUse::rows) continue;
    const View<double> view = params_.view(tensor, std::span(theta));
    for (std::int64_t row = 0; row < view.size(); row += view.shape.back()) {
      const std::span<double> one = view.span().subspan(at(row), at(view.shape.back()));
      const double largest = std::ranges::max(one);
      double total = 0;
      for (double& w : one) total += w = std::pow(w / largest, 1 / temperature);
      for (double& w : one) w /= total;
    }
  }
  return std::make_unique<Queries>(plan_, params_, rows_, std::move(theta), precision_);
}

std::unique_ptr<ModelQueries> Queries::in_floats() const {
  return std::make_unique<Queries>(plan_, params_, rows_, *weights(), Precision::floats);
}

std::unique_ptr<MatchingRows> Queries::matching(const Automaton& automaton) const {
  const std::string why = refuse_automaton(plan_.circuit(), automaton.symbols());
  if (!why.empty()) fail(ErrorKind::usage, "--pattern", why);
  return std::make_unique<Matching>(plan_, weights(), automaton);
}

std::vector<double> Queries::states(const Evidence& rows) const {
  return in_single() ? states_in<float>(rows) : states_in<double>(rows);
}

template <typename T>
std::vector<double> Queries::states_in(const Evidence& rows) const {
  const auto theta = numbers<T>();
  const std::int64_t row = steps_of(rows.width) * hidden_states();
  std::vector<double> all(at(rows.count() * row)), own;
  if (hidden_states() == 0) return {};
  Pass<T> pass(plan_, {});
  for_parts(rows, [&](Part& part) {
    StateTables<T> way(plan_.circuit(), part.columns, own);
    pass.descend({.theta = *theta}, part.columns, part.nats, way);
    take_numbers(own, std::ssize(own) / part.columns.count, row,
                 std::span(all).subspan(at(part.first * row)));
  });
  return all;
}

std::int64_t Queries::hidden_states() const {
  const Circuit& circuit = plan_.circuit();
  return circuit.chained() ? circuit.blocks[at(circuit.carried)].size : 0;
}

std::string Queries::silent_about() const {
  if (!reads_colours()) return "";
  return std::string(
             "it is about single values, and this model reads colours whole (--transform ") +
         word_of(transform()) + ')';
}

std::string Queries::only_scores() const { return pc::only_scores(plan_.circuit()); }

std::int64_t Queries::levels() const { return most_categories(plan_.circuit()); }

std::int64_t Queries::levels_at(std::int64_t place) const {
  const std::vector<Variable>& variables = plan_.circuit().variables;
  return variables[at(place) % variables.size()].categories;
}

bool Queries::has_density(std::int64_t place) const {
  const std::vector<Variable>& variables = plan_.circuit().variables;
  const Variable& variable = variables[at(place) % variables.size()];
  return variable.categories == 0 && !variable.whole;
}

std::int64_t Queries::known_at(std::int64_t place) const {
  const std::vector<Variable>& variables = plan_.circuit().variables;
  return variables[at(place) % variables.size()].known();
}

double Queries::value_at(std::int64_t place, std::int64_t category) const {
  const std::vector<Variable>& variables = plan_.circuit().variables;
  const std::vector<double>& own = variables[at(place) % variables.size()].values;
  return own.empty() ? static_cast<double>(category) : own[at(category)];
}

double Queries::cost(std::int64_t width) const {
  return static_cast<double>(plan_.step_edges()) * static_cast<double>(steps_of(width));
}

std::vector<ModelFact> Queries::facts() const {
  const Circuit& circuit = plan_.circuit();
  const CircuitFacts facts = facts_of(circuit);
  const auto yes_or_no = [](const char* name, bool holds) {
    return ModelFact{.name = name, .text = holds ? "yes" : "no"};
  };
  const auto number = [](const char* name, std::int64_t value) {
    return ModelFact{.name = name, .text = {}, .number = static_cast<double>(value)};
  };
  std::vector<ModelFact> all = {{.name = "form", .text = circuit.chained() ? "chain" : "graph"},
                                {.name = "smooth", .text = "yes"},
                                {.name = "decomposable", .text = "yes"},
                                yes_or_no("structured_decomposable", facts.structured_decomposable),
                                yes_or_no("omni_compatible", facts.omni_compatible),
                                yes_or_no("deterministic", facts.deterministic),
                                number("variables", std::ssize(circuit.variables)),
                                number("blocks", std::ssize(circuit.blocks)),
                                number("nodes", facts.nodes),
                                number("edges", facts.edges),
                                number("parameters", facts.parameters),
                                number("depth", facts.depth)};
  if (circuit.has_own_values()) {
    const std::vector<std::string> densities = circuit.densities();
    all.push_back(
        {.name = "densities", .text = densities.empty() ? "none" : join_text(densities, ", ")});
  }
  return all;
}

std::string Queries::text(ModelText form) const {
  if (form == ModelText::dot) return draw_circuit(plan_.circuit());
  return write_circuit(with_numbers(plan_, params_));
}

}  // namespace logpx::pc
