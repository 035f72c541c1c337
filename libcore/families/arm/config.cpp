#include "libcore/families/arm/config.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/data/molecule_rows.hpp"
#include "libcore/model/missing_values.hpp"

namespace logpx::arm {
namespace {

constexpr std::int64_t most_levels = 256;

}  // namespace

void Config::describe(Fields& f) {
  const auto is = [this](OrderKind kind) { return [this, kind] { return orders == kind; }; };
  const Condition lo{is(OrderKind::learned), "--model lo"};
  f.group("order");
  f.add("model", orders,
        {{"ao", OrderKind::any, "any order alike"},
         {"biased", OrderKind::biased, "the dims of lower groups first, any order within"},
         {"fixed", OrderKind::fixed, "one order that is given"},
         {"lo", OrderKind::learned, "an order that is learned, for each row its own"}},
        "any order, groups, one fixed order, or a learned one")
      .about(
          "lo learns an order for each row, and pays with a network that weighs orders; ao is what "
          "it is compared with, of the same network without that.");
  f.add("policy", policy,
        {{"entropy", PolicyKind::entropy, "the dim that the network is surest of"},
         {"shared", PolicyKind::shared, "a head of the network says"}},
        "the next dim by confidence or by a head of the network")
      .about(
          "entropy learns one number: whether sure or unsure values come first. shared learns "
          "more, where each kind of row has an order that suits it, and may settle on one too "
          "early: see --warmup-uniform.")
      .when(lo);
  f.add("variational", choice,
        {{"shared", ChoiceKind::shared, "a second head of the same network"},
         {"separate", ChoiceKind::separate, "a smaller network of its own"}},
        "what weighs orders: a head, or a network of its own")
      .about(
          "Training draws orders from q(z|x), which sees the whole row. A network of its own, half "
          "as wide, can tell more than a head and makes every step longer; samples and codes do "
          "not need it.")
      .when(lo);
  f.add("order", order, "raster, or a file with the dims in their order")
      .metavar("raster|FILE")
      .when({is(OrderKind::fixed), "--model fixed"})
      .rank(Rank::manual);
  f.add("groups", groups, "a file with a number for each dim; lower ones come first")
      .metavar("FILE")
      .when({is(OrderKind::biased), "--model biased"})
      .rank(Rank::manual);
  net.describe(f);
  f.group("data");
  f.add("levels", coarse, "read 256 grey values as so many; 0: as they are")
      .about(
          "Fewer levels are learned faster, and bits per dimension are those of the coarse values: "
          "they compare with those of no other number of levels. Samples have as many levels.")
      .range(0, most_levels);
  f.add("binarise", binarise, "none, threshold[:T], static or dynamic")
      .metavar("RULE")
      .rank(Rank::manual);
  f.add("binarise-seed", binarise_seed, "seed of the draw")
      .at_least(0)
      .when(static_draw(binarise))
      .rank(Rank::manual);
}

void Config::settle(const DatasetInfo& data) {
  check_data(data);
  net.settle(data, levels(data));
}

void Config::check_data(const DatasetInfo& data) const {
  if (coarse == 1) fail(ErrorKind::usage, "--levels", "is 1, and one value tells nothing");
  if (coarse > 0 && binarises())
    fail(ErrorKind::usage, "--levels", "does nothing with --binarise, which leaves two values");
  check_rules(data, rules());
  if (coarse > 0 && (data.content != Content::image || data.levels != 256))
    fail(ErrorKind::usage, "--levels", "needs pictures of 256 levels",
         "--levels 0 takes the data as they are");
  refuse_missing(data, "a model of orders");
  if (data.content == Content::molecules) check_molecules_info(data);
  else if (data.has_lengths)
    fail(ErrorKind::data, data.name,
         "has rows that end early, and a model of orders takes whole ones");
  if (levels(data) == 0)
    fail(ErrorKind::data, data.name, "holds real numbers, and a model of orders takes whole ones",
         "train-pc, train-vae, train-vdm and fit-prior take real numbers");
  if (levels(data) < 2 || levels(data) > most_levels)
    fail(ErrorKind::data, data.name,
         "has " + std::to_string(levels(data)) + " levels, expected 2 to " +
             std::to_string(most_levels));
}

bool Config::binarises() const { return parse_binarisation(binarise).rule != Binarise::none; }

std::int64_t Config::levels(const DatasetInfo& data) const {
  if (binarises()) return 2;
  return coarse > 0 ? coarse : data.levels;
}

std::unique_ptr<const Likelihood> Config::support(const DatasetInfo& data) const {
  return make_likelihood("categorical",
                         levels_of_columns(data, coarse > 0 ? data.levels : levels(data)), {});
}

RowRules Config::rules() const {
  return {.binarise = parse_binarisation(binarise), .static_seed = binarise_seed};
}

}  // namespace logpx::arm
