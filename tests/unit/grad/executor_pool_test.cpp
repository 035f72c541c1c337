#include "libcore/grad/executor_pool.hpp"

#include "libcore/base/parallel.hpp"
#include "libcore/grad/ops_pointwise.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <optional>
#include <vector>

namespace logpx::executor_pool_test {
namespace {

// y = x^2 of [rows, extent + 1]; counts the graphs that are built.
struct Squares {
  std::atomic<int> built = 0;
  ExecutorPool pool{[this](std::int64_t rows, std::int64_t extent) {
                      ++built;
                      auto graph = std::make_unique<Graph>();
                      graph->output("y", square(graph->input("x", {rows, extent + 1})));
                      return graph;
                    },
                    {.from = "y", .inputs = {"x"}}};
};

const Executor<float>* address_of(ExecutorPool& pool, GraphSize size) {
  const ExecutorPool::Loan loan = pool.lend(size);
  return &loan.executor();
}

}  // namespace

TEST_CASE("executor pool: what is given back is lent again, and two loans are two executors") {
  Squares squares;
  const Executor<float>* first = address_of(squares.pool, {3});
  CHECK(address_of(squares.pool, {3}) == first);
  const ExecutorPool::Loan one = squares.pool.lend({3}), two = squares.pool.lend({3});
  CHECK(&one.executor() != &two.executor());
  CHECK(squares.built == 1);
  one.inputs().values("x")[2] = 5;
  one.executor().forward();
  CHECK(one.executor().output("y")[2] == 25);
  one.executor().backward();
  CHECK(one.executor().gradient("x")[2] == 10);
}

TEST_CASE("executor pool: a size is rows and extent") {
  Squares squares;
  CHECK(squares.pool.lend({2, 3}).inputs().values("x").size() == 8);
  CHECK(squares.pool.lend({2, 5}).inputs().values("x").size() == 12);
  CHECK(squares.built == 2);
  CHECK(squares.pool.arena_bytes({2, 5}) > squares.pool.arena_bytes({2, 3}));
}

TEST_CASE("executor pool: the last four sizes are kept") {
  Squares squares;
  for (const std::int64_t rows : {1, 2, 3, 4, 1, 5}) (void)squares.pool.lend({rows});
  CHECK(squares.built == 5);
  for (const std::int64_t rows : {1, 3, 4, 5}) (void)squares.pool.lend({rows});
  CHECK(squares.built == 5);
  (void)squares.pool.lend({2});  // was used longest ago
  CHECK(squares.built == 6);
}

TEST_CASE("executor pool: any number of sizes is kept within the bytes that are allowed") {
  Squares squares;
  std::int64_t all = 0;
  for (std::int64_t rows = 1; rows <= 9; ++rows) all += squares.pool.arena_bytes({rows});
  squares.pool.keep_within(all);
  const auto lend_all = [&] {
    const int before = squares.built;
    for (std::int64_t rows = 1; rows <= 9; ++rows) (void)squares.pool.lend({rows});
    return squares.built - before;
  };
  CHECK(lend_all() == 9);
  CHECK(lend_all() == 0);
  squares.pool.keep_within(squares.pool.arena_bytes({9}));  // what is there goes when more is made
  (void)squares.pool.lend({10});
  CHECK(lend_all() == 9);
  // A loan is never refused, nor taken away.
  const ExecutorPool::Loan held = squares.pool.lend({20});
  (void)lend_all();
  CHECK(held.inputs().values("x").size() == 20);
}

TEST_CASE("executor pool: graphs are built anew once it is cleared, and loans outlive that") {
  Squares squares;
  (void)squares.pool.lend({3});
  squares.pool.clear();
  (void)squares.pool.lend({3});
  CHECK(squares.built == 2);
  {
    const ExecutorPool::Loan held = squares.pool.lend({3});
    squares.pool.clear();
    held.inputs().values("x")[0] = 3;
    held.executor().forward();
    CHECK(held.executor().output("y")[0] == 9);
    CHECK(address_of(squares.pool, {3}) != &held.executor());
    CHECK(squares.built == 3);
  }
  (void)squares.pool.lend({3});
  CHECK(squares.built == 3);
}

TEST_CASE("executor pool: a loan may be moved, and ends once") {
  Squares squares;
  std::optional<ExecutorPool::Loan> kept(squares.pool.lend({3}));
  const Executor<float>* lent = &kept->executor();
  ExecutorPool::Loan moved = std::move(*kept);
  kept.reset();
  CHECK(&moved.executor() == lent);
  CHECK(address_of(squares.pool, {3}) != lent);
  moved = squares.pool.lend({4});
  CHECK(address_of(squares.pool, {3}) == lent);
}

TEST_CASE("executor pool: many threads borrow at once") {
  Squares squares;
  Workers workers(4);
  std::vector<float> squared(64);
  workers.run(64, [&](std::int64_t i) {
    const ExecutorPool::Loan loan = squares.pool.lend({1 + i % 6});
    loan.inputs().values("x")[0] = static_cast<float>(i);
    loan.executor().forward();
    squared[static_cast<std::size_t>(i)] = loan.executor().output("y")[0];
  });
  for (std::size_t i = 0; i < 64; ++i) CHECK(squared[i] == static_cast<float>(i * i));
}

}  // namespace logpx::executor_pool_test
