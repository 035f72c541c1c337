#include "libcore/model/data_reading.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/data/row_store.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace logpx {
namespace {

// Options that accept data which a likelihood of bits refuses, best first, for a hint.
std::string fitting_options(const DatasetInfo& data, const std::string& gray_hint) {
  const bool grey = holds_grey(data);
  if (data.levels == 0)
    return std::string("--likelihood gaussian") + (grey ? ", or --binarise static" : "");
  if (!grey) return "--likelihood categorical";
  if (gray_hint.empty()) return "--binarise static, or --likelihood beta-binomial";
  return "--binarise static, --likelihood beta-binomial, or " + gray_hint;
}

void check_bits(const DataReading& reading, const DataReading::Chosen& likelihood,
                const DatasetInfo& data) {
  const std::string kind =
      data.levels > 0 ? "have " + std::to_string(data.levels) + " levels" : "are real numbers";
  const std::string hint = fitting_options(data, likelihood.gray_hint);
  if (reading.binarises()) {
    if (holds_grey(data)) return;
    fail(ErrorKind::usage, "--binarise",
         "needs pictures of 256 levels or real values in [0, 1]; these " + kind,
         (data.levels == 2 ? "" : hint + ' ') + "--binarise none");
  }
  if (data.levels == 2 || likelihood.gray) return;
  fail(ErrorKind::usage, "--likelihood " + likelihood.word, "needs binary data; these " + kind,
       hint);
}

}  // namespace

void DataReading::describe(Fields& f) {
  f.add("binarise", binarise, "none, threshold[:T], static or dynamic")
      .about(
          "static draws every bit once, so that scores of different models can be compared; "
          "dynamic draws anew in every epoch; threshold takes what is T or more as 1.")
      .metavar("RULE");
  f.add("binarise-seed", binarise_seed, "seed of the draw")
      .at_least(0)
      .when(static_draw(binarise))
      .rank(Rank::manual);
  f.add("dequantise", dequantise,
        {{"none", Dequantise::none, "as they are"},
         {"uniform", Dequantise::uniform,
          "v becomes (v + u)/n with u between 0 and 1, so that densities can be compared"}},
        "make levels real numbers: (v + u)/n")
      .rank(Rank::manual);
  f.add("standardise", standardise, "read columns of real numbers in their deviations")
      .shows_default("on for data far from unit scale")
      .rank(Rank::manual);
}

void DataReading::check(const Chosen& likelihood, const DatasetInfo& data) const {
  const std::string chosen = "--likelihood " + likelihood.word;
  const ValuesOfX takes = values_of_likelihood(likelihood.word);
  const bool bits = takes == ValuesOfX::bits;
  if (binarises() && !bits)
    fail(ErrorKind::usage, "--binarise", "makes binary data, but " + chosen + " takes other data",
         "--binarise none");
  if (dequantise != Dequantise::none && takes != ValuesOfX::reals)
    fail(ErrorKind::usage, "--dequantise",
         "makes real numbers, but " + chosen + " takes other data");
  if (bits) check_bits(*this, likelihood, data);
  check_rules(data, rules(likelihood, data));
  if (takes == ValuesOfX::levels && data.levels < 2)
    fail(ErrorKind::usage, chosen, "needs whole numbers; these are real", "--likelihood gaussian");
}

RowRules DataReading::rules(const Chosen& likelihood, const DatasetInfo& data) const {
  RowRules rules{.binarise = parse_binarisation(binarise),
                 .dequantise = dequantise,
                 .static_seed = binarise_seed};
  if (likelihood.gray || values_of_likelihood(likelihood.word) == ValuesOfX::reals)
    rules.scale = ValueScale::unit;
  if (!binarises() && standardise.value_or(true)) rules.columns = data.standardisation;
  return rules;
}

namespace {

// The quantity whose density it is when levels are read as real numbers: "x/255".
std::string space_of(const DatasetInfo& data, const RowRules& rules) {
  const bool noisy = rules.dequantise == Dequantise::uniform,
             scaled = rules.scale == ValueScale::unit && data.levels > (noisy ? 1 : 2);
  if (!scaled) return noisy ? "x + u" : "";
  return noisy ? "(x + u)/" + std::to_string(data.levels) : "x/" + std::to_string(data.levels - 1);
}

}  // namespace

