#include "libcore/model/ordered_values.hpp"

#include "libcore/base/error.hpp"

#include <algorithm>

namespace logpx {
namespace {

// Words each need a probability of their own.
void check_words(const std::string& likelihood, ValuesOfX takes, const DatasetInfo& data) {
  if (data.column_words.empty() || takes == ValuesOfX::bits || likelihood == "categorical") return;
  const std::vector<std::int64_t>& counts = data.column_words.counts;
  const auto first = std::ranges::find_if(counts, [](std::int64_t count) { return count > 0; });
  fail(ErrorKind::usage, "--likelihood " + likelihood,
       "takes numbers in their order, and " + data.column_name(first - counts.begin()) +
           " holds words",
       data.levels > 0 ? "--likelihood categorical" : "train-pc reads words beside real numbers");
}

// True for values that are only names: letters, bytes of a text, categories, atoms. Whole numbers
// in named columns are numbers: years, counts, prices.
bool holds_symbols(const DatasetInfo& data) {
  return (data.content == Content::symbols && data.column_names.empty()) ||
         data.content == Content::bytes || data.content == Content::molecules;
}

}  // namespace

void require_order(const DataReading& reading, const DataReading::Chosen& likelihood,
                   const DatasetInfo& data) {
  if (reading.binarises()) return;
  const ValuesOfX takes = values_of_likelihood(likelihood.word);
  check_words(likelihood.word, takes, data);
  if (takes == ValuesOfX::reals)
    refuse_density_of_symbols(
        data, "--likelihood " + likelihood.word,
        std::string("--likelihood ") + (data.levels == 2 ? "bernoulli" : "categorical"));
}

void refuse_density_of_symbols(const DatasetInfo& data, const std::string& option,
                               const std::string& hint) {
  if (!holds_symbols(data)) return;
  fail(
      ErrorKind::usage, option,
      "is a density of real numbers, and " + data.name + " holds symbols, which have probabilities",
      hint);
}

}  // namespace logpx
