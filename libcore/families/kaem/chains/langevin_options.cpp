#include "libcore/families/kaem/chains/langevin_options.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/base/number_text.hpp"

#include <algorithm>

namespace logpx::kaem {
namespace {

void describe_moves(Fields& f, LangevinOptions& o) {
  const Condition chains{[&o] { return o.has_chains(); }, "--posterior ula, mala or automala"},
      automala{[&o] { return o.posterior == PosteriorKind::automala; }, "--posterior automala"};
  f.group("chains");
  f.add("langevin-steps", o.steps, "moves of a chain in an update")
      .range(1, 1e6)
      .source("KAEM tab. 5")
      .when(chains)
      .rank(Rank::manual);
  f.add("eta", o.eta,
        "length of a step: z + eta gradient + sqrt(2 eta) noise; automala starts there")
      .range(1e-12, 1e6)
      .source("KAEM tab. 5")
      .when(chains)
      .rank(Rank::manual);
  f.add("support", o.support,
        {{"extend", Support::extend, "energies go on beyond the domain"},
         {"reflect", Support::reflect, "its ends are mirrors"},
         {"u-space", Support::u_space, "chains move in logits of u, which has no ends"}},
        "beyond the domain: energies go on, walls are mirrors, or chains move in logits of u")
      .when(chains)
      .rank(Rank::manual);
  f.add("persistent", o.persistent, "each row's chain goes on where it was, not from the prior")
      .when(chains)
      .rank(Rank::manual);
  f.add("eta-min", o.eta_min, "shortest step").range(1e-12, 1e6).when(automala).rank(Rank::manual);
  f.add("eta-max", o.eta_max, "longest step").range(1e-12, 1e6).when(automala).rank(Rank::manual);
  f.add("unadjusted", o.unadjusted, "first moves in an update, which are all accepted")
      .range(0, 1e6)
      .when(automala)
      .rank(Rank::manual);
  f.add("precondition", o.precondition,
        {{"none", Precondition::none, "never"},
         {"diag", Precondition::diag, "always"},
         {"mixed", Precondition::mixed, "by a random share, which is safer"}},
        "scale steps by deviations of z: never, always, or by a random share")
      .when(automala)
      .rank(Rank::manual);
}

Condition at_several(const LangevinOptions& o) {
  return {[&o] { return o.objective != Objective::mle; }, "--objective mle-pt or se"};
}

Condition at_one(const LangevinOptions& o) {
  return {[&o] { return o.rungs() == 1; }, "--temps 1"};
}

void describe_temperatures(Fields& f, LangevinOptions& o) {
  const Condition several = at_several(o), one = at_one(o);
  f.group("temperatures");
  f.add("temps", o.temps, "temperatures above 0")
      .range(1, 1000)
      .source("KAEM tab. 5")
      .when(several)
      .rank(Rank::manual);
  f.add("p-start", o.power.start, "p of the temperatures (k/N)^p at the start")
      .range(1e-3, 1e3)
      .source("KAEM tab. 5")
      .when(several)
      .unless(one)
      .rank(Rank::manual);
  f.add("p-end", o.power.end, "p at the end")
      .range(1e-3, 1e3)
      .source("KAEM tab. 5")
      .when(several)
      .unless(one)
      .rank(Rank::manual);
  f.add("p-cycles", o.power.cycles, "whole cosines of p in between")
      .range(0, 1e6)
      .when(several)
      .unless(one)
      .rank(Rank::manual);
  f.add("ti-rule", o.ti_rule,
        {{"left", TiRule::left, "rectangles by the left ends"},
         {"right", TiRule::right, "rectangles by the right ends"},
         {"trapezoid", TiRule::trapezoid, "trapezoids: the least error"}},
        "sum over temperatures")
      .when({[&o] { return o.objective == Objective::se; }, "--objective se"})
      .rank(Rank::manual);
}

void describe_exchanges(Fields& f, LangevinOptions& o) {
  const Condition several = at_several(o), one = at_one(o),
                  apart{[&o] { return o.swap == SwapRule::off; }, "--swap off"};
  f.add("swap", o.swap,
        {{"random", SwapRule::random, "one pair of neighbours, by chance"},
         {"deo", SwapRule::alternating, "even and odd pairs in turn, which travels faster"},
         {"off", SwapRule::off, "none"}},
        "neighbours that exchange states: a random pair, or even and odd pairs in turn")
      .when(several)
      .unless(one)
      .rank(Rank::manual);
  f.add("swap-every", o.swap_every, "moves between exchanges")
      .range(1, 1e6)
      .when(several)
      .unless(one)
      .unless(apart)
      .rank(Rank::manual);
  f.add("swap-scope", o.swap_scope,
        {{"chain", SwapScope::chain, "each row on its own"},
         {"shard", SwapScope::joint, "the rows of a shard together"}},
        "whether each row decides, or the rows of a shard together")
      .when(several)
      .unless(one)
      .unless(apart)
      .rank(Rank::manual);
  f.group("grids");
  f.add("grid-samples", o.grid_samples, "posterior samples that grids are fitted to, at least")
      .range(1, 1e6)
      .when({[&o] { return o.has_chains(); }, "--posterior ula, mala or automala"})
      .rank(Rank::manual);
}

void check_support(const LangevinOptions& o, const PriorForm& form) {
  if (form.is_shared() && o.support != Support::u_space)
    fail(ErrorKind::usage, "--coupling shared",
         "gives z no density, which chains in z need: they can only move in the uniforms",
         "--support u-space, or --coupling independent");
  const BaseMeasure base = form.energies.base;
  const bool ends = base == BaseMeasure::uniform || base == BaseMeasure::lognormal;
  if (o.support == Support::extend && ends)
    fail(ErrorKind::usage, "--support extend",
         "needs a density beyond the domain, but this base measure is zero there: use reflect or "
         "u-space",
         "--support reflect, or --support u-space");
}

}  // namespace

void LangevinOptions::describe(Fields& f) {
  f.group("model");
  f.add("posterior", posterior,
        {{"is", PosteriorKind::importance,
          "weights on samples of the prior: exact, for few dimensions"},
         {"encoder", PosteriorKind::encoder,
          "a network's draws, which are weighed: for many dimensions, and it is trained along"},
         {"ula", PosteriorKind::ula, "chains that accept every step: biased by the step"},
         {"mala", PosteriorKind::mala, "chains that accept or refuse: no bias"},
         {"automala", PosteriorKind::automala, "the same, and each step finds its own length"}},
        "p(z|x)")
      .about(
          "Weights need no tuning, but more samples the more dimensions z has. An encoder finds "
          "where z lies in one pass; prior, generator and encoder are then fitted together by the "
          "bound of --k draws, and the model codes by bits back. Chains need a length of step, and "
          "gradients of the generator for every move.");
  f.group("objective");
  f.add("objective", objective,
        {{"mle", Objective::mle, "log p(x)"},
         {"mle-pt", Objective::mle_pt, "log p(x), by chains at several temperatures"},
         {"se", Objective::se, "log p(x) averaged over these temperatures"}},
        "log p(x); by chains at several temperatures, too; averaged over these temperatures")
      .rank(Rank::manual);
  describe_moves(f, *this);
  describe_temperatures(f, *this);
  describe_exchanges(f, *this);
}

void LangevinOptions::validate(const PriorForm& form) const {
  if (!has_chains() && objective != Objective::mle)
    fail(ErrorKind::usage,
         std::string("--objective ") + (objective == Objective::se ? "se" : "mle-pt"),
         "needs chains at every temperature: --posterior ula, mala or automala",
         "--posterior ula, or --posterior mala, or --posterior automala");
  if (!has_chains()) return;
  check_support(*this, form);
  if (posterior != PosteriorKind::automala) return;
  if (eta_min > eta_max)
    fail(ErrorKind::usage, "--eta-min",
         "is " + to_text(eta_min) + ", which is more than --eta-max " + to_text(eta_max),
         "--eta-min " + to_text(eta_max));
  if (eta < eta_min || eta > eta_max)
    fail(ErrorKind::usage, "--eta",
         "is " + to_text(eta) + ", but steps of automala lie between --eta-min " +
             to_text(eta_min) + " and --eta-max " + to_text(eta_max),
         "--eta " + to_text(std::clamp(eta, eta_min, eta_max)));
}

std::vector<double> LangevinOptions::temperatures(std::int64_t step, std::int64_t updates) const {
  return power_temperatures(rungs(), rungs() == 1 ? 1 : power_at(power, step, updates));
}

std::int64_t LangevinOptions::kept_states() const {
  return std::clamp((grid_samples + update_rows - 1) / update_rows, std::int64_t{1}, steps);
}

LearnedRungs learned_rungs(const LangevinOptions& o) {
  if (o.objective != Objective::se) return {o.rungs(), 1};
  switch (o.ti_rule) {
    case TiRule::left: return {0, o.rungs()};
    case TiRule::right: return {1, o.rungs()};
    case TiRule::trapezoid: break;
  }
  return {0, o.rungs() + 1};
}

std::vector<double> rung_shares(const LangevinOptions& o, std::span<const double> t) {
  std::vector<double> shares(t.size());
  if (o.objective != Objective::se) {
    shares.back() = 1;
    return shares;
  }
  const double to_left = o.ti_rule == TiRule::left ? 1 : o.ti_rule == TiRule::right ? 0 : 0.5;
  for (std::size_t k = 1; k < t.size(); ++k) {
    const double dt = t[k] - t[k - 1];
    shares[k - 1] += to_left * dt;
    shares[k] += (1 - to_left) * dt;
  }
  return shares;
}

}  // namespace logpx::kaem
