#include "libcore/families/pc/learning.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/families/pc/config.hpp"
#include "libcore/families/pc/start.hpp"

#include <algorithm>
#include <cmath>

namespace logpx::pc {
namespace {

constexpr std::int64_t most_even_categories = 32;

// Every how many steps a message is kept; 0: all are.
std::int64_t kept_every(const std::string& text, std::int64_t steps) {
  if (text == "none" || text == "auto") return 0;
  if (text == "sqrt")
    return static_cast<std::int64_t>(std::ceil(std::sqrt(static_cast<double>(steps))));
  const auto every = parse_integer(text);
  if (!every || *every < 1)
    fail(ErrorKind::usage, "--time-checkpoint",
         "is '" + text + "', expected auto, none, sqrt or a number of steps");
  return *every;
}

}  // namespace

void Learning::describe(Fields& f, const Config& model) {
  const Condition gradient{[this] { return algorithm == PcAlgorithm::gradient; },
                           "--algorithm gradient"};
  f.group("learning");
  f.add("algorithm", algorithm,
        {{"em", PcAlgorithm::em, "expectation maximisation"},
         {"gradient", PcAlgorithm::gradient,
          "an optimiser on the logits of all rows, for comparison"}},
        "expectation maximisation, or an optimiser on the logits of all rows")
      .rank(Rank::manual);
  f.add(
       "em-rule", em_rule,
       {{"auto", EmRuleChoice::automatic, "stats for hmm, table and trees of tables, else params"},
        {"stats", EmRuleChoice::stats, "counts move a part of the way to those of each minibatch"},
        {"params", EmRuleChoice::params,
         "parameters move a part of the way to what a minibatch asks for"},
        {"full", EmRuleChoice::full, "all data at once: the classic update"},
        {"momentum", EmRuleChoice::momentum, "parameters move by a running mean of the counts"}},
       "what moves towards a minibatch: counts (stats) or parameters; auto is stats for hmm, table "
       "and trees of tables, else params; full takes all data at once")
      .source("Monarch app. A")
      .unless(gradient)
      .rank(Rank::manual);
  f.add("pseudocount", pseudocount, "counts of every row besides those of the data")
      .about(
          "Every row of parameters is learned as if it had been seen so many times more, in all "
          "its values. More of them keep it from trusting rare values; with 0, what the training "
          "data lack is impossible.")
      .at_least(0)
      .unless(gradient);
  f.add("pseudocount-prior", pseudocount_prior,
        {{"auto", PriorChoice::automatic,
          "uniform for tables and for 32 levels and fewer, else marginal"},
         {"uniform", PriorChoice::uniform, "evenly"},
         {"marginal", PriorChoice::marginal, "as often as the data have each value"}},
        "how leaves share pseudocounts: evenly, or as the data do; auto is uniform for tables and "
        "for 32 levels and fewer")
      .unless(gradient)
      .unless({[this] { return pseudocount == 0; }, "--pseudocount 0"})
      .rank(Rank::manual);
  f.add("pooled-rows", pooled_rows,
        "rows of the mean covariance that each gaussian over several columns learns from besides "
        "its own")
      .at_least(0)
      .shows_default("twice the columns, or by the rows")
      .unless(gradient)
      .when({[&model] { return model.structure == "table" || model.structure == "file"; },
             "--structure table"})
      .rank(Rank::manual);
  f.add("em-floor", em_floor, "least probability of anything")
      .range(0, 0.1)
      .unless(gradient)
      .rank(Rank::manual);
  describe_start(f, model);
}

void Learning::describe_start(Fields& f, const Config& model) {
  const Condition read{[this] { return !known.draws; }, "parameters that all come from a file"};
  f.add("micro-batch", micro_batch, "rows that one thread works on at a time")
      .range(1, 1 << 16)
      .rank(Rank::manual);
  f.add("arithmetic", arithmetic,
        {{"scaled", Arithmetic::scaled, "numbers with a scale for each row: fast"},
         {"logsumexp", Arithmetic::logarithms, "logarithms throughout: slow, for comparison"}},
        "numbers with scales, or logarithms throughout, slow and for comparison")
      .rank(Rank::manual);
  f.add("time-checkpoint", time_checkpoint,
        "which messages of a sequence are kept for the way back: none (all are), sqrt, or every "
        "N-th, where those between are computed again; auto is sqrt where --memory asks for it")
      .metavar("auto|none|sqrt|N")
      .external()
      .when({[this] { return known.sequences; }, "sequences: --structure hmm"})
      .rank(Rank::manual);
  f.add("init", init,
        "first parameters: softmax-normal or dirichlet:A draws all rows, from-data takes leaves "
        "near the data's frequencies, product:A.h5,B.h5 multiplies models")
      .about(
          "product:A.h5,B.h5[,C.h5] starts from the product of trained circuits, as multiply-pc "
          "makes it: its hidden states are pairs or triples of theirs, its sums have a factor for "
          "each. Models of few states, trained in the same way, are a better start than draws.")
      .metavar("WORD")
      .unless({[this] { return !known.draws && !starts_from_product(init); }, read.says})
      .rank(Rank::manual);
  const Condition multiplies{[this] { return starts_from_product(init); },
                             "--init product:A.h5,B.h5"};
  for (Field* const field : product.describe(f))
    field->when(multiplies)
        .unset_while([multiplies] { return !multiplies.holds(); })
        .rank(Rank::manual);
  f.add("init-seed", init_seed, "seed of the first parameters")
      .at_least(0)
      .shows_default("that of the run")
      .unless(read)
      .rank(Rank::manual);
  f.add("separator-states", separator_states,
        "a symbol, by its letter or number, that at first the last states alone emit")
      .metavar("SYMBOL")
      .when({[this, &model] {
               return model.structure == "hmm" && known.sequences && known.draws &&
                      !starts_from_product(init);
             },
             "a new --structure hmm"})
      .rank(Rank::manual);
  f.add("restarts", restarts, "runs from different first parameters, of which the best is kept")
      .range(1, 1 << 16)
      .unless(read)
      .rank(Rank::manual);
  reshaping.describe(f, [this] { return known.goes_on; });
}

void Learning::validate(const TrainOptions& training) const {
  static_cast<void>(kept_every(time_checkpoint, 1));
  const double rate = training.lr.value();
  const bool em = algorithm == PcAlgorithm::em;
  if (em && !(rate > 0 && rate <= 1))
    fail(ErrorKind::usage, "--lr",
         "is " + training.lr.text + ", and a step of EM is above 0, at most 1", "--lr 1");
  if (em && training.lr_final > 1)
    fail(ErrorKind::usage, "--lr-final", "is above 1, and a step of EM is at most 1");
  static_cast<void>(parse_first_rows(init));
  if (starts_from_product(init) && product.normalize == Normalise::none)
    fail(ErrorKind::usage, "--normalize",
         "is none, and training starts from a circuit that is normalised", "--normalize local");
  if (arithmetic == Arithmetic::logarithms && training.numerics_choice == NumericsChoice::det)
    fail(ErrorKind::usage, "--arithmetic logsumexp", "excludes --numerics det",
         "--arithmetic scaled");
  if (restarts > 1 && training.keep_last)
    fail(ErrorKind::usage, "--keep-last", "excludes --restarts, which keeps the best");
  if (restarts > 1 && training.patience > 0)
    fail(ErrorKind::usage, "--patience", "excludes --restarts, whose runs have one length");
}

EmRule Learning::rule(const Config& config, const DatasetInfo& data) const {
  if (algorithm == PcAlgorithm::gradient) return EmRule::params;  // counts of minibatches
  switch (em_rule) {
    case EmRuleChoice::stats: return EmRule::stats;
    case EmRuleChoice::params: return EmRule::params;
    case EmRuleChoice::full: return EmRule::full;
    case EmRuleChoice::momentum: return EmRule::momentum;
    case EmRuleChoice::automatic: break;
  }
  const bool table_tree =
      config.structure == "hclt" && data.is_table() && config.dictionary.value_or(0) == 0;
  return table_tree || config.structure == "hmm" || config.structure == "table" ? EmRule::stats
                                                                                : EmRule::params;
}

bool Learning::marginal_prior(const Config& config, std::int64_t levels) const {
  if (pseudocount_prior == PriorChoice::automatic)
    return config.structure != "table" && levels > most_even_categories;
  return pseudocount_prior == PriorChoice::marginal;
}

PassSettings Learning::pass(std::int64_t steps) const {
  return {.columns = micro_batch,
          .keep_every = kept_every(time_checkpoint, steps),
          .arithmetic = arithmetic};
}

TrainReads reads_of(PcAlgorithm algorithm) {
  return {.rate = true,
          .optimiser = algorithm == PcAlgorithm::gradient,
          .averages = false,
          .recomputation = false,
          .convolutions = false,
          .way = algorithm == PcAlgorithm::gradient ? "--algorithm gradient" : "--algorithm em"};
}

}  // namespace logpx::pc
