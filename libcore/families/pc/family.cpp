#include "libcore/families/pc/family.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/base/given_options.hpp"
#include "libcore/base/hash.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/families/pc/circuit/validation.hpp"
#include "libcore/families/pc/coding/codec.hpp"
#include "libcore/families/pc/growing/grown_start.hpp"
#include "libcore/families/pc/length/held_back.hpp"
#include "libcore/families/pc/queries/queries.hpp"
#include "libcore/families/pc/sampling/sample.hpp"
#include "libcore/families/pc/scoring/exact_scoring.hpp"
#include "libcore/families/pc/start.hpp"
#include "libcore/families/pc/structures/table.hpp"
#include "libcore/families/pc/styles/dictionary_start.hpp"
#include "libcore/families/pc/tables/table_search.hpp"
#include "libcore/families/pc/task.hpp"
#include "libcore/families/synthetic_rows.hpp"
#include "libcore/model/ordered_values.hpp"
#include "libcore/model/sequence_plan.hpp"
#include "libcore/model/stored_tensors.hpp"
#include "libcore/train/memory_plan.hpp"

#include <algorithm>
#include <utility>

namespace logpx::pc {
namespace {

// The stored structure gives all shapes; the config tells how it came about.
class PcDraft final : public ModelDraft {
 public:
  void describe(Fields& fields) override { config_.describe(fields); }
  void take(std::span<const TensorRef> stored) override {
    circuit_ =
        read_circuit(stored_text(stored, structure_tensor, most_text), structure_tensor).circuit;
  }
  [[nodiscard]] std::unique_ptr<Model> build(const DatasetInfo& data) const override {
    return std::make_unique<PcModel>(config_, data, circuit_);
  }

