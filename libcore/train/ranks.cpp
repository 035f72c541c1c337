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
  void broadcast(std::span<std::byte>) override {}
  void end_all(int exit_code) override { std::exit(exit_code); }

 protected:
  void exchange(int, std::span<const std::byte>, std::span<std::byte>) override {}
};

// What launchers set for their children: of Open MPI and of PMIx.
bool launched() {
  return std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr || std::getenv("PMIX_RANK") != nullptr;
}

#if LOGPX_HAVE_MPI

void succeed(int status, const char* what) {
  if (status != MPI_SUCCESS) fail(ErrorKind::io, "MPI", std::string(what) + " failed");
}

class MpiRanks final : public Ranks {
 public:
  MpiRanks() {
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

 protected:
  void exchange(int neighbour, std::span<const std::byte> mine,
                std::span<std::byte> theirs) override {
    succeed(MPI_Sendrecv(mine.data(), static_cast<int>(mine.size()), MPI_BYTE, neighbour, 0,
                         theirs.data(), static_cast<int>(theirs.size()), MPI_BYTE, neighbour, 0,
                         MPI_COMM_WORLD, MPI_STATUS_IGNORE),
            "exchange");
  }

 private:
  int rank_ = 0, size_ = 1;
};

#endif

// Sums of fewer bytes are exchanged whole: what they cost are messages, not bytes.
constexpr std::size_t whole_bytes = 1 << 13;

// Pieces of two spans at a time; where one is shorter, its last pieces are empty.
template <typename A, typename B, typename Use>
void in_pieces(std::span<A> a, std::span<B> b, Use use) {
  const std::size_t piece = Ranks::piece_bytes / sizeof(A);
  const auto part = [piece](auto all, std::size_t begin) {
    const std::size_t first = std::min(begin, all.size());
    return all.subspan(first, std::min(piece, all.size() - first));
  };
  for (std::size_t begin = 0; begin < std::max(a.size(), b.size()); begin += piece)
    use(part(a, begin), part(b, begin));
}

}  // namespace

void Ranks::sum(std::span<float> values) { sum_all(values); }
void Ranks::sum(std::span<double> values) { sum_all(values); }

template <typename T>
void Ranks::sum_all(std::span<T> values) {
  if (size() == 1) return;
  buffer_.resize(std::max(buffer_.size(), std::min(piece_bytes, values.size_bytes())));
  if (values.size_bytes() <= whole_bytes) sum_whole(values);
  else sum_in_parts(values, 1);
}

// By recursive doubling: log2 R messages.
template <typename T>
void Ranks::sum_whole(std::span<T> values) {
  for (int distance = 1; distance < size(); distance *= 2)
    add_theirs(rank() ^ distance, std::span<const T>(values), values);
}

// By recursive halving and gathering: 2 log2 R messages, which hold less than twice the values
// together. Of two neighbours the lower one sums up the first half of what both have, the upper one
// the second, each with those further away; then each has the other's half.
template <typename T>
void Ranks::sum_in_parts(std::span<T> values, int distance) {
  if (distance == size()) return;
  const int neighbour = rank() ^ distance;
  const std::size_t half = values.size() / 2;
  const std::span<T> first = values.first(half), second = values.subspan(half);
  const auto [own, other] =
      rank() < neighbour ? std::pair(first, second) : std::pair(second, first);
  add_theirs(neighbour, std::span<const T>(other), own);
  sum_in_parts(own, 2 * distance);
  swap(neighbour, std::span<const T>(own), other);
}

// Adds what a neighbour gives to what is kept.
template <typename T>
void Ranks::add_theirs(int neighbour, std::span<const T> given, std::span<T> kept) {
  const bool lower = rank() < neighbour;
  in_pieces(given, kept, [&](std::span<const T> mine, std::span<T> to) {
    const std::span theirs = std::span(buffer_).first(to.size_bytes());
    exchange(neighbour, std::as_bytes(mine), theirs);
    const T* const added = reinterpret_cast<const T*>(theirs.data());
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = lower ? to[i] + added[i] : added[i] + to[i];
  });
}

template <typename T>
void Ranks::swap(int neighbour, std::span<const T> mine, std::span<T> theirs) {
  in_pieces(mine, theirs, [&](std::span<const T> give, std::span<T> take) {
    exchange(neighbour, std::as_bytes(give), std::as_writable_bytes(take));
  });
}

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
