#include "libcore/families/pc/growing/occupancy.hpp"

#include "libcore/base/index.hpp"
#include "libcore/families/pc/passes/slopes.hpp"
#include "libcore/math/blas.hpp"

#include <algorithm>

namespace logpx::pc {
namespace {

// Nodes of a sum's children, one child behind the other.
std::vector<std::pair<int, std::int64_t>> inputs_of(const Circuit& circuit, const Block& block) {
  std::vector<std::pair<int, std::int64_t>> inputs;
  for (const int child : block.children)
    for (std::int64_t i = 0; i < circuit.blocks[at(child)].size; ++i) inputs.emplace_back(child, i);
  return inputs;
}

// Every path through a sum passes its first layer once.
void add_inputs(const PassPlan& plan, const Latents& latents, int b, std::span<const double> counts,
                Occupancy& all) {
  const MonarchLayer& layer = plan.form(b).layers()[0];
  const auto inputs = inputs_of(plan.circuit(), plan.block(b));
  const double* count = plan.values(b, 0, counts);
  for (std::int64_t r = 0; r < layer.blocks; ++r)
    for (std::int64_t j = 0; j < layer.m; ++j)
      for (std::int64_t i = 0; i < layer.n; ++i) {
        const auto [child, node] = inputs[at(layer.in_row(r, i))];
        all[at(latents.of_block[at(child)])][at(node)] += *count++;
      }
}

void add_mixed(const PassPlan& plan, const Latents& latents, int b, std::span<const double> counts,
               Occupancy& all) {
  const double* count = plan.values(b, 0, counts);
  for (std::int64_t j = 0; j < plan.block(b).size; ++j)
    for (const int child : plan.block(b).children)
      all[at(latents.of_block[at(child)])][at(j)] += *count++;
}

// A pair of states is one of each.
void part_pairs(const Circuit& circuit, const Latents& latents, int b, Occupancy& all) {
  const std::vector<double> pairs = all[at(latents.of_block[at(b)])];
  auto inner = std::ssize(pairs);
  for (const int child : circuit.blocks[at(b)].children) {
    const std::int64_t states = circuit.blocks[at(child)].size;
    inner /= states;
    for (std::int64_t pair = 0; pair < std::ssize(pairs); ++pair)
      all[at(latents.of_block[at(child)])][at(pair / inner % states)] += pairs[at(pair)];
  }
}

}  // namespace

Occupancy occupancy_of(const PassPlan& plan, const Latents& latents,
                       std::span<const double> counts) {
  Occupancy all;
  for (const Latent& latent : latents.all) all.emplace_back(at(latent.states), 0.0);
  std::vector<int> order = children_first(plan.circuit(), plan.circuit().root);
  for (int b = 0; b < static_cast<int>(plan.circuit().blocks.size()); ++b) {
    if (plan.block(b).tied_to >= 0) continue;
    if (plan.block(b).kind == BlockKind::sum) add_inputs(plan, latents, b, counts, all);
    if (plan.block(b).kind == BlockKind::mixing) add_mixed(plan, latents, b, counts, all);
  }
  std::ranges::reverse(order);
  for (const int b : order)
    if (latents.at_block(b).joint == b) part_pairs(plan.circuit(), latents, b, all);
  return all;
}

Occupancy occupancy_of(const PcModel& model, const Latents& latents, const Examples& rows) {
  single_threaded_kernels();
  const std::int64_t count = std::min(rows.rows.count, most_occupancy_rows),
                     at_once = std::max<std::int64_t>(1, 128 / model.circuit().styles);
  const std::span<const float> theta = model.param_set().block();
  std::vector<float> slopes(theta.size());
  std::vector<double> counts(theta.size()), nats(at(at_once));
  const Passes::Loan loan = model.passes().lend();
  for (std::int64_t first = 0; first < count; first += at_once) {
    std::vector<std::int64_t> numbers;
    for (std::int64_t i = first; i < std::min(count, first + at_once); ++i)
      numbers.push_back(i * rows.rows.count / count);
    model.rows().take(rows, numbers, evaluation_noise(model.rows().rules()), loan.columns());
    std::ranges::fill(slopes, 0.0F);
    loan.pass().add_slopes(theta, loan.columns(), nats, slopes);
    for (std::size_t i = 0; i < counts.size(); ++i)
      counts[i] += static_cast<double>(slopes[i]) * static_cast<double>(theta[i]);
  }
  return occupancy_of(model.plan(), latents, counts);
}

}  // namespace logpx::pc
