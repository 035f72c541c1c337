// Trains an autoregressive model of x in any order: all alike, in groups, in a fixed one, or in one
// that it learns.
// [LO-ARM: Wang, Shi, Heess, Gretton, Titsias, Learning-Order Autoregressive Models, 2025]
#include "formats/file/input.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/hash.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/base/shown_name.hpp"
#include "libcore/families/arm/family.hpp"
#include "tools/sessions/compute_facts.hpp"
#include "tools/sessions/trainer_options.hpp"

using namespace logpx;

namespace {

struct Options : TrainerOptions<arm::Settings> {
  Options() { data.reads_molecules = true; }
};

const ToolSpec spec = {
    .name = "train-arm",
    .purpose = "fit an autoregressive model that learns its order to a dataset",
    .usage = {"DATASET -o MODEL.h5 [options]"},
    .examples = {{"train-arm hub.h5 -o arm.h5", "a learned order"},
                 {"train-arm hub.h5 -o ao.h5 --model ao", "any order alike, to compare it with"},
                 {"train-arm digits.h5 -o m.h5 --levels 4", "digits in four shades"}},
    .compute_facts = compute_facts};

constexpr std::size_t most_shown = 40;  // letters shown of text that is no number

// Whole numbers of a text file, between blanks or commas; nothing without a name.
struct NumberFile {
  std::string text = {};
  std::vector<std::int64_t> numbers = {};
};
NumberFile read_numbers(App& app, const std::string& path, const char* role) {
  if (path.empty()) return {};
  NumberFile file{.text = read_text_file(path)};
  app.add_input({.role = role, .path = path, .kind = role});
  std::string blanked = file.text;
  for (char& c : blanked)
    if (c == '\n' || c == '\r' || c == '\t' || c == ',') c = ' ';
  for (const std::string& word : split_text(blanked, ' ')) {
    if (word.empty()) continue;
    const auto number = parse_integer(word);
    if (!number)
      fail(ErrorKind::data, path,
           "holds '" + shown_name(word.substr(0, most_shown)) + "', expected whole numbers");
    file.numbers.push_back(*number);
  }
  return file;
}

void run(App& app, Options& o) {
  const arm::Config& model = o.settings.model;
  const bool fixed = model.orders == arm::OrderKind::fixed && model.order != "raster",
             biased = model.orders == arm::OrderKind::biased;
  const NumberFile order = read_numbers(app, fixed ? model.order : "", "order"),
                   groups = read_numbers(app, biased ? model.groups : "", "groups");
  arm::TraineeParts parts{.order = order.numbers, .groups = groups.numbers};
  const std::string given = order.text + groups.text;
  if (!given.empty()) parts.given_hash = sha256_hex(std::as_bytes(std::span(given)));
  const TrainingData data = o.load(app);
  parts.given = &app.fields();
  const Trainee trainee = arm::make_trainee(o.settings, data.rows(), app.rng(), parts);
  o.train(app, trainee, data);
}

}  // namespace

int main(int argc, char** argv) { return run_tool<Options>(argc, argv, spec, run); }
