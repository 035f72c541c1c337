#include "tools/views/smiles_view.hpp"

#include "formats/file/payload.hpp"
#include "formats/mol/molecule_lines.hpp"
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

}  // namespace

void describe_molecules_as(Fields& fields, MoleculesAs& as) {
  fields.add("as", as,
             {{"smiles", MoleculesAs::smiles, "a line of SMILES each"},
              {"graph", MoleculesAs::graph, "their atoms and bonds by numbers"}},
             "how molecules are written");
}

bool wants_smiles(App& app, const DatasetInfo& info, const LinesChoice& choice) {
  if (info.content != Content::molecules || choice.as != MoleculesAs::smiles) return false;
  return choice.output.empty() || app.format_of("output") == "smi";
}

void show_smiles(App& app, RowSource& source, const LinesChoice& choice) {
  refuse_given(app.fields(), options_without_lines, "does nothing for lines of SMILES");
  RowChoice rows = choice.rows;
  if (!rows.chosen() && choice.output.empty()) rows.limit = 100;
  const RowSelection chosen = select_rows(source.info(), choice.name, "", rows);
  const std::int64_t count = chosen.end - chosen.begin;
  if (app.dry_run())
    return app.say("would write " + counted(count, "molecule") + " to " + choice.output);
  std::optional<Payload> file;
  if (!choice.output.empty()) file.emplace(choice.output, app.overwrite());
  std::int64_t refused = 0;
  for (std::int64_t begin = chosen.begin; begin < chosen.end; begin += rows_at_once) {
    const Rows part = source.read(begin, std::min(chosen.end, begin + rows_at_once));
    const std::string lines = smiles_lines(source.info(), part, &app.workers());
    refused += count_refused(lines);
    if (file) file->write(std::as_bytes(std::span(lines)));
    else app.print(lines);
  }
  app.result().set("rows", count).set("refused", refused);
  if (!file) return;
  file->commit();
  app.add_output(
      {.role = "molecules", .path = choice.output, .kind = "smiles", .bytes = file->bytes()});
  app.say(
      counted(count, "molecule") +
      (refused > 0 ? ", of which " + std::to_string(refused) + " are none (lines with #)" : "") +
      " -> " + choice.output);
}

}  // namespace logpx
