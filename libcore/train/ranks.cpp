#include "libcore/train/ranks.hpp"

#include "libcore/base/error.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <vector>

#if LOGPX_HAVE_MPI
#include <mpi.h>
#endif

namespace logpx {
namespace {

class OneRank final : public Ranks {
 public:
  [[nodiscard]] int rank() const override { return 0; }
  [[nodiscard]] int size() const override { return 1; }
  void sum(std::span<float>) override {}
  void sum(std::span<double>) override {}
  void broadcast(std::span<std::byte>) override {}
  void end_all(int exit_code) override { std::exit(exit_code); }
};

// What launchers set for their children: of Open MPI and of PMIx.
bool launched() {
  return std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr || std::getenv("PMIX_RANK") != nullptr;
}

#if LOGPX_HAVE_MPI

constexpr std::size_t piece_bytes = 1 << 20;

void succeed(int status, const char* what) {
  if (status != MPI_SUCCESS) fail(ErrorKind::io, "MPI", std::string(what) + " failed");
}

class MpiRanks final : public Ranks {
 public:
  MpiRanks() : buffer_(piece_bytes) {
    succeed(MPI_Init(nullptr, nullptr), "start");
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }
  // An exception on one rank alone would leave the others waiting in a sum for ever.
  ~MpiRanks() override {
    if (std::uncaught_exceptions() > 0) return;
    MPI_Finalize();
  }
  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return size_; }
  void sum(std::span<float> values) override { sum_all(values); }
  void sum(std::span<double> values) override { sum_all(values); }
  void broadcast(std::span<std::byte> bytes) override {
    for (std::size_t begin = 0; begin < bytes.size(); begin += piece_bytes) {
      const std::size_t count = std::min(piece_bytes, bytes.size() - begin);
      succeed(MPI_Bcast(bytes.data() + begin, static_cast<int>(count), MPI_BYTE, 0, MPI_COMM_WORLD),
              "broadcast");
    }
  }
  void end_all(int exit_code) override {
    MPI_Abort(MPI_COMM_WORLD, exit_code);
    std::abort();
  }

 private:
  template <typename T>
  void sum_all(std::span<T> values) {
    const std::size_t piece = piece_bytes / sizeof(T);
    for (int distance = 1; distance < size_; distance *= 2)
      for (std::size_t begin = 0; begin < values.size(); begin += piece)
        sum_with(rank_ ^ distance, values.subspan(begin, std::min(piece, values.size() - begin)));
  }
  template <typename T>
  void sum_with(int neighbour, std::span<T> mine) {
    const int bytes = static_cast<int>(mine.size_bytes());
    succeed(MPI_Sendrecv(mine.data(), bytes, MPI_BYTE, neighbour, 0, buffer_.data(), bytes,
                         MPI_BYTE, neighbour, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
            "exchange");
    const T* theirs = reinterpret_cast<const T*>(buffer_.data());
    for (std::size_t i = 0; i < mine.size(); ++i)
      mine[i] = rank_ < neighbour ? mine[i] + theirs[i] : theirs[i] + mine[i];
  }

  int rank_ = 0, size_ = 1;
  std::vector<std::byte> buffer_;
};

#endif

}  // namespace

void Ranks::require_same(const std::string& what, const std::string& text) {
  std::vector<std::byte> first(text.size());
  std::transform(text.begin(), text.end(), first.begin(), [](char c) { return std::byte(c); });
  double length[1] = {static_cast<double>(text.size())};
  const std::vector<std::byte> mine = first;
  broadcast(std::as_writable_bytes(std::span(length)));
  first.resize(static_cast<std::size_t>(length[0]));
  broadcast(first);
  double different[1] = {mine == first ? 0.0 : 1.0};
  sum(std::span<double>(different));
  if (different[0] > 0) fail(ErrorKind::data, what, "differs between the ranks of this run");
}

std::string Ranks::first_text(const std::string& mine) {
  std::vector<double> lengths(static_cast<std::size_t>(size()));
  lengths[static_cast<std::size_t>(rank())] = static_cast<double>(mine.size());
  sum(std::span(lengths));
  const auto found = std::find_if(lengths.begin(), lengths.end(), [](double n) { return n > 0; });
  if (found == lengths.end()) return "";
  std::vector<double> letters(static_cast<std::size_t>(*found));
  if (rank() == found - lengths.begin()) std::copy(mine.begin(), mine.end(), letters.begin());
  sum(std::span(letters));
  std::string text;
  for (const double letter : letters) text.push_back(static_cast<char>(letter));
  return text;
}

std::unique_ptr<Ranks> one_rank() { return std::make_unique<OneRank>(); }

std::unique_ptr<Ranks> join_ranks() {
  if (!launched()) return one_rank();
#if LOGPX_HAVE_MPI
  auto ranks = std::make_unique<MpiRanks>();
  if (!std::has_single_bit(static_cast<unsigned>(ranks->size())))
    fail(ErrorKind::usage, "mpirun -n " + std::to_string(ranks->size()),
         "the number of ranks must be a power of two", "mpirun -n 2");
  return ranks;
#else
  const char* size = std::getenv("OMPI_COMM_WORLD_SIZE");
  if (size != nullptr && std::atoi(size) > 1)
    fail(ErrorKind::usage, "mpirun", "this build has no MPI", "run it without mpirun");
  return one_rank();
#endif
}

std::string mpi_version() {
#if LOGPX_HAVE_MPI
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  MPI_Get_library_version(text, &length);
  const std::string whole(text, static_cast<std::size_t>(length));
  return whole.substr(0, whole.find(','));
#else
  return "";
#endif
}

}  // namespace logpx
