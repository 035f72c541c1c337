// The processes of one run. Alone, or under mpirun with Open MPI: then every rank holds the same
// parameters, works on its share of the shards, and sums in the tree that one process would use.
// [train/README 3.5]
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace logpx {

class Ranks {
 public:
  virtual ~Ranks() = default;
  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int size() const = 0;
  [[nodiscard]] bool first() const { return rank() == 0; }

  // Elementwise over all ranks, in the tree of stride 1, 2, 4 ...: everyone has the sum.
  void sum(std::span<float> values);
  void sum(std::span<double> values);
  // From rank 0 to all.
  virtual void broadcast(std::span<std::byte> bytes) = 0;
  // Ends all ranks at once: for the rank that failed alone.
  [[noreturn]] virtual void end_all(int exit_code) = 0;

  // A data error unless all ranks say the same: settings, hashes, versions.
  void require_same(const std::string& what, const std::string& text);
  // The text of the lowest rank that has one; everyone gets it.
  [[nodiscard]] std::string first_text(const std::string& mine);

  static constexpr std::size_t piece_bytes = 1 << 20;  // the most that is exchanged at once

 protected:
  // Gives bytes to another rank while it takes as many as that one gives; each of the two calls it.
  virtual void exchange(int neighbour, std::span<const std::byte> mine,
                        std::span<std::byte> theirs) = 0;

 private:
  template <typename T>
  void sum_all(std::span<T> values);
  template <typename T>
  void sum_whole(std::span<T> values);
  template <typename T>
  void sum_in_parts(std::span<T> values, int distance);
  template <typename T>
  void add_theirs(int neighbour, std::span<const T> given, std::span<T> kept);
  template <typename T>
  void swap(int neighbour, std::span<const T> mine, std::span<T> theirs);

  std::vector<std::byte> buffer_;  // of a piece
};

// This process alone, under mpirun too: for what every rank computes by itself.
[[nodiscard]] std::unique_ptr<Ranks> one_rank();
// MPI is initialised only when a launcher's environment is there. More than one rank without MPI in
// the build, or a number of ranks that is no power of two, is a usage error.
[[nodiscard]] std::unique_ptr<Ranks> join_ranks();
[[nodiscard]] std::string mpi_version();  // "" without MPI

}  // namespace logpx
