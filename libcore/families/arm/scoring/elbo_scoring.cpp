#include "libcore/families/arm/scoring/elbo_scoring.hpp"

#include "libcore/base/fields.hpp"
#include "libcore/base/index.hpp"
#include "libcore/math/blas.hpp"
#include "libcore/math/low_discrepancy.hpp"
#include "libcore/mol/canonical.hpp"

#include <algorithm>
#include <cmath>

namespace logpx::arm {
namespace {

Molecule molecule_of(const RowForm& form, std::span<const std::int32_t> x) {
  const std::int64_t atoms = form.atoms_of(x);
  Molecule molecule;
  for (const std::int32_t dim : form.dims_of(atoms)) {
    auto& parts = dim < form.most_atoms() ? molecule.atoms : molecule.bonds;
    parts.push_back(static_cast<std::uint8_t>(x[at(dim)]));
  }
  return molecule;
}

}  // namespace

void add_atom_counts(const ScoredRows& rows, Scores& scores) {
  const OrderModel& model = rows.model();
  const AtomCounts* const counts = model.atom_counts();
  if (counts == nullptr) return;
  std::vector<double> log_n, unlabelled;
  for (std::int64_t row = 0; row < rows.count(); ++row) {
    log_n.push_back(counts->log_p(model.form().atoms_of(rows.x(row))));
    if (model.is_equivariant())
      unlabelled.push_back(scores.nats[at(row)] +
                           log_labellings(molecule_of(model.form(), rows.x(row))));
  }
  scores.terms.emplace_back("molecules.given_n", scores.nats);
  for (std::size_t i = 0; i < log_n.size(); ++i) scores.nats[i] += log_n[i];
  scores.terms.emplace_back("molecules.with_n", scores.nats);
  if (model.is_equivariant())
    scores.terms.emplace_back("molecules.unlabelled", std::move(unlabelled));
}

namespace {

constexpr std::int64_t longest_path = 64, usual_paths = 2, usual_terms = 16;

// A draw of one row: an order, and the places of it whose terms are taken.
struct Draw {
  std::int64_t row = 0, half = 0;
  std::vector<std::int32_t> order;
  std::int64_t first = 0, count = 0;
};

class ElboScoring final : public ScoringPlan {
 public:
  explicit ElboScoring(const OrderModel& model) : model_(model) {}
  void describe(Fields& fields) override { settings_.describe(fields); }
  void settle() override;
  [[nodiscard]] std::int64_t draws() const override { return *settings_.samples; }
  [[nodiscard]] ReportedKnobs reported() const override { return {{"estimator", "estimator"}}; }
  [[nodiscard]] Scores score(const Examples& examples, Rng rng) const override;

 private:
  [[nodiscard]] std::vector<Draw> draws_of(const ScoredRows& rows, const Rng& rng) const;
  const OrderModel& model_;
  ElboSettings settings_;
};

void ElboScoring::settle() {
  if (settings_.estimator == Estimator::automatic)
    settings_.estimator = model_.dims() <= longest_path ? Estimator::path : Estimator::term;
  if (!settings_.samples)
    settings_.samples = settings_.estimator == Estimator::path ? usual_paths : usual_terms;
}

// Places are spread evenly over the draws of a row, and over each half of them.
std::vector<Draw> ElboScoring::draws_of(const ScoredRows& rows, const Rng& rng) const {
  std::vector<Draw> all;
  const auto samples = static_cast<double>(*settings_.samples);
  for (std::int64_t row = 0; row < rows.count(); ++row) {
    const Substream times = rng.stream(Stream::time, static_cast<std::uint32_t>(rows.number(row)));
    const double offset = uniform53_at(times, 0);
    const std::int64_t length = rows.length(row);
    for (std::int64_t r = 0; r < *settings_.samples; ++r) {
      Draw draw{.row = row, .half = r % 2, .order = rows.order(row, r, rng), .count = length};
      if (settings_.estimator == Estimator::term && length > 0) {
        const double u = offset + static_cast<double>(r) / samples;
        draw.first =
            std::min(static_cast<std::int64_t>((u - std::floor(u)) * static_cast<double>(length)),
                     length - 1);
        draw.count = 1;
      }
      all.push_back(std::move(draw));
    }
  }
  return all;
}

Scores ElboScoring::score(const Examples& examples, Rng rng) const {
  single_threaded_kernels();
  const ScoredRows rows(model_, examples);
  const std::vector<Draw> draws = draws_of(rows, rng);
  std::vector<ScoredRows::State> states;
  std::vector<std::size_t> draw_of;
  for (std::size_t d = 0; d < draws.size(); ++d)
    for (std::int64_t i = 0; i < draws[d].count; ++i) {
      states.push_back({draws[d].row, std::span(draws[d].order).first(at(draws[d].first + i))});
      draw_of.push_back(d);
    }
  const auto count = at(rows.count());
  std::vector<double> recon(count), kl(count), halves(2 * count);
  const auto samples = static_cast<double>(*settings_.samples);
  const double second = std::floor(samples / 2), first = samples - second;
  rows.look(
      std::ssize(states), [&](std::int64_t i) { return states[at(i)]; },
      [&](std::int64_t i, const ScoredRows::State& state, const ScoredRows::Terms& terms) {
        const Draw& draw = draws[draw_of[at(i)]];
        const StepTerms step = terms.step();
        const double factor = settings_.estimator == Estimator::term
                                  ? static_cast<double>(rows.length(state.row))
                                  : 1;
        recon[at(state.row)] += factor * step.recon / samples;
        kl[at(state.row)] += factor * step.kl / samples;
        halves[2 * at(state.row) + at(draw.half)] +=
            factor * step.value() / (draw.half == 0 ? first : second);
      });
  Scores scores{.kind = Bound::stochastic_lower_bound};
  for (std::size_t i = 0; i < count; ++i) {
    scores.nats.push_back(recon[i] - kl[i]);
    if (*settings_.samples > 1)
      scores.mc_std_error.push_back(std::abs(halves[2 * i] - halves[2 * i + 1]) / 2);
  }
  scores.terms = {{"recon", std::move(recon)}, {"kl_order", std::move(kl)}};
  add_atom_counts(rows, scores);
  return scores;
}

}  // namespace

void ElboSettings::describe(Fields& fields) {
  fields.add("samples", samples, "noise draws, weights or orders per example")
      .at_least(1)
      .shows_default("2 or 16");
  fields
      .add("estimator", estimator,
           {{"auto", Estimator::automatic, "path up to 64 dims, else term"},
            {"path", Estimator::path, "all terms along each order"},
            {"term", Estimator::term, "one term of each order, for long rows"}},
           "all terms along an order, or single ones; auto: paths up to 64 dims")
      .rank(Rank::manual);
}

std::unique_ptr<ScoringPlan> make_elbo_scoring(const OrderModel& model) {
  return std::make_unique<ElboScoring>(model);
}

}  // namespace logpx::arm
