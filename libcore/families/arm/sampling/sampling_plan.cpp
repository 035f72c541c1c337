#include "libcore/families/arm/sampling/sampling_plan.hpp"

#include "libcore/base/clock.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/families/arm/sampling/infill.hpp"
#include "libcore/families/arm/sampling/sampler.hpp"
#include "libcore/families/arm/state_predictor.hpp"
#include "libcore/math/blas.hpp"
#include "libcore/math/low_discrepancy.hpp"
#include "libcore/math/resample.hpp"
#include "libcore/model/completion.hpp"
#include "libcore/model/mean_rows.hpp"
#include "libcore/mol/molecule.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace logpx::arm {
namespace {

constexpr std::int64_t most_traced_policies = 2048;  // dims
constexpr std::int64_t usual_particles = 64;
constexpr double trial_seconds = 0.02;  // spent on passes to estimate how long draws take

class OrderSampling final : public SamplingPlan, public Completion {
 public:
  explicit OrderSampling(const OrderModel& model) : model_(model), kinds_(at(model.dims())) {
    std::fill_n(kinds_.begin(), model.form().most_atoms(), 1);
  }
  void describe(Fields& fields) override { settings_.describe(fields); }
  [[nodiscard]] Completion* completion() override { return this; }
  void start_from(KnownRows given) override;
  void settle() override;
  [[nodiscard]] DatasetInfo rows() const override { return row_info(samples()); }
  [[nodiscard]] double block_seconds() const override;
  [[nodiscard]] SampleChunk make(std::int64_t first, std::int64_t last, Rng rng) const override;

 private:
  [[nodiscard]] const DatasetInfo& samples() const { return model_.model_info().samples; }
  [[nodiscard]] OrderRule rule() const {
    if (settings_.policy == PolicyOverride::own) return model_.rule();
    if (settings_.policy == PolicyOverride::uniform) return {};
    return {.kind = RuleKind::grouped, .groups = kinds_};
  }
  // Unfinished rows, [count, dims].
  struct Block {
    std::vector<std::int32_t> x;
    std::vector<std::uint8_t> seen;
  };
  [[nodiscard]] Block start(std::int64_t first, std::int64_t count, const Rng& rng) const;
  [[nodiscard]] std::int64_t atoms_of_sample(std::int64_t item, const Rng& rng) const;
  [[nodiscard]] PartlyKnown known_row(std::int64_t item) const;
  // Completes rows by the joint distribution.
  void fill_by_joint(Block& block, std::int64_t first, std::int64_t count, const Rng& rng) const;
  void check_infill() const;
  void settle_atoms();

