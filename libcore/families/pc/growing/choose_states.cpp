#include "libcore/families/pc/growing/reshaping.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/number_text.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace logpx::pc {
namespace {

// States that stay or go together: one index of a grid's last axis, or a single state.
struct Unit {
  std::size_t latent = 0;
  std::int64_t index = 0, states = 1;
  double occupancy = 0;  // of a state, on average
};

// The most occupied first.
std::vector<Unit> ranked_units(const Latents& latents, const Occupancy& occupancy) {
  std::vector<Unit> units;
  for (std::size_t l = 0; l < latents.all.size(); ++l) {
    const Latent& latent = latents.all[l];
    if (latent.fixed || latent.joint >= 0) continue;
    if (latent.axis < 0)
      fail(ErrorKind::usage, "--keep-states",
           "leaves out whole indices of a grid of states, and the Monarch sums of this model have "
           "different grids of the same states");
    const std::int64_t axis = latent.axis > 0 ? latent.axis : latent.states;
    for (std::int64_t index = 0; index < axis; ++index) {
      Unit& unit = units.emplace_back(Unit{.latent = l, .index = index});
      unit.states = latent.states / axis;
      for (std::int64_t state = index; state < latent.states; state += axis)
        unit.occupancy += occupancy[l][at(state)] / static_cast<double>(unit.states);
    }
  }
  std::ranges::stable_sort(units, std::ranges::greater(), &Unit::occupancy);
  return units;
}

// By latent: whether each index of its axis stays. The first of every latent does, then the share
// of all states that was asked for.
std::vector<std::vector<bool>> kept_units(const Latents& latents, const std::vector<Unit>& units,
                                          double share) {
  std::int64_t states = 0, least = 0;
  std::vector<std::vector<bool>> kept(latents.all.size());
  std::vector<Unit> others;
  for (const Unit& unit : units) {
    std::vector<bool>& own = kept[unit.latent];
    const bool first = own.empty();
    if (first) own.resize(at(latents.all[unit.latent].states / unit.states));
    states += unit.states;
    if (first) own[at(unit.index)] = true, least += unit.states;
    else others.push_back(unit);
  }
  constexpr double rounding = 1e-9;
  auto left =
      static_cast<std::int64_t>(std::floor(share * static_cast<double>(states) + rounding)) - least;
  if (left < 0) {
    const double enough =
        std::ceil(1000 * static_cast<double>(least) / static_cast<double>(states)) / 1000;
    fail(ErrorKind::usage, "--keep-states",
         "is " + to_text(share) +
             ", and of some hidden variables no state would be left: expected " + to_text(enough) +
             " or more",
         "--keep-states " + to_text(enough));
  }
  for (const Unit& unit : others) {
    left -= unit.states;
    if (left < 0) break;
    kept[unit.latent][at(unit.index)] = true;
  }
  return kept;
}

StateMap copies_of(const Latent& latent, const std::vector<bool>& kept, std::int64_t copies) {
  StateMap map;
  for (std::int64_t state = 0; state < latent.states; ++state)
    if (kept.empty() || kept[at(state) % kept.size()])
      map.insert(map.end(), at(latent.fixed ? 1 : copies), state);
  return map;
}

}  // namespace

void Reshaping::describe(Fields& f, const std::function<bool()>& goes_on) {
  const Condition with_model{goes_on, "--init-model"};
  f.add("grow", grow, "begin with so many copies of every hidden state of --init-model")
      .about(
          "A small model trains fast; copies of its states, made a little different by --noise, "
          "give a larger one a good start.")
      .range(1, 4096)
      .unset_while([this] { return grow == 1; })
      .when(with_model)
      .rank(Rank::manual);
  f.add("noise", noise, "deviation of the normal draws by which copies differ at first")
      .range(0, 10)
      .unset_while([this] { return grow == 1; })
      .when({[this] { return grow > 1; }, "--grow above 1"})
      .rank(Rank::manual);
  f.add("keep-states", keep_states,
        "begin with this share of the hidden states of --init-model, those that its training data "
        "need most")
      .range(0, 1)
      .unset_while([this] { return keep_states == 1; })
      .when(with_model)
      .rank(Rank::manual);
}

StateMaps choose_states(const Latents& latents, const Reshaping& reshaping,
                        const Occupancy& occupancy) {
  std::vector<std::vector<bool>> kept(latents.all.size());
  if (reshaping.keep_states < 1)
    kept = kept_units(latents, ranked_units(latents, occupancy), reshaping.keep_states);
  StateMaps maps;
  for (std::size_t l = 0; l < latents.all.size(); ++l)
    maps.push_back(copies_of(latents.all[l], kept[l], reshaping.grow));
  return maps;
}

}  // namespace logpx::pc
