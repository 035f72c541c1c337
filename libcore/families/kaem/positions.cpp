#include "libcore/families/kaem/positions.hpp"

#include "libcore/base/index.hpp"
#include "libcore/families/kaem/model.hpp"
#include "libcore/math/blas.hpp"
#include "libcore/model/latent_decoder.hpp"

#include <algorithm>
#include <vector>

namespace logpx::kaem {
namespace {

void name_position(Graph& graph, const NextPosition& next) {
  graph.output("next_state", next.state);
  if (next.key) graph.output("key", *next.key);
  if (next.value) graph.output("value", *next.value);
  name_heads(graph, next.numbers);
}

std::unique_ptr<Graph> first_graph(const KaemModel& model, std::int64_t rows) {
  auto graph = std::make_unique<Graph>();
  const Var s = graph->input("s", {rows, model.prior_form().n_q});
  name_position(*graph, model.generator().first_position(model.param_set(), s));
  return graph;
}

std::unique_ptr<Graph> next_graph(const KaemModel& model, std::int64_t rows) {
  auto graph = std::make_unique<Graph>();
  const std::int64_t width = model.generator().state_width(),
                     before = std::max(model.dims() - 1, std::int64_t{1});
  const KnownPositions known{.state = graph->input("state", {rows, width}),
                             .keys = graph->input("keys", {rows, before, width}),
                             .values = graph->input("values", {rows, before, width}),
                             .seen = graph->input("seen", {rows, before + 1}),
                             .tokens = graph->index_input("tokens", {rows})};
  name_position(*graph, model.generator().next_position(model.param_set(), known));
  return graph;
}

}  // namespace

PositionDecoder::PositionDecoder(const KaemModel& model, const Numerics& numerics)
    : model_(model),
      first_([&model](std::int64_t rows, std::int64_t) { return first_graph(model, rows); },
             {.numerics = numerics}),
      next_([&model](std::int64_t rows, std::int64_t) { return next_graph(model, rows); },
            {.numerics = numerics}) {}

// One way from the first position to the last.
class PositionDecoder::Walk {
 public:
  Walk(const KaemModel& model, std::int64_t rows) : rows_(rows), dims_(model.dims()) {
    for (const HeadForm& form : model.likelihood().heads()) {
      all_.emplace_back(form.shared ? 1 : at(rows * dims_ * form.per_dim));
      shared_.push_back(form.shared);
    }
  }

  // Takes the heads of a position, and has a symbol chosen for each row.
  void choose(std::int64_t position, const Executor<float>& run, const Choose& choose,
              std::span<std::int32_t> symbols) {
    for (std::size_t h = 0; h < all_.size(); ++h) {
      const std::span<const float> found = run.output(output_of_head(h)).span();
      if (shared_[h]) {
        all_[h][0] = found[0];
        continue;
      }
      const std::size_t own = found.size() / at(rows_), whole = own * at(dims_);
      for (std::size_t row = 0; row < at(rows_); ++row)
        std::ranges::copy(found.subspan(row * own, own),
                          all_[h].begin() + offset(row * whole + at(position) * own));
    }
    for (std::int64_t row = 0; row < rows_; ++row)
      symbols[at(row)] = choose(row, position, heads_of(row));
  }

  // Numbers of a position [n,C] among those of all before the last [n,T,C].
  void keep(std::int64_t position, std::span<const float> found, std::span<float> all) const {
    const std::size_t own = found.size() / at(rows_), whole = all.size() / at(rows_);
    for (std::size_t row = 0; row < at(rows_); ++row)
      std::ranges::copy(found.subspan(row * own, own),
                        all.begin() + offset(row * whole + at(position) * own));
  }

 private:
  static std::ptrdiff_t offset(std::size_t place) { return static_cast<std::ptrdiff_t>(place); }
  [[nodiscard]] Likelihood::HeadValues heads_of(std::int64_t row) const {
    Likelihood::HeadValues heads;
    for (std::size_t h = 0; h < all_.size(); ++h) {
      const std::span<const float> all = all_[h];
      const std::size_t own = shared_[h] ? 1 : all.size() / at(rows_);
      heads.push_back(all.subspan(shared_[h] ? 0 : at(row) * own, own));
    }
    return heads;
  }

  std::int64_t rows_, dims_;
  std::vector<std::vector<float>> all_;
  std::vector<bool> shared_;
};

void PositionDecoder::go(std::span<const float> theta, std::span<const float> s,
                         const Choose& choose) const {
  single_threaded_kernels();
  const std::int64_t rows = std::ssize(s) / model_.prior_form().n_q, dims = model_.dims();
  Walk walk(model_, rows);
  const ExecutorPool::Loan first = first_.lend({rows}), next = next_.lend({rows});
  GraphInputs& inputs = next.inputs();
  const auto run = [&](const ExecutorPool::Loan& loan, std::int64_t position) {
    loan.executor().bind_parameters(theta);
    loan.executor().forward();
    walk.choose(position, loan.executor(), choose, inputs.indices("tokens"));
    const std::span<const float> state = loan.executor().output("next_state").span();
    std::ranges::copy(state, inputs.values("state").begin());
  };
  for (const char* const name : {"keys", "values", "seen"})
    std::ranges::fill(inputs.values(name), 0.0F);
  const auto see = [rows, seen = inputs.values("seen")](std::int64_t place) {
    const std::int64_t places = std::ssize(seen) / rows;
    for (std::int64_t row = 0; row < rows; ++row) seen[at(row * places + place)] = 1;
  };
  see(std::ssize(inputs.values("seen")) / rows - 1);
  std::ranges::copy(s, first.inputs().values("s").begin());
  run(first, 0);
  for (std::int64_t position = 1; position < dims; ++position) {
    run(next, position);
    if (position == dims - 1) break;
    walk.keep(position - 1, next.executor().output("key").span(), inputs.values("keys"));
    walk.keep(position - 1, next.executor().output("value").span(), inputs.values("values"));
    see(position - 1);
  }
}

}  // namespace logpx::kaem