  const OrderModel& model_;
  std::vector<std::int64_t> kinds_;                             // groups of dims: bonds, then atoms
  std::optional<std::pair<std::int64_t, std::int64_t>> atoms_;  // the fewest and the most
  SamplingSettings settings_;
  std::vector<std::int32_t> given_;  // [rows, dims]; empty: nothing is known
  std::vector<std::uint8_t> known_;  // [dims], or of each row
  std::int64_t draws_ = 1;           // per given row
};

void OrderSampling::start_from(KnownRows given) {
  given_ = model_.reader().values(given.rows.examples());
  if (given.rows.info.dims() != model_.dims())
    fail(ErrorKind::data, given.rows.info.name,
         "has room for " + std::to_string(atoms_within(given.rows.info.dims())) +
             " atoms, and --known names places of rows with room for " +
             std::to_string(model_.form().most_atoms()));
  const ChannelsFirst place(samples());
  known_.resize(given.known.size());
  const std::size_t dims = at(model_.dims());
  for (std::size_t i = 0; i < given.known.size(); ++i)
    known_[i - i % dims + place(i % dims)] = given.known[i];
  draws_ = given.draws;
}

void OrderSampling::check_infill() const {
  const SamplerSettings& s = settings_.sampler;
  if (settings_.infill == Infill::policy) return;
  if (given_.empty()) fail(ErrorKind::usage, "--infill", "goes with --given");
  if (s.top_p != 1 || s.policy_top_p != 1 || s.temperature != 1 || s.policy_temperature != 1 ||
      s.parallel_steps > 0 || settings_.policy != PolicyOverride::own)
    fail(ErrorKind::usage, "--infill",
         "completes rows as p(x) has it, which other draws of values or dims would change",
         "--infill policy");
  if (settings_.infill != Infill::exact) return;
  for (std::int64_t row = 0; row * model_.dims() < std::ssize(given_); ++row)
    require_few_completions(model_, known_row(row * draws_));
}

// "5", or "3:5" with both of them.
void OrderSampling::settle_atoms() {
  if (settings_.atoms.empty()) return;
  if (!model_.form().holds_molecules())
    fail(ErrorKind::usage, "--n-atoms", "is for models of molecules");
  if (!given_.empty()) fail(ErrorKind::usage, "--n-atoms", "does nothing with --given");
  const std::vector<std::string> ends = split_text(settings_.atoms, ':');
  const auto first = parse_integer(ends.front()), last = parse_integer(ends.back());
  const std::int64_t most = model_.form().most_atoms();
  if (ends.size() > 2 || !first || !last || *first < 1 || *first > *last || *last > most)
    fail(ErrorKind::usage, "--n-atoms",
         "is '" + settings_.atoms + "', expected N or A:B from 1 to " + std::to_string(most) +
             ", the most that this model knows");
  atoms_ = {*first, *last};
}

// Drawn first: by p(n), or uniformly from the range that was asked for.
std::int64_t OrderSampling::atoms_of_sample(std::int64_t item, const Rng& rng) const {
  const Substream words = rng.stream(Stream::sample_model, static_cast<std::uint32_t>(item));
  const double u = uniform53_at(words, static_cast<std::uint64_t>(model_.dims()));
  if (!atoms_) return model_.atom_counts()->draw(u);
  const auto [first, last] = *atoms_;
  return first + static_cast<std::int64_t>(u * static_cast<double>(last - first + 1));
}

OrderSampling::Block OrderSampling::start(std::int64_t first, std::int64_t count,
                                          const Rng& rng) const {
  const std::size_t dims = at(model_.dims());
  Block block{.x = std::vector<std::int32_t>(at(count) * dims),
              .seen = std::vector<std::uint8_t>(at(count) * dims)};
  if (given_.empty() && !model_.form().holds_molecules()) return block;
  if (given_.empty()) {
    std::ranges::fill(block.x, absent);
    for (std::int64_t i = 0; i < count; ++i)
      for (const std::int32_t dim : model_.form().dims_of(atoms_of_sample(first + i, rng)))
        block.x[at(i) * dims + at(dim)] = 0;
    return block;
  }
  for (std::int64_t i = 0; i < count; ++i) {
    const PartlyKnown row = known_row(first + i);
    std::ranges::copy(row.x, block.x.begin() + i * std::ssize(row.x));
    std::ranges::copy(row.seen, block.seen.begin() + i * std::ssize(row.seen));
  }
  return block;
}

// A whole block may ask for rows beyond the last one: then they begin anew.
PartlyKnown OrderSampling::known_row(std::int64_t item) const {
  const auto dims = at(model_.dims());
  const std::size_t row = at(item / draws_) % (given_.size() / dims);
  const auto x = std::span(given_).subspan(row * dims, dims);
  const auto seen = std::span(known_).subspan(known_.size() == dims ? 0 : row * dims, dims);
  return {.x = {x.begin(), x.end()}, .seen = {seen.begin(), seen.end()}};
}

void OrderSampling::fill_by_joint(Block& block, std::int64_t first, std::int64_t count,
                                  const Rng& rng) const {
  const std::size_t dims = at(model_.dims());
  const OrderSampler sampler(model_.predictor(), rule(), settings_.sampler);
  const bool exact = settings_.infill == Infill::exact;
  ExactCompletions completions;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t item = first + i;
    const double u =
        uniform53_at(rng.stream(Stream::resample, static_cast<std::uint32_t>(item)), 0);
    if (exact && (i == 0 || item % draws_ == 0))
      completions = exact_completions(model_, known_row(item));
    if (!exact) {
      const std::int64_t particles = settings_.particles.value_or(usual_particles);
      WeighedCompletions some =
          weighed_completions(model_, sampler, known_row(item), particles, rng, item * particles);
      completions = {.x = std::move(some.x), .p = std::vector<double>(at(particles))};
      static_cast<void>(importance_weights(some.log_weights, completions.p));
    }
    std::vector<double> sums(completions.p.size());
    std::partial_sum(completions.p.begin(), completions.p.end(), sums.begin());
    const auto chosen = std::span(completions.x).subspan(at(chosen_index(sums, u)) * dims, dims);
    std::ranges::copy(chosen, block.x.begin() + static_cast<std::ptrdiff_t>(at(i) * dims));
  }
}

