// Ranks in one process, each on a thread of its own: what mpirun does, for unit tests.
//
//   RankThreads ranks(2);
//   ranks.run([&](Ranks& own) { train(own); });
#pragma once

#include "libcore/train/ranks.hpp"

#include <algorithm>
#include <barrier>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <span>
#include <thread>
#include <vector>

namespace logpx::testing {

class RankThreads {
 public:
  explicit RankThreads(int count) : meet_(count) {
    for (int index = 0; index < count; ++index) ranks_.emplace_back(*this, index);
  }
  // On every rank at once.
  void run(const std::function<void(Ranks&)>& work) {
    std::vector<std::thread> others;
    for (std::size_t index = 1; index < ranks_.size(); ++index)
      others.emplace_back([&, index] { work(ranks_[index]); });
    work(ranks_[0]);
    for (std::thread& other : others) other.join();
  }
  // What a rank has given to others so far.
  [[nodiscard]] std::size_t bytes_of(int index) const { return ranks_[place(index)].given; }

 private:
  class Rank final : public Ranks {
   public:
    Rank(RankThreads& all, int index) : all_(&all), index_(index) {}
    [[nodiscard]] int rank() const override { return index_; }
    [[nodiscard]] int size() const override { return static_cast<int>(all_->ranks_.size()); }
    void broadcast(std::span<std::byte> bytes) override {
      offered = bytes;
      all_->meet_.arrive_and_wait();
      if (index_ != 0) std::ranges::copy(all_->ranks_[0].offered, bytes.begin());
      all_->meet_.arrive_and_wait();
    }
    [[noreturn]] void end_all(int) override { std::abort(); }

    std::span<const std::byte> offered = {};
    std::size_t given = 0;

   protected:
    // Every rank exchanges at the same time, with one that exchanges with it.
    void exchange(int neighbour, std::span<const std::byte> mine,
                  std::span<std::byte> theirs) override {
      offered = mine;
      given += mine.size();
      all_->meet_.arrive_and_wait();
      const std::span<const std::byte> from = all_->ranks_[place(neighbour)].offered;
      if (from.size() != theirs.size()) std::abort();
      std::ranges::copy(from, theirs.begin());
      all_->meet_.arrive_and_wait();
    }

   private:
    RankThreads* all_;
    int index_;
  };
  static std::size_t place(int index) { return static_cast<std::size_t>(index); }

  std::barrier<> meet_;
  std::vector<Rank> ranks_;
};

}  // namespace logpx::testing
