#include "tools/views/scores_view.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/given_options.hpp"

namespace logpx {
namespace {

constexpr const char* options_of_pictures[] = {"--output", "--preview", "--grid",
                                               "--scale",  "--labels",  "--invert",
                                               "--dims",   "--width",   "--json"};

}  // namespace

void show_scores(App& app, const ScoresFile& scores, const ScoresChoice& choice) {
  const std::string& path = choice.name.path;
  app.add_input(
      {.role = "scores", .path = path, .kind = "scores", .content_hash = scores.content_hash()});
  refuse_given(app.fields(), options_of_pictures, "does nothing for scores, which are a table");
  if (!choice.name.split.empty())
    fail(ErrorKind::data, path, "holds scores, which have no splits", "--rows A:B");
  DatasetInfo info;
  info.n = std::ssize(scores.contents().nats);
  RowChoice rows = choice.rows;
  if (!rows.chosen()) rows.limit = 100;
  const RowSelection chosen = select_rows(info, choice.name, "", rows);
  app.print(table_of(scores.contents(), chosen.begin, chosen.end).text(TableForm::csv));
  app.result().set("rows", chosen.end - chosen.begin);
}

}  // namespace logpx