void OrderSampling::settle() {
  check_infill();
  settle_atoms();
  if (settings_.policy == PolicyOverride::biased && !model_.form().holds_molecules())
    fail(ErrorKind::usage, "--policy-override biased", "is for models of molecules",
         "--policy-override uniform");
  const OrderRule rule = this->rule();
  if (settings_.sampler.parallel_steps > 0 && (rule.learned() || !rule.groups.empty()))
    fail(ErrorKind::usage, "--parallel-steps",
         "takes several dims at once, which goes with orders that are all alike",
         "--policy-override uniform");
  if (settings_.policy == PolicyOverride::uniform && !model_.rule().learned() &&
      model_.rule().groups.empty())
    fail(ErrorKind::usage, "--policy-override uniform", "is the policy of this model");
  if (settings_.trace == OrderTrace::all && model_.dims() > most_traced_policies)
    fail(ErrorKind::usage, "--order-trace all",
         "keeps a policy of " + std::to_string(model_.dims()) + " dims for each of as many steps",
         "--order-trace steps");
}

// The network is asked once for each unknown dim of a row, or for each of fewer steps; where
// completions are weighed, for each of them, and to score it once more.
double OrderSampling::block_seconds() const {
  if (settings_.infill == Infill::exact) return 0;
  single_threaded_kernels();
  const std::int64_t count = model_.model_info().block;
  const Block block = start(0, count, Rng(1));
  double looks = 0;
  for (std::size_t i = 0; i < block.x.size(); ++i)
    looks += block.x[i] != absent && block.seen[i] == 0 ? 1 : 0;
  if (const std::int64_t steps = settings_.sampler.parallel_steps; steps > 0)
    looks = std::min(looks, static_cast<double>(steps * count));
  if (settings_.infill == Infill::sir)
    looks *= 2 * static_cast<double>(settings_.particles.value_or(usual_particles));
  const auto shown = static_cast<std::size_t>(std::min(states_at_once(model_.predictor()), count) *
                                              model_.dims()),
             rows = shown / at(model_.dims());
  const States states{std::span(block.x).first(shown), std::span(block.seen).first(shown)};
  Looks said;
  model_.predictor().look(states, said);  // the first takes longer
  double least = std::numeric_limits<double>::infinity();
  for (double tried = 0; tried < trial_seconds;) {
    const double began = wall_seconds();
    model_.predictor().look(states, said);
    const double seconds = wall_seconds() - began;
    least = std::min(least, seconds);
    tried += std::max(seconds, 1e-6);
  }
  return least * looks / static_cast<double>(rows);
}

