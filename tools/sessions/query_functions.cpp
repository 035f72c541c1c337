#include "tools/sessions/query_functions.hpp"

#include "formats/csv_file.hpp"
#include "formats/draw/row_text.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/base/spelling.hpp"
#include "libcore/data/row_values.hpp"
#include "tools/sessions/query_places.hpp"

#include <algorithm>
#include <cmath>

namespace logpx {
namespace {

class FunctionReader {
 public:
  FunctionReader(const CsvFile& file, const ModelQueries& queries, const DatasetInfo& info)
      : file_(file), queries_(queries), info_(info) {
    if (info.is_table()) names_ = draw::column_names(info);
  }

  void read(std::vector<std::vector<double>>& values) const {
    const std::vector<CsvFile::Line>& lines = file_.lines();
    const std::size_t cells = lines.empty() ? 0 : lines[0].cells.size();
    if (cells != 2 && cells != 3)
      fail(ErrorKind::data, file_.name(),
           "has no columns value,f or column,value,f, with a line of these names");
    for (std::size_t i = 1; i < lines.size(); ++i) {
      if (lines[i].cells.size() != cells) bad(lines[i], "has another number of cells");
      const auto f = parse_real(lines[i].cells.back().text);
      if (!f) bad(lines[i], "'" + lines[i].cells.back().text + "' is no number");
      bool known = false;
      for (const std::int64_t place : places(lines[i], cells == 3))
        for (std::int64_t k = 0; k < std::ssize(values[at(place)]); ++k)
          if (name_of(place, k) == lines[i].cells[cells - 2].text) {
            values[at(place)][at(k)] = *f;
            known = true;
          }
      if (!known)
        bad(lines[i], "'" + lines[i].cells[cells - 2].text + "' is no value that the model knows");
    }
  }

 private:
  [[noreturn]] void bad(const CsvFile::Line& line, const std::string& what) const {
    fail(ErrorKind::data, file_.name(), "line " + std::to_string(line.number) + ": " + what);
  }

  // Cells of a table are trimmed: an empty one is a space.
  [[nodiscard]] std::string name_of(std::int64_t place, std::int64_t k) const {
    const Json name = value_name(queries_, info_, place, k);
    const std::string text = name.is_string() ? name.string() : name.dump(-1);
    return text == " " ? "" : text;
  }

  [[nodiscard]] std::vector<std::int64_t> places(const CsvFile::Line& line, bool named) const {
    std::vector<std::int64_t> all;
    const ChannelsFirst variables(info_);
    const std::string word = named ? line.cells[0].text : "";
    for (std::int64_t stored = 0; stored < info_.dims(); ++stored) {
      const bool here =
          !named || (names_.empty() ? std::to_string(stored) : names_[at(stored)]) == word;
      if (here) all.push_back(static_cast<std::int64_t>(variables(at(stored))));
    }
    if (all.empty()) bad(line, "there is no column '" + word + '\'' + did_you_mean(word, names_));
    if (named && queries_.is_real(all[0])) bad(line, "column " + word + " holds real numbers");
    return all;
  }

  const CsvFile& file_;
  const ModelQueries& queries_;
  const DatasetInfo& info_;
  std::vector<std::string> names_ = {};
};

}  // namespace

ValueFunction::ValueFunction(const std::string& path, const ModelQueries& queries,
                             const DatasetInfo& info) {
  for (std::int64_t place = 0; place < info.dims(); ++place)
    values_.emplace_back(at(queries.levels_at(place)));
  const CsvFile file(path);
  FunctionReader(file, queries, info).read(values_);
}

void answer_function(const AskedRows& asked) {
  const ModelQueries& queries = asked.scope.queries();
  const auto [tables, reals, nats] = queries.tables(asked.rows);
  for (std::int64_t i = 0; i < asked.rows.count(); ++i) {
    RowAnswer& answer = asked.answers[at(i)];
    if (!std::isfinite(nats[at(i)])) {
      answer.trouble = impossible_row;
      continue;
    }
    const std::vector<std::int64_t> places = asked_places(asked, i);
    double sum = 0;
    for (std::int64_t place = 0; place < asked.rows.lengths[at(i)]; ++place) {
      const std::int32_t x = asked.rows.row(i)[at(place)];
      const std::int64_t cell = (i * asked.rows.width + place) * queries.levels();
      double mean = 0, square = 0;
      for (std::int64_t k = 0; k < queries.levels_at(place); ++k) {
        const double f = asked.scope.function->of(place, k),
                     p = x < 0 ? tables[at(cell + k)] : (x == k ? 1.0 : 0.0);
        mean += p * f;
        square += p * f * f;
      }
      sum += mean;
      if (std::ranges::find(places, place) == places.end()) continue;
      answer.lines.push_back({asked.number(i), place_name(asked.scope.info, place), mean, square,
                              std::max(0.0, square - mean * mean)});
    }
    answer.lines.push_back({asked.number(i), "sum", sum, Json(), Json()});
  }
}

}  // namespace logpx
