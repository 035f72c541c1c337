// Two ranks in one process, each on a thread of its own: what mpirun -n 2 does, for unit tests.
//
//   RankPair pair;
//   std::thread other([&] { train(pair.rank(1)); });
//   train(pair.rank(0));
#pragma once

#include "libcore/train/ranks.hpp"

#include <algorithm>
#include <array>
#include <barrier>
#include <cstddef>
#include <cstdlib>
#include <span>
#include <vector>

namespace logpx::testing {

class RankPair {
 public:
  RankPair() : ranks_{Rank(*this, 0), Rank(*this, 1)} {}
  [[nodiscard]] Ranks& rank(int index) { return ranks_[static_cast<std::size_t>(index)]; }

 private:
  class Rank final : public Ranks {
   public:
    Rank(RankPair& pair, int index) : pair_(pair), index_(index) {}
    [[nodiscard]] int rank() const override { return index_; }
    [[nodiscard]] int size() const override { return 2; }
    void sum(std::span<float> values) override { add(values); }
    void sum(std::span<double> values) override { add(values); }
    void broadcast(std::span<std::byte> bytes) override {
      const auto both = pair_.exchange(index_, bytes);
      if (index_ == 1) std::ranges::copy(both[0], bytes.begin());
      pair_.meet_.arrive_and_wait();
    }
    [[noreturn]] void end_all(int) override { std::abort(); }

   private:
    template <typename T>
    void add(std::span<T> values) {
      const auto both = pair_.exchange(index_, std::as_writable_bytes(values));
      const auto part = [&](std::size_t rank) {
        return reinterpret_cast<const T*>(both[rank].data());
      };
      std::vector<T> sums(values.size());
      for (std::size_t i = 0; i < sums.size(); ++i) sums[i] = part(0)[i] + part(1)[i];
      pair_.meet_.arrive_and_wait();  // both have read before either writes
      std::ranges::copy(sums, values.begin());
      pair_.meet_.arrive_and_wait();
    }

    RankPair& pair_;
    int index_;
  };

  // What both have, once both are here.
  std::array<std::span<std::byte>, 2> exchange(int index, std::span<std::byte> mine) {
    shared_[static_cast<std::size_t>(index)] = mine;
    meet_.arrive_and_wait();
    return shared_;
  }

  std::barrier<> meet_{2};
  std::array<std::span<std::byte>, 2> shared_;
  std::array<Rank, 2> ranks_;
};

}  // namespace logpx::testing