SampleChunk OrderSampling::make(std::int64_t first, std::int64_t last, Rng rng) const {
  single_threaded_kernels();
  // The whole block, so that what a sample is does not depend on how many are asked for.
  const std::int64_t count = model_.model_info().block, dims = model_.dims();
  Block block = start(first, count, rng);
  std::optional<TracedSteps> trace;
  OrderSampler::Watch watch;
  if (settings_.trace == OrderTrace::all) watch.told = Told::all;
  if (settings_.trace != OrderTrace::none)
    trace.emplace(samples(), model_.form(), block.x, watch.told);
  if (trace) watch.tell = [&](const SampledStep& step) { trace->add(step); };
  if (settings_.infill != Infill::policy) fill_by_joint(block, first, last - first, rng);
  else
    OrderSampler(model_.predictor(), rule(), settings_.sampler)
        .run({.x = block.x, .seen = block.seen}, rng, first, watch);
  SampleChunk chunk;
  const DatasetInfo info = row_info(samples());
  chunk.rows.count = last - first;
  chunk.rows.x.resize(at(last - first) * info.row_bytes());
  chunk.rows.length.resize(info.has_lengths ? at(last - first) : 0);
  for (std::int64_t i = 0; i < last - first; ++i)
    model_.reader().store(info, std::span(block.x).subspan(at(i * dims), at(dims)), i, chunk.rows);
  if (trace) trace->append_to(chunk.codes, last - first);
  return chunk;
}

}  // namespace

void SamplingSettings::describe(Fields& fields) {
  fields.add("top-p", sampler.top_p, "draw from the likeliest values that make up this share")
      .range(0, 1)
      .rank(Rank::manual);
  fields.add("policy-top-p", sampler.policy_top_p, "the same of the dim that comes next")
      .range(0, 1)
      .rank(Rank::manual);
  fields.add("temperature", sampler.temperature, "of values: below 1 the likely get likelier")
      .range(0, 1000)
      .rank(Rank::manual);
  fields.add("policy-temperature", sampler.policy_temperature, "of the dim that comes next")
      .range(0, 1000)
      .rank(Rank::manual);
  fields
      .add("policy-override", policy,
           {{"own", PolicyOverride::own, "by the model"},
            {"uniform", PolicyOverride::uniform, "any, all alike"},
            {"biased", PolicyOverride::biased, "bonds before atoms"}},
           "which dim comes next: by the model, any alike, or bonds before atoms")
      .rank(Rank::manual);
  fields
      .add("parallel-steps", sampler.parallel_steps,
           "draw several dims at once, as if independent: so many steps; 0: one by one")
      .at_least(0)
      .rank(Rank::manual);
  fields
      .add(
          "infill", infill,
          {{"policy", Infill::policy, "by the model's own steps, given what is known"},
           {"exact", Infill::exact, "as p(x) has it: every completion is weighed, for few of them"},
           {"sir", Infill::sir, "nearly so: some completions are weighed"}},
          "of --given: by the model's own steps, or as p(x) has it, exactly or by weights")
      .rank(Rank::manual);
  fields.add("particles", particles, "completions that are weighed for each draw")
      .range(1, 1 << 16)
      .when({[this] { return infill == Infill::sir; }, "--infill sir"})
      .shows_default("64")
      .rank(Rank::manual);
  fields
      .add("order-trace", trace,
           {{"none", OrderTrace::none, "nothing"},
            {"steps", OrderTrace::steps, "order, values, and how sure each step was"},
            {"all", OrderTrace::all,
             "the whole policy of each step, too, and how sure every value was"}},
           "keep order, values and how sure each step was; all: the whole policy, too")
      .when({[this] { return infill == Infill::policy; }, "--infill policy"})
      .rank(Rank::manual);
  fields.add("n-atoms", atoms, "of molecules, how many: N, or A to B alike; else as in training")
      .metavar("N|A:B")
      .shows_default("as in training")
      .rank(Rank::manual);
}

std::unique_ptr<SamplingPlan> make_sampling(const OrderModel& model) {
  return std::make_unique<OrderSampling>(model);
}

}  // namespace logpx::arm
