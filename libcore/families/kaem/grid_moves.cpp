#include "libcore/families/kaem/grid_moves.hpp"
namespace logpx::kaem {
GridMoves::GridMoves(KaemModel& model, const FitOptions& options)
    : model_(model),
      options_(options),
      calendar_(options.grid_every, options.grid_decay),
      shown_([](std::int64_t, std::int64_t) { return std::make_unique<Graph>(); }, {}) {}
void GridMoves::after(const StepPlace&, ImportanceTraining&, Optimizer*) {}
std::vector<TensorRef> GridMoves::state() { return {TensorRef::of("grid_facts", facts_)}; }
}  // namespace logpx::kaem
