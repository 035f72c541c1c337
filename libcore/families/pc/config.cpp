#include "libcore/families/pc/config.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/families/pc/structures/regions.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <string_view>

namespace logpx::pc {
namespace {

bool is_sequence(const DatasetInfo& data) {
  const bool symbols = data.content == Content::symbols || data.content == Content::bytes;
  return symbols && !has_own_columns(data);
}

// Hidden states by explicit factors ("32,32", "m=4,2;n=2,4"); nothing for "auto:2".
std::optional<std::int64_t> states_of(const std::string& factors) {
  std::string outputs = factors.substr(0, factors.find(';'));
  if (outputs.starts_with("m=")) outputs = outputs.substr(2);
  std::int64_t states = 1;
  for (const std::string& word : split_text(outputs, ',')) {
    const auto factor = parse_integer(word);
    if (!factor || *factor < 1 || *factor > (std::int64_t{1} << 30) / states) return std::nullopt;
    states *= *factor;
  }
  return states;
}

void check_data(const Config& config, const DatasetInfo& data) {
  const RowRules rules = config.rules();
  if (rules.binarise.rule != Binarise::none || rules.transform != Transform::none)
    check_rules(data, rules);
}

}  // namespace

bool has_own_columns(const DatasetInfo& data) {
  return !data.column_names.empty() || !data.column_words.empty();
}

void Config::describe(Fields& f) {
  const auto has = [this](const char* name) { return [this, name] { return structure == name; }; };
  const Condition file{has("file"), "a structure from a file"}, ff{has("ff"), "--structure ff"};
  f.group("circuit");
  f.add("structure", structure,
        "table, hmm, hclt, mixture, quad-tree, quad-graph, pd, rat, ff, file:F")
      .about(
          "table is for columns of words and numbers: trees of hidden states beside clusters, in "
          "which gaussians join all numbers, weighed by rows that are held back. hmm is for texts "
          "and other sequences; hclt, one tree of hidden states, learns from pictures and tables "
          "which variables belong together; mixture knows clusters alone; the others split "
          "pictures, or any row (rat, ff), without a look at its values.")
      .metavar("NAME")
      .shows_default("by the data")
      .source("Monarch sec. 5");
  f.add("hidden", hidden, "hidden states; 0: by --factors, preset or rows")
      .about("More states fit more; dense sums cost with their square, --factors less.")
      .range(0, std::int64_t{1} << 30)
      .unless(file)
      .unless(ff);
  f.add("factors", factors, "Monarch sums: 32,32, auto:2, auto:butterfly")
      .about("32,32 are 1024 states at 32 + 32 multiplications each, not at 1024.")
      .metavar("N,...|auto:D")
      .source("Monarch sec. 3")
      .unless(file);
  f.add("program", program, "which factor each layer of a Monarch sum works on: 1,2,1")
      .metavar("N,...")
      .unless(file)
      .rank(Rank::manual);
  f.add("preset-states", preset_states,
        "hidden states without --hidden and --factors; of sequences so many in each of two factors")
      .range(1, 1 << 15)
      .rank(Rank::set_only);
  f.add("inhomogeneous", inhomogeneous, "give each step parameters of its own")
      .when({has("hmm"), "--structure hmm"})
      .unset_while([this] { return !inhomogeneous; })
      .rank(Rank::manual);
  f.add("leaf", leaf,
        "distributions of single variables: auto, categorical, bernoulli, binomial, gaussian, "
        "dlogistic, or a file.json that names them by variable")
      .metavar("WORD|FILE")
      .unset_while([this] { return leaf == "auto"; })
      .unless(file)
      .rank(Rank::manual);
  describe_table(f);
  describe_tree(f);
  describe_data(f);
}

void Config::describe_data(Fields& f) {
  f.group("data");
  f.add("binarise", binarise, "none, threshold[:T], static or dynamic").metavar("RULE");
  f.add("binarise-seed", binarise_seed, "seed of the draw")
      .at_least(0)
      .when(static_draw(binarise))
      .rank(Rank::manual);
  f.add("transform", transform,
        {{"none", Transform::none, "as they are"},
         {"ycocg-r", Transform::ycocg_r,
          "as brightness and two differences of colour, without loss"},
         {"ycocg-lossy", Transform::ycocg_lossy,
          "as 256 levels of each of these: log p is not that of the RGB values"}},
        "leaves of RGB pictures are of brightness and two differences of colour")
      .source("Monarch sec. 5")
      .unset_while([this] { return transform == Transform::none; })
      .rank(Rank::manual);
}

void Config::describe_tree(Fields& f) {
  const Condition hclt{[this] { return structure == "hclt"; }, "--structure hclt"},
      learned{[this] { return structure == "hclt" || structure == "table"; },
              "--structure hclt or table"};
  f.add("tie-leaves", tie_leaves,
        {{"none", TieLeaves::none, "each has its own"},
         {"channel", TieLeaves::channel, "one set for each channel of a picture"},
         {"all", TieLeaves::all, "one set for all, where all take the same values"}},
        "which variables share their leaves")
      .when({[this] {
               return tie_leaves == TieLeaves::none || structure == "hclt" ||
                      has_regions(structure);
             },
             std::string("--structure hclt, ") + structures_of_regions})
      .rank(Rank::manual);
  f.add("leaf-latents", leaf_latents,
        {{"keep", LeafLatents::keep, "they have"},
         {"merge", LeafLatents::merge, "they share that of their neighbour: a smaller circuit"}},
        "whether variables at the ends of the tree have hidden states of their own")
      .when(hclt)
      .rank(Rank::manual);
  tree.describe(f, learned);
  describe_dictionary(f);
  regions.describe(f, structure);
}

void Config::describe_dictionary(Fields& f) {
  const Condition hclt{[this] { return structure == "hclt"; }, "--structure hclt"};
  const auto without = [this] { return dictionary.value_or(0) == 0; };
  const Condition mixed{[without] { return !without(); }, "a dictionary: --dictionary 48"};
  f.add("dictionary", dictionary,
        "elements that the leaves are mixed from; 0: they have values of their own")
      .range(0, 4096)
      .shows_default("48 for rasters of more than 32 levels")
      .when(hclt)
      .rank(Rank::manual);
  f.add("styles", styles, "styles of rows, each with a dictionary of its own")
      .range(1, 4096)
      .shows_default("one for each 250 rows, at most 64")
      .when(hclt)
      .when(mixed)
      .rank(Rank::manual);
  f.add("peak-elements", peak_elements, "elements of values that are crowded at the top, at most")
      .range(0, 4096)
      .unset_while(without)
      .when(hclt)
      .when(mixed)
      .rank(Rank::manual);
  f.add("broad-elements", broad_elements, "elements of all other values above 0")
      .range(0, 4096)
      .unset_while(without)
      .when(hclt)
      .when(mixed)
      .rank(Rank::manual);
  f.add("preset-styles", preset_styles, "styles without --styles, at most")
      .range(1, 4096)
      .unset_while(without)
      .rank(Rank::set_only);
}

void Config::settle(const DatasetInfo& data) {
  check_data(*this, data);
  if (structure.starts_with("file:")) structure = "file";
  if (structure == "auto")
    structure = is_sequence(data)                               ? "hmm"
                : has_own_columns(data) && !asks_for_one_tree() ? "table"
                                                                : "hclt";
  if (leaf.ends_with(".json")) leaf = "file";
  if (transform != Transform::none) check_transform();
  if (structure == "file") return;
  constexpr std::array<std::string_view, 5> others = {"table", "hmm", "hclt", "mixture", "ff"};
  if (std::ranges::find(others, structure) == others.end() && !has_regions(structure))
    fail(ErrorKind::usage, "--structure",
         "is '" + structure +
             "', expected table, hmm, hclt, mixture, quad-tree, quad-graph, pd, rat, ff or "
             "file:F");
  if (structure == "hmm" && !inhomogeneous && has_own_columns(data))
    fail(ErrorKind::usage, "--structure",
         "is hmm, whose steps share one table of values, and the columns of " + data.name +
             " have values of their own",
         "--structure table");
  if (structure == "table") settle_table(data);
  if (tie_leaves == TieLeaves::channel && data.content != Content::image)
    fail(ErrorKind::usage, "--tie-leaves", "is channel, and " + data.name + " holds no pictures",
         "--tie-leaves none");
  settle_states();
  settle_dictionary(data);
  regions.settle(structure, data, hidden);
}

// How many hidden states there are, and the factors of their sums.
void Config::settle_states() {
  if ((structure == "mixture" || structure == "ff" || structure == "table") && !factors.empty())
    fail(ErrorKind::usage, "--factors", "does nothing with --structure " + structure);
  if (structure == "ff") hidden = 1;
  if (hidden == 0 && factors.empty()) {
    hidden = preset_states;
    if (structure == "hmm") {
      factors = std::to_string(preset_states) + ',' + std::to_string(preset_states);
      hidden = preset_states * preset_states;
    }
  }
  if (hidden == 0) {
    const auto states = states_of(factors);
    if (!states && !factors.starts_with("auto:"))
      static_cast<void>(read_factors(factors, 1));  // throws, and says what is wrong
    if (!states)
      fail(ErrorKind::usage, "--factors", "is '" + factors + "', which needs --hidden",
           "--hidden 64");
    hidden = *states;
  }
  if (factors.empty() && !program.empty())
    fail(ErrorKind::usage, "--program", "goes with --factors");
  static_cast<void>(Monarch(sum_factors()));
}

// The values of a pixel are no greys, and without loss they have different ranges.
void Config::check_transform() const {
  const std::string named = std::string(" --transform ") + word_of(transform);
  if (parse_binarisation(binarise).rule != Binarise::none)
    fail(ErrorKind::usage, "--transform", "is about colours, and excludes --binarise",
         "--transform none");
  if (leaf == "gaussian")
    fail(ErrorKind::usage, "--leaf", "is gaussian, and" + named + " makes whole numbers",
         "--leaf dlogistic");
  if (structure == "hmm" && !inhomogeneous)
    fail(
        ErrorKind::usage, "--transform",
        "reads the three values of a pixel in ways of their own, and the steps of an hmm share one",
        "--structure hclt");
  if (dictionary.value_or(0) > 0)
    fail(ErrorKind::usage, "--dictionary", "is of greys, and excludes" + named, "--dictionary 0");
  if (tie_leaves == TieLeaves::all && transform == Transform::ycocg_r)
    fail(ErrorKind::usage, "--tie-leaves",
         "is all, of values that have one range, and excludes" + named, "--tie-leaves channel");
}

// Rasters of many levels repeat their greys, which a tree carries badly.
void Config::settle_dictionary(const DatasetInfo& data) {
  constexpr std::int64_t most_levels_alone = 32, usual_elements = 48, rows_of_a_style = 250;
  const std::int64_t values = levels(data);
  const bool greys = data.content == Content::image && transform == Transform::none;
  if (structure == "hclt" && !dictionary && leaf == "auto" && greys && values > most_levels_alone)
    dictionary = std::min(usual_elements, values);
  const bool mixed = dictionary.value_or(0) > 0;
  if (structure != "hclt" && (mixed || styles.value_or(1) > 1))
    fail(ErrorKind::usage, mixed ? "--dictionary" : "--styles", "goes with --structure hclt");
  if (!mixed && styles.value_or(1) > 1)
    fail(ErrorKind::usage, "--styles", "goes with a dictionary",
         "--dictionary " + std::to_string(std::min(usual_elements, values)));
  if (!mixed) return;
  if (leaf != "auto")
    fail(ErrorKind::usage, "--dictionary", "mixes leaves of its own, and excludes --leaf");
  if (*dictionary < 2 || *dictionary > values)
    fail(ErrorKind::usage, "--dictionary",
         "is " + std::to_string(*dictionary) + ", and there are " + std::to_string(values) +
             " values: expected 0, or 2 to so many");
  broad_elements = std::min(broad_elements, (*dictionary - 1) / 2);
  peak_elements = std::min(peak_elements, (*dictionary - 1) / 4);
  if (!styles) styles = std::clamp<std::int64_t>(data.n / rows_of_a_style, 1, preset_styles);
}

RowRules Config::rules() const {
  return {.binarise = parse_binarisation(binarise),
          .static_seed = binarise_seed,
          .transform = transform};
}

std::int64_t Config::levels(const DatasetInfo& data) const {
  return parse_binarisation(binarise).rule == Binarise::none ? data.levels : 2;
}

std::int64_t Config::levels_of(const DatasetInfo& data, std::int64_t column) const {
  if (transform != Transform::none)
    return PictureSymbols(data.shape, data.levels, transform).levels(at(column));
  const std::int64_t words = words_of(data, column);
  return words > 0 ? words : levels(data);
}

MonarchFactors Config::sum_factors() const {
  if (factors.empty()) return square_sum(hidden, std::nullopt);
  MonarchFactors read = read_factors(factors, hidden);
  if (!program.empty()) read.program = read_program(program);
  return read;
}

Dictionary Config::tree_dictionary() const {
  return {.elements = dictionary.value_or(0), .styles = styles.value_or(1)};
}

LeafTies Config::ties(const DatasetInfo& data) const {
  if (tie_leaves != TieLeaves::channel) return {tie_leaves};
  return {.tied = tie_leaves, .pixels = data.dims() / data.shape.back()};
}

Circuit make_circuit(const Config& config, const LeafChoice& leaves, const Examples& rows,
                     Workers& workers, const Rng& rng) {
  const DatasetInfo& data = rows.info;
  const bool path = config.structure == "hmm" && config.inhomogeneous,
             chain = config.structure == "hmm" && !path;
  const std::int64_t levels = config.levels(data);
  std::vector<Variable> variables;
  if (chain) variables.push_back({"symbol", levels});
  for (std::int64_t v = 0; v < data.dims() && !chain; ++v)
    variables.push_back(
        {data.column_names.empty() ? 'x' + std::to_string(v) : data.column_names[at(v)],
         config.levels_of(data, v)});
  const RowRules rules = config.rules();
  if (config.structure == "table") {
    const std::vector<LeafKind> kinds =
        choose_table_leaves(leaves, config.unknown, rows, variables);
    const TableForm form = config.table_form();
    require_few_numbers(std::ranges::count(variables, 0, &Variable::categories), form);
    std::vector<std::int32_t> parents;
    if (form.trees > 0)
      parents = learn_tree({rules, variables, rows}, config.tree, workers).parents;
    return table_circuit(variables, kinds, parents, form);
  }
  const std::vector<LeafKind> kinds = choose_leaves(leaves, rules, rows, variables);
  const LeafTies ties = config.ties(data);
  require_alike(ties, kinds, variables);
  Circuit circuit;
  if (chain) {
    circuit = hidden_markov(variables[0], config.sum_factors());
  } else if (config.structure == "mixture" || config.structure == "ff") {
    circuit = mixture(variables, config.hidden);
  } else if (has_regions(config.structure)) {
    circuit = region_circuit(
        variables, config.regions.regions(config.structure, data, rng.stream(Stream::structure)),
        {.sums = config.sum_factors(), .product = config.regions.product, .ties = ties});
  } else if (path) {
    std::vector<std::int32_t> before(variables.size());
    std::iota(before.begin(), before.end(), -1);
    circuit = hidden_tree(variables, before, {.transition = config.sum_factors()});
  } else {
    const Dictionary dictionary = config.tree_dictionary();
    const Ground ground = dictionary.elements > 0 ? Ground::zero : Ground::none;
    LearnedTree tree = learn_tree({rules, variables, rows, ground}, config.tree, workers);
    circuit = hidden_tree(variables, tree.parents,
                          {.transition = config.sum_factors(),
                           .ties = ties,
                           .leaf_latents = config.leaf_latents,
                           .dictionary = dictionary,
                           .hosts = std::move(tree.hosts)});
  }
  set_leaves(kinds, circuit);
  return circuit;
}

}  // namespace logpx::pc
