#include "libcore/families/pc/presets.hpp"

#include "libcore/base/fields.hpp"
#include "libcore/base/number_text.hpp"

namespace logpx::pc {
namespace {

void train_for(double epochs, Settings& s) {
  s.training.epochs = epochs;
  s.length_open = false;
}

void usual(Settings&) {}  // the defaults

void tiny(Settings& s) {
  s.model.preset_states = 8;
  s.model.preset_styles = 4;
  s.model.preset_block_states = 4;
  s.states_open = false;
  train_for(2, s);
}

void small(Settings& s) { s.learning.pseudocount = 0.03; }

void pictures(Settings& s) {  // [pc/README 4.3]
  s.model.preset_states = 64;
  s.training.batch = 1000;
  train_for(8, s);
}

void paper(Settings& s) {  // [Monarch sec. 5.1]
  s.model.factors = "512,1024";
  s.training.batch = 4096;
  train_for(20, s);
  s.training.shards = 2;
}

// Says of the options of training which of them EM does not read, and which not in whole passes.
void describe_reading(Settings& s, Fields& f) {
  const Condition em{[&s] { return s.learning.algorithm == PcAlgorithm::em; }, "--algorithm em"},
      full{[&s] { return s.learning.takes_all_at_once(); },
           "--em-rule full, which takes all data at once"};
  TrainOptions by_em = s.training;
  by_em.reads = reads_of(PcAlgorithm::em);
  Fields all, read;
  s.training.describe(all);
  by_em.describe(read);
  for (const Field& field : all.all())
    if (read.find_key(field.key()) == nullptr) f.find_key(field.key())->unless(em);
  for (const char* option : {"--batch", "--accumulate", "--lr", "--lr-schedule", "--lr-warmup",
                             "--lr-final", "--lr-milestones"})
    f.find_option(option)->unless(full);
}

}  // namespace

Settings::Settings() {
  training.reads = reads_of(PcAlgorithm::gradient);
  training.lr = 1;
  training.lr_schedule = Curve::linear;
  training.batch = 128;
  training.epochs = 5;
}

void Settings::describe(Fields& f) {
  model.describe(f);
  learning.describe(f, model);
  training.describe(f);
  describe_reading(*this, f);
  Field& epochs = *f.find_key("epochs");
  epochs.unset_while([this, &epochs] { return length_open && epochs.origin() == Origin::fallback; })
      .shows_default("5; of tables what helps");
}

bool Settings::length_is_open(const Fields& given) const {
  const bool limited = training.steps || training.samples_seen || training.max_seconds.seconds > 0;
  const Field* const epochs = given.find_option("--epochs");
  return length_open && !limited && epochs->origin() == Origin::fallback;
}

TableOpen Settings::table_open(const Fields& given) const {
  const auto open = [&](const char* option) {
    return given.find_option(option)->origin() == Origin::fallback;
  };
  return {.tree_states = states_open && model.hidden == 0,
          .block_states = states_open && model.block_states == 0,
          .pseudocount = states_open && open("--pseudocount"),
          .pooled = states_open && !learning.pooled_rows,
          .epochs = length_is_open(given)};
}

void Settings::take_table(const TableChoice& choice) {
  model.structure = "table";
  model.trees = choice.form.trees;
  model.hidden = choice.form.tree_states;
  model.blocks = choice.form.blocks;
  model.block_states = choice.form.block_states;
  std::vector<std::string> weights;
  for (const double weight : choice.weights) weights.push_back(to_text(weight));
  model.part_weights = join_text(weights, ",");
  learning.pseudocount = choice.pseudocount;
  if (choice.pooled > 0) learning.pooled_rows = choice.pooled;
  training.epochs = choice.epochs;
}

void Settings::take_length(const TrainOptions& chosen) {
  training.steps = chosen.steps;
  length_open = false;
}

const Presets<Settings>& Settings::presets() {
  static const Presets<Settings> all = {
      {"usual", usual, "the defaults"},
      {"tiny", tiny, "two epochs of eight states, to try things out"},
      {"small", small, "fewer pseudocounts, for little data"},
      {"pictures", pictures, "64 states and larger minibatches"},
      {"paper", paper, "half a million states in two factors, for text"}};
  return all;
}

}  // namespace logpx::pc
