#include "libcore/data/description.hpp"

#include "libcore/base/error.hpp"

#include <algorithm>
#include <cmath>

namespace logpx {
namespace {

// A member kept as it is.
template <typename Part, typename T>
DataFact own_fact(const char* name, bool always, Part part, T) {
  return {name, always, [part](const DatasetInfo& info) -> FactValue { return T(part(info)); },
          [part](DatasetInfo& info, const FactValue& value) { part(info) = std::get<T>(value); }};
}

// A member of an enumeration, kept as its word.
template <typename E>
DataFact word_fact(const char* name, E DatasetInfo::*member, std::vector<E> known) {
  return {
      name, true,
      [member](const DatasetInfo& info) -> FactValue { return std::string(word_of(info.*member)); },
      [member, known](DatasetInfo& info, const FactValue& value) {
        const std::string& word = std::get<std::string>(value);
        const auto found = std::ranges::find_if(known, [&](E one) { return word == word_of(one); });
        if (found == known.end()) fail(ErrorKind::data, word, "is not a word for what data are");
        info.*member = *found;
      }};
}

using Reals = std::vector<double>;
using Integers = std::vector<std::int64_t>;
using Texts = std::vector<std::string>;

DataFact range_fact() {
  return {"range", true,
          [](const DatasetInfo& info) -> FactValue {
            return Reals{info.value_min, info.value_max};
          },
          [](DatasetInfo& info, const FactValue& value) {
            const auto& range = std::get<Reals>(value);
            if (range.size() != 2) fail(ErrorKind::data, "range", "is not two numbers");
            info.value_min = range[0];
            info.value_max = range[1];
          }};
}

}  // namespace

const std::vector<DataFact>& data_facts() {
  static const std::vector<DataFact> facts = {
      own_fact(
          "shape", true, [](auto& d) -> auto& { return d.shape; }, Integers()),
      own_fact(
          "levels", true, [](auto& d) -> auto& { return d.levels; }, std::int64_t()),
      range_fact(),
      word_fact(
          "content", &DatasetInfo::content,
          {Content::image, Content::vector, Content::symbols, Content::bytes, Content::molecules}),
      word_fact("measure", &DatasetInfo::measure, {Measure::counting, Measure::lebesgue}),
      word_fact("element", &DatasetInfo::element,
                {Element::u8, Element::u16, Element::i16, Element::f32}),
      own_fact(
          "columns", false, [](auto& d) -> auto& { return d.column_names; }, Texts()),
      own_fact(
          "mean", false, [](auto& d) -> auto& { return d.standardisation.mean; }, Reals()),
      own_fact(
          "deviation", false, [](auto& d) -> auto& { return d.standardisation.deviation; },
          Reals())};
  return facts;
}

void check_columns(const DatasetInfo& info) {
  const auto& [mean, deviation] = info.standardisation;
  const auto whole = [&](const char* name, std::ptrdiff_t size) {
    if (size != 0 && !info.shape.empty() && size != info.dims())
      fail(ErrorKind::data, name,
           "has " + std::to_string(size) + " entries, expected " + std::to_string(info.dims()));
  };
  whole("names", std::ssize(info.column_names));
  whole("mean", std::ssize(mean));
  whole("deviation", std::ssize(deviation));
  if (mean.size() != deviation.size()) fail(ErrorKind::data, "mean", "comes without deviations");
  if (!mean.empty() && info.element != Element::f32)
    fail(ErrorKind::data, "mean", "is of data that are no real numbers");
  const auto divides = [](double one) { return std::isfinite(one) && one > 0; };
  if (!std::ranges::all_of(mean, [](double one) { return std::isfinite(one); }) ||
      !std::ranges::all_of(deviation, divides))
    fail(ErrorKind::data, "deviation", "is no number to divide by");
}

}  // namespace logpx
