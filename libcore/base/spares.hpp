// Memory that one thread uses at a time: made when none is idle, and kept for the next user.
//
//   Spares<std::vector<double>> lines;
//   const auto line = lines.lend();
//   line->resize(100);
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace logpx {

template <typename T>
class Spares {
 public:
  class Loan {
   public:
    explicit Loan(Spares& spares) : spares_(spares), lent_(spares.take()) {}
    ~Loan() { spares_.give_back(std::move(lent_)); }
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;
    [[nodiscard]] T& operator*() const { return *lent_; }
    [[nodiscard]] T* operator->() const { return lent_.get(); }

   private:
    Spares& spares_;
    std::unique_ptr<T> lent_;
  };
  [[nodiscard]] Loan lend() { return Loan(*this); }

 private:
  std::unique_ptr<T> take() {
    const std::lock_guard lock(mutex_);
    if (idle_.empty()) return std::make_unique<T>();
    std::unique_ptr<T> last = std::move(idle_.back());
    idle_.pop_back();
    return last;
  }
  void give_back(std::unique_ptr<T> lent) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(lent));
  }

  std::mutex mutex_;
  std::vector<std::unique_ptr<T>> idle_;
};

}  // namespace logpx
