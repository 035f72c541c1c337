#include "libcore/families/pc/scoring/exact_scoring.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/families/pc/circuit/validation.hpp"
#include "libcore/families/pc/model.hpp"
#include "libcore/math/blas.hpp"

#include <algorithm>
#include <optional>

namespace logpx::pc {
namespace {

class ExactScoring final : public ScoringPlan {
 public:
  explicit ExactScoring(const PcModel& model) : model_(model) {}
  void describe(Fields& fields) override { knobs_.describe(fields); }
  void settle() override {
    if (knobs_.streams() > 0 && model_.info().lengths != Lengths::any)
      fail(ErrorKind::usage, "--eval stream", "goes with models of sequences", "--eval chunk");
    if (const std::string why = only_scores(model_.circuit()); knobs_.streams() > 0 && !why.empty())
      fail(ErrorKind::usage, "--eval stream", why, "--eval chunk");
    knobs_.pruning.validate();
    if (!knobs_.pruning.on()) return;
    if (knobs_.streams() > 0)
      fail(ErrorKind::usage, "--prune-states", "excludes --eval stream, which filters forward",
           "--eval chunk");
    few_.emplace(model_.plan(), PassSettings{.pruning = knobs_.pruning});
  }
  [[nodiscard]] std::int64_t joined_rows(std::int64_t rows) const override {
    const std::int64_t streams = std::min(rows, knobs_.streams());
    return streams > 0 ? (rows + streams - 1) / streams : 0;
  }
  [[nodiscard]] ReportedKnobs reported() const override {
    ReportedKnobs knobs = {{"eval", "eval"}};
    if (few_)
      for (const char* key : {"prune_states", "prune_scope", "prune_exec"})
        knobs.emplace_back(key, key);
    return knobs;
  }
  [[nodiscard]] Scores score(const Examples& examples, Rng) const override {
    single_threaded_kernels();
    if (few_) return {.kind = Bound::lower_bound, .nats = model_.log_p(examples, *few_)};
    return {.nats = knobs_.streams() > 0 ? in_stream(examples) : model_.log_p(examples)};
  }

 private:
  // All rows are one column of steps.
  [[nodiscard]] std::vector<double> in_stream(const Examples& examples) const {
    const Passes::Loan loan = model_.passes().lend();
    Columns& all = loan.columns();
    Columns row;
    all = {.count = 1, .steps = 0};
    std::vector<std::int64_t> ends;
    std::vector<bool> empty;
    for (std::int64_t i = 0; i < examples.rows.count; ++i) {
      model_.rows().take(examples, std::span(&i, 1), evaluation_noise(model_.rows().rules()), row);
      empty.push_back(std::ranges::all_of(row.x, [](std::int32_t value) { return value < 0; }));
      all.x.insert(all.x.end(), row.x.begin(), row.x.end());
      all.reals.insert(all.reals.end(), row.reals.begin(), row.reals.end());
      ends.push_back(all.steps += row.steps);
    }
    all.lengths = {all.steps};
    std::vector<double> steps(at(all.steps)), nats(ends.size());
    loan.pass().predict(model_.param_set().block(), all, steps);
    for (std::size_t i = 0, t = 0; i < ends.size(); ++i)
      for (; t < at(ends[i]); ++t) nats[i] += empty[i] ? 0 : steps[t];
    return nats;
  }

  const PcModel& model_;
  ScoringKnobs knobs_;
  mutable std::optional<Passes> few_;  // that leave out states, if such a bound is asked for
};

}  // namespace

void ScoringKnobs::describe(Fields& f) {
  f.add("eval", eval,
        "sequences: chunk, where every row begins anew, or stream:S, where they are S long ones, "
        "row behind row")
      .metavar("chunk|stream:S")
      .rank(Rank::manual);
  pruning.describe(f);
}

std::int64_t ScoringKnobs::streams() const {
  if (eval == "chunk") return 0;
  constexpr std::string_view stream = "stream:";
  const auto count = eval.starts_with(stream) ? parse_integer(eval.substr(stream.size()))
                                              : std::optional<std::int64_t>();
  if (!count || *count < 1)
    fail(ErrorKind::usage, "--eval", "is '" + eval + "', expected chunk or stream:S",
         "--eval stream:1");
  return *count;
}

std::unique_ptr<ScoringPlan> exact_scoring(const PcModel& model) {
  return std::make_unique<ExactScoring>(model);
}

}  // namespace logpx::pc
