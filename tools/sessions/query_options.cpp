#include "tools/sessions/query_options.hpp"

#include "libcore/base/fields.hpp"
#include "tools/sessions/query_table.hpp"

namespace logpx {

void QuestionOptions::describe(Fields& f) {
  std::vector<std::string> names;
  for (const Query& one : query_table()) names.push_back(one.name);
  f.group("question");
  f.add_word("query", query, names, "what is asked; --list says what each is");
  f.add("how", how,
        {{"sample", FillWith::draws}, {"mpe", FillWith::explanation}, {"mean", FillWith::means}},
        "how complete and impute fill");
  f.add("num", draws, "complete, sample: draws of every row").short_name('n').range(1, 1'000'000);
  f.add("draws", files, "impute: so many draws, to OUTPUT.1.csv, OUTPUT.2.csv")
      .metavar("K")
      .range(1, 10'000);
  f.add("vars", vars, "which values: columns, or places from 0")
      .metavar("NAME,...")
      .shows_default("missing ones");
  f.add("symbol", symbol, "expect: how often it is in a row").metavar("S").rank(Rank::manual);
  f.add("calibrate", calibrate, "anomaly: rows that are usual, or so many draws")
      .metavar("DATASET|N");
  f.add("length", length, "sample: values of a row")
      .range(0, std::int64_t{1} << 24)
      .shows_default("the model's")
      .rank(Rank::manual);
  f.add("temperature", temperature, "sample: below 1 nearer to the most probable, above 1 wilder")
      .range(0.01, 100)
      .rank(Rank::manual);
  f.add("enumerate-limit", search.enumerate, "assignments, at most, that are all looked at")
      .range(1, std::int64_t{1} << 30)
      .rank(Rank::manual);
  f.add("beam", search.beam, "map: beginnings that a search keeps where there are more")
      .range(1, 1 << 16)
      .rank(Rank::manual);
}

}  // namespace logpx
