#include "libcore/families/kaem/penalties/penalty_options.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/families/kaem/config.hpp"

namespace logpx::kaem {

void PenaltyOptions::describe(Fields& f) {
  const Condition charged{[this] { return on(); }, "--lambda-reg"};
  f.group("penalties of curves");
  f.add("lambda-reg", lambda, "factor on all penalties of curves").range(0, 1e6).rank(Rank::manual);
  f.add("mu-l1", weights.l1, "weight of the sum of the edges' scores, the means of |f|")
      .range(0, 1e6)
      .when(charged)
      .rank(Rank::manual);
  f.add("mu-entropy", weights.entropy, "weight of the entropy of the scores of a layer")
      .range(0, 1e6)
      .when(charged)
      .rank(Rank::manual);
  f.add("mu-coef", weights.coef, "weight of the mean size of coefficients")
      .range(0, 1e6)
      .when(charged)
      .rank(Rank::manual);
  f.add("mu-steps", weights.steps, "weight of the mean step between neighbouring coefficients")
      .range(0, 1e6)
      .when(charged)
      .rank(Rank::manual);
  f.add("reg-targets", targets,
        {{"prior", PenaltyTargets::prior, "those of the energies"},
         {"generator", PenaltyTargets::generator, "those of a kan generator"},
         {"both", PenaltyTargets::both, "both"}},
        "whose curves are charged")
      .when(charged)
      .rank(Rank::manual);
}

void PenaltyOptions::validate(const Config& config) const {
  if (!on() || targets != PenaltyTargets::generator) return;
  if (config.generator.kind != GeneratorKind::kan)
    fail(ErrorKind::usage, "--reg-targets generator", "needs a generator of curves",
         "--generator kan, or --reg-targets prior");
}

}  // namespace logpx::kaem
