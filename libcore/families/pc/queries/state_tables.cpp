#include "libcore/families/pc/queries/state_tables.hpp"

#include "libcore/base/index.hpp"

#include <numeric>

namespace logpx::pc {

template <typename T>
StateTables<T>::StateTables(const Circuit& chain, const Columns& columns,
                            std::vector<double>& tables)
    : tables_(tables) {
  const std::int64_t states = chain.blocks[at(chain.carried)].size;
  tables.assign(at(columns.count * columns.steps * states), 0);
}

template <typename T>
void StateTables<T>::visit(const Work<T>& work, int b, const StepView& view) {
  if (b == work.plan.circuit().carried) {
    const Message<T>& message = work.of(b);
    const std::int64_t states = work.plan.block(b).size;
    for (std::int64_t c = 0; c < work.columns; ++c) {
      const auto q =
          std::span(tables_).subspan(at((c * view.columns.steps + view.step) * states), at(states));
      for (std::int64_t j = 0; j < states; ++j)
        q[at(j)] = static_cast<double>(message.slope[at(j * work.columns + c)]) *
                   static_cast<double>(message.y[j * work.columns + c]);
      const double total = std::accumulate(q.begin(), q.end(), 0.0);
      if (total > 0)
        for (double& p : q) p /= total;
    }
  }
  Slopes<T>::visit(work, b, view);
}

template class StateTables<float>;
template class StateTables<double>;

}  // namespace logpx::pc
