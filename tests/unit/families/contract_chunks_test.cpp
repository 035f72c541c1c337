// Training on rows that are read in chunks: what the contract promises of rows in memory.
#include "libcore/base/error.hpp"
#include "libcore/data/row_store.hpp"
#include "tests/support/contract.hpp"

#include <deque>
#include <mutex>
#include <optional>

namespace logpx::contract_chunks_test {
namespace {

using namespace testing;

constexpr RowChunks small_chunks{.rows = 3, .held = 4};

// Rows and the stores that read them; trainees refer to these.
struct Kept {
  explicit Kept(const Examples& rows)
      : source(numbered(rows), slice_rows(rows.rows, 0, rows.rows.count)),
        store(source, {.info = rows.info, .first = 0, .count = rows.rows.count}, small_chunks) {}
  static DatasetInfo numbered(const Examples& rows) {
    DatasetInfo info = rows.info;
    info.n = rows.rows.count;
    return info;
  }
  MemoryRows source;
  RowStore store;
};

// The family, given its rows in chunks.
Family in_chunks(const std::string& name) {
  Family family = find_family(name);
  struct All {
    std::mutex mutex;
    std::deque<Kept> kept;
  };
  const auto all = std::make_shared<All>();
  family.trainee = [make = family.trainee, all](const std::string& preset, const TaskData& data,
                                                Rng rng) {
    const std::lock_guard lock(all->mutex);
    Kept& kept = all->kept.emplace_back(data.train.held());
    return make(preset, {.train = kept.store, .valid = data.valid}, rng);
  };
  return family;
}

}  // namespace

TEST_CASE("chunks: training gives the same bytes for any threads and ranks, and resumed") {
  for (const char* const name : {"vae", "kaem", "vdm", "arm"}) {
    CAPTURE(name);
    const Family family = in_chunks(name);
    const std::string whole = training_bytes(family, {});
    CHECK((whole == training_bytes(family, {.threads = 4})));
    CHECK((whole == training_bytes(family, {.threads = 2, .stops_after = 4})));
    CHECK((whole == training_bytes(family, {.threads = 2, .two_ranks = true})));
    CHECK((whole != training_bytes(find_family(name), {})));
  }
}

TEST_CASE("chunks: circuits need all rows at once, and say which memory holds them") {
  const Family family = in_chunks("pc");
  try {
    Trial trial(family);
    FAIL("was trained");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::usage);
    CHECK(error.subject() == "--memory");
    CHECK(error.hint().starts_with("--memory "));
  }
}

}  // namespace logpx::contract_chunks_test