 private:
  Config config_;
  Circuit circuit_;
};

std::unique_ptr<ModelQueries> make_queries(const PcModel& model) {
  return std::make_unique<Queries>(model.plan(), model.param_set(), model.rows());
}

constexpr double usual_gradient_rate = 0.05;

// Minibatches of tables, and how long they train before rows say more.
constexpr std::int64_t few_rows = 1000, few_batch = 32, many_batch = 128;
constexpr double table_epochs = 20;

// The config of the model that training continues from; options that contradict it are refused.
Config start_config(const PcModel& start, const TraineeParts& parts) {
  if (const std::string why = only_scores(start.circuit()); !why.empty())
    fail(ErrorKind::usage, "--init-model", why);
  Config described = start.config();
  Fields of_circuits;
  described.describe(of_circuits);
  if (parts.given != nullptr)
    refuse_given(*parts.given, of_circuits, "is that of the model with --init-model");
  return start.config();
}

// Checks before memory is taken that parameters and the counts of one shard fit.
void require_memory(const Circuit& circuit, const Config& config, std::int64_t limit) {
  double numbers = 0;
  for (const Block& block : circuit.blocks)
    for (const TensorForm& form : tensor_forms(circuit, block))
      if (block.tied_to < 0) numbers += static_cast<double>(form.shape.elements());
  const double bytes = 2 * numbers * sizeof(float);
  if (limit <= 0 || bytes <= static_cast<double>(limit)) return;
  const bool dense = config.structure != "file" && config.structure != "mixture" &&
                     config.structure != "ff" && config.factors.empty() && config.hidden > 1;
  fail(ErrorKind::usage, "--memory",
       "parameters and their counts alone need " + human_bytes(static_cast<std::uint64_t>(bytes)) +
           ", " + human_bytes(static_cast<std::uint64_t>(limit)) + " are allowed",
       dense                           ? "--factors auto:2"
       : config.structure == "mixture" ? "--hidden 8"
                                       : "");
}

// Refuses what does not work with styles or with rows that pool counts.
void refuse_styles(const Learning& learning, const Circuit& circuit, const RowPriors& rules) {
  if (learning.arithmetic == Arithmetic::logarithms && circuit.styles > 1)
    fail(ErrorKind::usage, "--arithmetic logsumexp", "knows no styles of rows");
  if (learning.algorithm == PcAlgorithm::gradient && (circuit.styles > 1 || !rules.empty()))
    fail(ErrorKind::usage, "--algorithm gradient",
         "moves every row alone: neither styles nor a dictionary");
}

// Gradients move rows of probabilities only, and need another rate than EM.
void settle_gradient(const PassPlan& plan, const TraineeParts& parts, TrainOptions& training) {
  for (int b = 0; b < static_cast<int>(plan.circuit().blocks.size()); ++b)
    if (plan.leaf(b) != nullptr || plan.joint(b) != nullptr)
      fail(ErrorKind::usage, "--algorithm gradient",
           std::string("moves tables, and leaves are ") + word_of(plan.block(b).leaf_kind),
           "--algorithm em");
  if (parts.given == nullptr || !is_given(*parts.given, "--lr")) training.lr = usual_gradient_rate;
}

Settings with_training(Settings settings, const TrainOptions& training) {
  settings.training = training;
  return settings;
}

// The circuit to train, and parameters that a file gives.
struct Blueprint {
  Config config;
  CircuitText read = {};
  std::string file = {};           // that it was read from
  const PcModel* start = nullptr;  // training continues from it
};

// A circuit that is the product of models; options that ask for another one are refused.
void take_product(const Settings& settings, const TraineeParts& parts, Blueprint& made) {
  ModelProduct product =
      multiply_models(parts.factors, settings.learning.product, ProductUse::start, parts.memory);
  if (parts.given != nullptr) require_asked(settings.model, product.config, *parts.given);
  made.config = std::move(product.config);
  made.read = std::move(product.whole);
}

// With another number of states, where that is asked for.
void start_from_model(const Settings& settings, const Examples& rows, const TraineeParts& parts,
                      Rng rng, Blueprint& made) {
  const Reshaping& reshaping = settings.learning.reshaping;
  made.config = start_config(*made.start, parts);
  made.read.circuit = made.start->circuit();
  if (!reshaping.changes_states()) return;
  const GrownStart grown(*made.start, reshaping, rows);
  require_memory(grown.circuit(), made.config, parts.memory);
  made.config = grown.config();
  made.read = grown.text(rng);
}

// The weights of the root of a table's circuit; all others are drawn.
std::vector<std::vector<double>> root_weights(const Blueprint& made) {
  const Circuit& circuit = made.read.circuit;
  const std::size_t parts = circuit.blocks[at(circuit.root)].children.size();
  std::vector<double> weights;
  for (const std::string& text : split_text(made.config.part_weights, ','))
    if (const auto weight = parse_real(text)) weights.push_back(*weight);
  if (made.config.part_weights.empty()) weights.assign(parts, 1 / static_cast<double>(parts));
  if (weights.size() != parts)
    fail(ErrorKind::usage, "--set part-weights",
         "is '" + made.config.part_weights + "', expected " + std::to_string(parts) + " shares");
  std::vector<std::vector<double>> all(circuit.blocks.size());
  all[at(circuit.root)] = std::move(weights);
  return all;
}

Blueprint blueprint_of(const Settings& settings, const TaskData& data, const Rng& rng,
                       const TraineeParts& parts) {
  const Examples rows = data.train.held();
  Blueprint made{.config = settings.model, .start = dynamic_cast<const PcModel*>(parts.start)};
  if (made.start != nullptr && starts_from_product(settings.learning.init))
    fail(ErrorKind::usage, "--init", "is a product, and --init-model goes on from one model");
  if (made.start == nullptr && parts.factors.empty()) made.config.settle(rows.info);
  if (made.start != nullptr) {
    start_from_model(settings, rows, parts, rng, made);
  } else if (!parts.factors.empty()) {
    take_product(settings, parts, made);
    made.file = "product";
  } else if (made.config.structure == "file") {
    made.file = parts.file;
    made.read = read_structure(parts.text, parts.file);
    require_words(made.read.circuit, rows.info, parts.file);
    if (const std::string why = only_scores(made.read.circuit); !why.empty())
      fail(ErrorKind::data, parts.file, why);
  } else {
    LeafChoice leaves = parts.leaves;
    const std::optional<Examples> valid =
        data.valid ? std::optional(data.valid->held()) : std::nullopt;
    if (valid) leaves.further = &*valid;
    made.read.circuit = make_circuit(made.config, leaves, rows, parts.workers, rng);
    if (made.config.structure == "table") made.read.weights = root_weights(made);
  }
  if (made.read.circuit.has_densities())
    refuse_density_of_symbols(rows.info, "--leaf gaussian", "--leaf auto");
  require_memory(made.read.circuit, made.config, parts.memory);
  return made;
}

// Rows, where anything begins around some.
Columns points_of(const PcModel& model, const Examples& rows) {
  const auto joins = [](const Block& block) { return block.kind == BlockKind::joint; };
  return std::ranges::any_of(model.circuit().blocks, joins) ? some_rows(model.rows(), rows)
                                                            : Columns();
}

FirstParameters first_parameters(const Blueprint& made, const PcModel& model,
                                 const Learning& learning, const Examples& rows, Rng draws) {
  FirstParameters::Parts first{.rows = parse_first_rows(learning.init),
                               .rng = draws,
                               .frequencies = frequencies_of(model.rows(), model.circuit(), rows),
                               .points = points_of(model, rows),
                               .weights = made.read.weights,
                               .file = made.file,
                               .perturb = learning.product.perturb};
  if (made.start != nullptr && made.read.weights.empty())
    first.whole = {made.start->param_set().block().begin(), made.start->param_set().block().end()};
  if (!learning.separator_states.empty() && made.config.structure == "hmm")
    first.separator = separator_of(learning.separator_states, rows.info);
  return FirstParameters(std::move(first));
}

TrainOptions options_of(const Settings& settings, const PcModel& model, std::int64_t rows,
                        const TraineeParts& parts) {
  const Learning& learning = settings.learning;
  TrainOptions training = settings.training;
  if (learning.restarts > 1) training.keep_best = true;
  if (learning.takes_all_at_once()) {
    training.batch = rows;
    training.accumulate = 1;
  }
  if (learning.algorithm == PcAlgorithm::gradient) settle_gradient(model.plan(), parts, training);
  return training;
}

Trainee trainee_of(const Blueprint& made, const Settings& settings, const TaskData& data, Rng rng,
                   const TraineeParts& parts) {
  const Learning& learning = settings.learning;
  auto model = std::make_unique<PcModel>(made.config, data.train.info, made.read.circuit);
  const auto seed = learning.init_seed;
  const Rng draws = seed ? Rng(static_cast<std::uint64_t>(*seed)) : rng;
  FirstParameters parameters = first_parameters(made, *model, learning, data.train.held(), draws);
  if (parts.given != nullptr) {
    Settings settled = settings;
    settled.model = made.config;
    settled.learning.known = {.sequences = model->circuit().chained(),
                              .draws = parameters.draws_some(model->circuit()),
                              .goes_on = made.start != nullptr};
    refuse_unread(*parts.given, settled);
  }
  if (made.start == nullptr) parameters.set(*model, 0);
  GreyRows greys = start_greys(
      *model, {.rows = data.train.held(),
               .frequencies = parameters.frequencies(),
               .rng = draws,
               .workers = parts.workers,
               .styles = {.prior = made.read.style_prior, .values = made.read.style_values}});
  if (made.start != nullptr) parameters.set(*model, 0);  // also those of greys
  refuse_styles(learning, model->circuit(), greys.rules);
  const TrainOptions training = options_of(settings, *model, data.train.count, parts);
  auto task = std::make_unique<PcTask>(*model, with_training(settings, training), data,
                                       PcTask::Start{std::move(parameters), std::move(greys)});
  const MemoryTerms terms{.threads = parts.workers.threads(), .limit = parts.memory};
  const bool automatic = model->circuit().chained() && learning.time_checkpoint == "auto";
  if (automatic && terms.limit > 0 && plan_memory(*task, training, terms).total() > terms.limit)
    task->save_memory();
  return {std::move(model), std::move(task), training};
}

// How many columns hold no words.
std::int64_t numbers_of(const DatasetInfo& data) {
  std::int64_t count = 0;
  for (std::int64_t v = 0; v < data.dims(); ++v) count += words_of(data, v) == 0 ? 1 : 0;
  return count;
}

Trainee preset_trainee(const std::string& preset, const TaskData& data, Rng rng) {
  const Settings settings = Settings::presets().make(preset);
  Workers alone(1);
  return make_trainee(settings, data, rng,
                      {.workers = alone, .leaves = {.word = settings.model.leaf}});
}

}  // namespace

Trainee make_trainee(const Settings& settings, const TaskData& data, Rng rng,
                     const TraineeParts& parts) {
  settings.learning.validate(settings.training);
  const Blueprint made = blueprint_of(settings, data, rng, parts);
  Trainee trainee = trainee_of(made, settings, data, rng, parts);
  const bool columns = data.train.info.is_table() && !made.read.circuit.chained() &&
                       made.config.structure != "table";
  if (columns && parts.given != nullptr && settings.length_is_open(*parts.given)) {
    const auto make = [&](const TaskData& rows) {
      return trainee_of(made, settings, rows, rng, parts);
    };
    trainee.options.steps = choose_steps(
        trainee, data, {.workers = parts.workers, .rng = rng, .make = make, .say = parts.say});
  }
  if (!parts.text.empty()) trainee.given_hash = sha256_hex(std::as_bytes(std::span(parts.text)));
  if (made.start != nullptr) trainee.given_hash = parts.start_hash;
  for (const FactorModel& factor : parts.factors)
    trainee.given_hash += (trainee.given_hash.empty() ? "factor " : " factor ") + factor.hash;
  return trainee;
}

void choose_by_rows(Settings& settings, const TaskData& data, Rng rng, const TraineeParts& parts) {
  if (parts.given == nullptr || parts.start != nullptr || !parts.factors.empty()) return;
  Config config = settings.model;
  config.settle(data.train.info);
  if (config.structure != "table") return;
  settings.learning.validate(settings.training);
  const TableOpen open = settings.table_open(*parts.given);
  if (parts.given->find_option("--batch")->origin() == Origin::fallback)
    settings.training.batch = data.train.count < few_rows ? few_batch : many_batch;
  if (!open.any()) return;
  if (open.epochs) settings.training.epochs = table_epochs;
  const auto with = [&](const TableChoice& choice) {
    Settings one = settings;
    one.take_table(choice);
    return one;
  };
  const auto make = [&](const TableChoice& choice, const TaskData& rows) {
    const Settings one = with(choice);
    const TraineeParts quiet{.workers = parts.workers, .leaves = parts.leaves};
    return trainee_of(blueprint_of(one, rows, rng, quiet), one, rows, rng, quiet);
  };
  TableChoice first{.form = config.table_form(),
                    .pseudocount = settings.learning.pseudocount,
                    .pooled = settings.learning.pooled_rows.value_or(0),
                    .epochs = settings.training.epochs};
  const std::int64_t numbers = numbers_of(data.train.info);
  if (first.form.trees > 0 && numbers > most_joint_variables &&
      parts.given->find_option("--blocks")->origin() == Origin::fallback)
    first.form.blocks = 0;
  require_few_numbers(numbers, first.form);
  const TableSearch search{.workers = parts.workers, .rng = rng, .make = make, .say = parts.say};
  settings = with(choose_table(first, open, data, search));
}

Family family() {
  return {.name = "pc",
          .summary = "probabilistic circuit",
          .trainer = "train-pc",
          .draft = [] { return std::make_unique<PcDraft>(); },
          .score = {{exact_method, "log p(x) itself", from_model(exact_scoring),
                     list_knobs<ScoringKnobs>}},
          .sample = from_model(make_sampling),
          .code = from_model(make_codec),
          .queries = from_model(make_queries),
          .knobs = {.code = list_knobs<SequenceKnobs>},
          .trainee = preset_trainee,
          .tiny_rows = rows_as_asked({.name = "hmm-text", .options = {.length = 24}})};
}

}  // namespace logpx::pc