ModelInfo reading_info(std::string family, const DatasetInfo& data, const RowRules& rules,
                       const Likelihood& likelihood) {
  ModelInfo info{.family = std::move(family), .data = data, .samples = data};
  if (likelihood.takes() == ValuesOfX::reals) {
    info.measure = Measure::lebesgue;
    info.space = space_of(data, rules);
  }
  info.surrogate = likelihood.is_surrogate();
  if (rules.dequantise == Dequantise::uniform)
    info.level_bits =
        rules.scale == ValueScale::unit ? std::log2(static_cast<double>(data.levels)) : 0;
  if (rules.binarise.rule != Binarise::none) info.samples.standardisation = {};
  if (likelihood.levels() != data.levels) {
    info.samples.levels = likelihood.levels();
    info.samples.value_max = 1;
    info.samples.element = Element::u8;
    info.samples.measure = Measure::counting;
  }
  for (DatasetInfo* rows : {&info.data, &info.samples}) {
    rows->label_names.clear();
    rows->notes.clear();
    rows->has_lengths = false;
  }
  return info;
}

void RowReader::take_row(const DatasetInfo& data, const Rows& rows, RowAt place,
                         const RowNoise& noise, std::span<float> x) const {
  if (axes_ == nullptr) return row_values(data, rows, place, rules_, noise, x);
  std::vector<float> whole(at(data.dims()));
  row_values(data, rows, place, rules_, noise, whole);
  axes_->scores(whole, x);
}

void RowReader::take(const Examples& examples, const RowNoise& noise, std::span<float> x) const {
  const auto own = at(dims(examples.info));
  for (std::int64_t i = 0; i < examples.rows.count; ++i)
    take_row(examples.info, examples.rows, {.from = i, .number = examples.first + i}, noise,
             x.subspan(at(i) * own, own));
}

void RowReader::require_support(const Examples& examples, std::span<const float> x) const {
  const std::size_t width = at(dims(examples.info));
  for (std::size_t first = 0; first < x.size(); first += width)
    for (std::size_t dim = 0; dim < width; ++dim) {
      const float value = x[first + dim];
      if (likelihood_.supports(value, dim)) continue;
      fail(ErrorKind::data, examples.info.name,
           "row " + std::to_string(examples.first + static_cast<std::int64_t>(first / width)) +
               ", dimension " + std::to_string(dim) + " is " + to_text(static_cast<double>(value)) +
               "; " + who_ + " takes " + likelihood_.support(dim));
    }
}

void RowReader::take_supported(const Examples& examples, std::span<float> x) const {
  take(examples, evaluation_noise(rules_), x);
  require_support(examples, x);
}

std::vector<float> RowReader::observed(const Examples& examples, const DatasetInfo& samples) const {
  const RowNoise noise = evaluation_noise(rules_);
  std::vector<float> x(at(examples.info.dims())), all;
  for (std::int64_t i = 0; i < examples.rows.count; ++i) {
    row_values(examples.info, examples.rows, {.from = i, .number = examples.first + i}, rules_,
               noise, x);
    const std::vector<float> row = stored_order(samples, rules_, x);
    all.insert(all.end(), row.begin(), row.end());
  }
  return all;
}

std::vector<std::uint8_t> RowReader::symbols(const Examples& examples) const {
  const std::size_t dims = at(examples.info.dims());
  std::vector<float> x(at(examples.rows.count) * dims);
  take_supported(examples, x);
  std::vector<std::uint8_t> symbols;
  symbols.reserve(x.size());
  for (std::size_t row = 0; row < x.size(); row += dims)
    for (const float value : stored_order(examples.info, rules_, std::span(x).subspan(row, dims))) {
      const std::int64_t symbol = std::llround(value);
      if (symbol >= likelihood_.levels())
        fail(ErrorKind::data, examples.info.name,
             "holds " + std::to_string(symbol) + ", and the model knows 0 to " +
                 std::to_string(likelihood_.levels() - 1));
      symbols.push_back(static_cast<std::uint8_t>(symbol));
    }
  return symbols;
}

TrainingRows::TrainingRows(const RowReader& reader, const TaskRows& rows)
    : reader_(reader), rows_(rows) {
  std::vector<double> sums(at(reader.dims(rows.info)));
  std::vector<float> x(sums.size());
  const RowNoise noise = evaluation_noise(reader.rules());
  rows.visit([&](const Examples& part) {
    for (std::int64_t i = 0; i < part.rows.count; ++i) {
      reader.take_row(part.info, part.rows, {.from = i, .number = part.first + i}, noise, x);
      reader.require_support({part.info, part.rows, part.first + i}, x);
      for (std::size_t d = 0; d < x.size(); ++d) sums[d] += static_cast<double>(x[d]);
    }
  });
  for (const double sum : sums)
    mean_.push_back(static_cast<float>(sum / static_cast<double>(rows.count)));
}

void TrainingRows::take(std::int64_t row, const RowNoise& noise, std::span<float> x) const {
  const RowPlace place = rows_.at(row);
  reader_.take_row(rows_.info, place.rows, {.from = place.from, .number = rows_.first + row}, noise,
                   x);
}

}  // namespace logpx
