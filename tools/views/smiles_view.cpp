#include "tools/views/smiles_view.hpp"

#include "formats/file/payload.hpp"
#include "formats/mol/molecule_lines.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/given_options.hpp"
#include "libcore/base/number_text.hpp"

#include <algorithm>
#include <optional>

namespace logpx {
namespace {

constexpr std::int64_t rows_at_once = 4096;
constexpr const char* options_without_lines[] = {"--preview", "--grid", "--scale", "--labels",
                                                 "--invert",  "--dims", "--width"};

std::int64_t count_refused(const std::string& lines) {
  return std::ranges::count_if(split_text(lines, '\n'), [](const std::string& line) {
    return !refused_class(line).empty();
  });
}

void require_chemistry() {
  try {
    (void)chemistry();
  } catch (const Error& error) {
    throw error.with_hint("--as graph shows atoms and bonds; or " + error.hint());
  }
}

void show_lines(App& app, const SmilesView::Asked& asked) {
  require_chemistry();
  refuse_given(app.fields(), options_without_lines, "does nothing for lines of SMILES");
  RowChoice rows = asked.rows;
  if (!rows.chosen() && asked.output.empty()) rows.limit = 100;
  const DatasetInfo& info = asked.source.info();
  const RowSelection chosen = select_rows(info, asked.name, "", rows);
  const std::int64_t count = chosen.end - chosen.begin;
  if (app.dry_run())
    return app.say("would write " + counted(count, "molecule") + " to " + asked.output);
  std::optional<Payload> file;
  if (!asked.output.empty()) file.emplace(asked.output, app.overwrite());
  std::int64_t refused = 0;
  for (std::int64_t begin = chosen.begin; begin < chosen.end; begin += rows_at_once) {
    const Rows part = asked.source.read(begin, std::min(chosen.end, begin + rows_at_once));
    const std::string lines = smiles_lines(info, part, &app.workers());
    refused += count_refused(lines);
    if (file) file->write(std::as_bytes(std::span(lines)));
    else app.print(lines);
  }
  app.result().set("rows", count).set("refused", refused);
  if (!file) return;
  file->commit();
  app.add_output(
      {.role = "molecules", .path = asked.output, .kind = "smiles", .bytes = file->bytes()});
  const std::string none =
      refused == 0 ? "" : ", " + std::to_string(refused) + " of which are none (lines with #)";
  app.say(counted(count, "molecule") + none + " -> " + asked.output);
}

}  // namespace

void SmilesView::describe(Fields& fields) {
  fields.add("as", as,
             {{"smiles", MoleculesAs::smiles, "a line of SMILES each"},
              {"graph", MoleculesAs::graph, "their atoms and bonds by numbers"}},
             "how molecules are written");
}

bool SmilesView::show(App& app, const Asked& asked) const {
  const bool lines = asked.output.empty() || app.format_of("output") == "smi";
  if (asked.source.info().content == Content::molecules && as == MoleculesAs::smiles && lines) {
    show_lines(app, asked);
    return true;
  }
  const bool graphs = asked.source.info().content == Content::molecules && asked.output.empty();
  if (!graphs && is_given(app.fields(), "--as"))
    fail(ErrorKind::usage, "--as", "does nothing here");
  return false;
}

}  // namespace logpx
