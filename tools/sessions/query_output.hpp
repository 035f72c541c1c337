// Where answers go: tables as CSV, JSON lines or text for people, filled rows as samples, filled
// tables in the format of their files, circuits as JSON or drawings.
#pragma once

#include "tools/sessions/query_answers.hpp"

#include <string>

namespace logpx {

class App;

struct QueryOutput {
  std::string path, format = "auto";

  void describe(Fields& fields);
  // Before work: throws usage errors for formats that do not suit the query and existing outputs.
  void check(const App& app, const QuestionOptions& question) const;
  // Writes what was asked for; the report holds the rest.
  void write(App& app, const OpenQuery& open, const QuestionOptions& question,
             Answer& answer) const;

 private:
  [[nodiscard]] std::string format_of(const QuestionOptions& question) const;
};

// A name for each of `count` files: "filled.csv", or "filled.1.csv", "filled.2.csv" ...
[[nodiscard]] std::vector<std::string> numbered_names(const std::string& path, std::int64_t count);

}  // namespace logpx
