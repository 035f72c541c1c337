// What every family that codes promises of its codec.
#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/det/isa.hpp"
#include "libcore/eval/methods.hpp"
#include "tests/support/contract.hpp"
#include "tests/support/sanitizers.hpp"
#include "tests/support/scratch_folder.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <numeric>

namespace logpx::contract_codes_test {

using namespace logpx::testing;

namespace {

template <typename Check>
void for_each_coder(Check check, const TrialRun& run = {}) {
  int checked = 0;
  for (const Family& family : families_under_contract()) {
    const auto trial = trained(family, run);
    if (!codes(trial->model())) continue;
    CAPTURE(family.name);
    check(*trial);
    ++checked;
  }
  CHECK(checked > 0);
}

struct Coded {
  codec::Message message{2};
  codec::Costs costs;
};
Coded encoded(const codec::Scheme& scheme, const std::vector<std::uint8_t>& items) {
  Coded coded;
  scheme.encode(coded.message, items, 7, coded.costs);
  return coded;
}

// A row as an item, up to its end where items may be shorter.
std::vector<std::uint8_t> item_of(const Trial& trial, std::int64_t row) {
  const auto codec = abilities(trial.model()).code;
  const Rows one = slice_rows(trial.data.rows, row, row + 1);
  std::vector<std::uint8_t> item = codec->items({trial.data.info, one, row});
  if (codec->item().short_last && !one.length.empty()) item.resize(at(one.length[0]));
  return item;
}

struct Coder {
  std::shared_ptr<const ModelCodec> codec;
  std::unique_ptr<CodingPlan> plan;
  std::unique_ptr<codec::Scheme> scheme;
};
Coder coder_of(const Model& model, Workers& workers) {
  Coder coder{.codec = abilities(model).code, .plan = nullptr, .scheme = nullptr};
  coder.plan = coder.codec->plan();
  lighten(*coder.plan, model.info().family);
  coder.plan->settle({}, workers);
  coder.scheme = coder.plan->scheme(workers);
  return coder;
}

struct Spread {
  double mean = 0, std_error = 0;
};
Spread spread(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  double sum = 0, squares = 0;
  for (const double value : values) sum += value;
  for (const double value : values) squares += (value - sum / n) * (value - sum / n);
  return {sum / n, std::sqrt(squares / (n * (n - 1)))};
}

// Written by the process of another instruction set.
constexpr const char* digests_wanted = "LOGPX_TEST_DIGESTS";

void write_digests(const std::string& path) {
  std::ofstream out(path);
  const auto write = [&](const Trial& trial) {
    out << trial.model().info().family << ' ' << digest_of_codes(trial.model(), trial.data) << '\n';
  };
  for_each_coder(write, {.numerics = NumericsChoice::det});
}

}  // namespace

TEST_CASE("contract: what was coded comes back, from the same bytes for any number of threads") {
  for_each_coder([](const Trial& trial) {
    const Abilities can = abilities(trial.model());
    const ModelCodec& codec = *can.code;
    const std::vector<std::uint8_t> items = codec.items(trial.data.examples());
    Workers one(1), four(4);
    const Coder coder = coder_of(trial.model(), one), other = coder_of(trial.model(), four);
    const Coded coded = encoded(*coder.scheme, items);
    const std::vector<std::byte> bytes = coded.message.serialise();
    CHECK(encoded(*other.scheme, items).message.serialise() == bytes);
    codec::Message read = codec::Message::parse(bytes, 2);
    std::vector<std::uint8_t> decoded(items.size());
    other.scheme->decode(read, decoded, 7);
    read.check_end(coded.message.borrowed());
    CHECK(decoded == items);
  });
}

TEST_CASE("contract: as a set, rows come back ascending, and get back what their order takes") {
  for_each_coder([](const Trial& trial) {
    Workers workers(1);
    Coder coder = coder_of(trial.model(), workers);
    std::vector<std::vector<std::uint8_t>> rows;
    const auto labels = coder.codec->labels();
    for (std::int64_t row = 0; row < trial.data.rows.count; ++row) {
      rows.push_back(item_of(trial, row));
      rows.back().resize(coder.scheme->item_size());
      if (labels != nullptr) labels->settle(rows.back());
    }
    std::ranges::sort(rows);
    std::vector<std::uint8_t> items;
    for (const auto& row : rows) items.insert(items.end(), row.begin(), row.end());
    const codec::ItemSet set(std::move(coder.scheme), coder.codec->labels());
    const Coded coded = encoded(set, items);
    codec::Message read = codec::Message::parse(coded.message.serialise(), 2);
    std::vector<std::uint8_t> decoded(items.size());
    set.decode(read, decoded, 7);
    read.check_end(coded.message.borrowed());
    CHECK(decoded == items);
    CHECK(coded.costs.of(codec::Part::order) <= 0);
    CHECK(coded.costs.of(codec::Part::labels) <= 0);
  });
}

namespace {

// What all rows cost on this message, in bits.
double cost_of_rows(const Trial& trial, const codec::Scheme& scheme, codec::Message& message) {
  codec::Costs costs;
  for (std::int64_t row = 0; row < trial.data.rows.count; ++row)
    scheme.encode(message, item_of(trial, row), 0, costs);
  return costs.total();
}

}  // namespace

TEST_CASE("contract: codes are as long as the coder's scores say" * of_numbers) {
  for_each_coder([](const Trial& trial) {
    Workers workers(1);
    const Coder coder = coder_of(trial.model(), workers);
    const auto plan = coder_scoring(coder.codec);
    lighten(*plan, trial.model().info().family);
    plan->settle();
    // Both are drawn, and a score may be the mean of several draws, where a code is one.
    constexpr std::uint64_t draws = 16;
    codec::Message message(2);
    const double empty = message.bits();
    std::vector<double> codes, scores;
    for (std::uint64_t i = 0; i < draws; ++i) {
      codes.push_back(cost_of_rows(trial, *coder.scheme, message));
      const Scores of_rows = plan->score(trial.data.examples(), Rng(4 + i));
      scores.push_back(-std::accumulate(of_rows.nats.begin(), of_rows.nats.end(), 0.0) /
                       std::numbers::ln2);
    }
    const Spread coded = spread(codes), scored = spread(scores);
    const double noise = std::hypot(coded.std_error, scored.std_error);
    CHECK(std::abs(coded.mean - scored.mean) <= 5 * noise + 0.002 * scored.mean);
    CHECK(std::abs(message.bits() - empty - draws * coded.mean) <= 0.002 * draws * scored.mean);
  });
}

TEST_CASE("contract: the coder's log p(x) is the model's, row by row, where both are exact") {
  int compared = 0;
  for_each_coder([&](const Trial& trial) {
    const auto scores_of = [&](std::unique_ptr<ScoringPlan> plan) {
      lighten(*plan, trial.model().info().family);
      plan->settle();
      return plan->score(trial.data.examples(), Rng(4));
    };
    const Abilities can = abilities(trial.model());
    const Scores coded = scores_of(coder_scoring(can.code));
    for (const std::string& method : can.methods()) {
      const Scores scores = scores_of(scoring_plan(can, method));
      if (coded.kind != Bound::exact || scores.kind != Bound::exact) continue;
      CAPTURE(method);
      for (std::size_t i = 0; i < scores.nats.size(); ++i)
        CHECK(coded.nats[i] == doctest::Approx(scores.nats[i]).epsilon(0.002));
      ++compared;
    }
  });
  CHECK(compared > 0);
}

TEST_CASE("contract: samples are as likely as what the decoder makes of random bits") {
  int compared = 0;
  for_each_coder([&](const Trial& trial) {
    const Abilities can = abilities(trial.model());
    const ModelCodec& codec = *can.code;
    Workers workers(1);
    const Coder coder = coder_of(trial.model(), workers);
    if (coder.plan->kind() != Bound::exact || codec.item().short_last) return;
    const std::int64_t rows = trial.model().info().block, symbols = rows * codec.item().size();
    codec::Message random(2);
    Cursor words(Rng(11).stream(Stream::test));
    for (std::int64_t i = 0; i < 2 * symbols; ++i)
      random.push_bits(words.word() >> 16, 16, static_cast<int>(i % 2));
    std::vector<std::uint8_t> decoded(at(symbols));
    coder.scheme->decode(random, decoded, 0);
    const auto plan = can.sampling();
    plan->settle();
    const SampleChunk chunk = plan->make(0, rows, Rng(12));
    const DatasetInfo info = plan->rows();
    const Spread of_bits = spread(coder_scores(*coder.scheme, decoded, 0, Rng(1), workers)),
                 of_samples = spread(coder_scores(*coder.scheme, codec.items({info, chunk.rows, 0}),
                                                  0, Rng(1), workers));
    CHECK(std::abs(of_bits.mean - of_samples.mean) <=
          5 * std::hypot(of_bits.std_error, of_samples.std_error));
    ++compared;
  });
  CHECK(compared > 0);
}

TEST_CASE("contract: a message with a flipped bit or without its end is corrupt data") {
  for_each_coder([](const Trial& trial) {
    const Abilities can = abilities(trial.model());
    const ModelCodec& codec = *can.code;
    const HeldRows few{.info = trial.data.info, .rows = slice_rows(trial.data.rows, 0, 6)};
    const std::vector<std::uint8_t> items = codec.items(few.examples());
    Workers workers(1);
    const Coder coder = coder_of(trial.model(), workers);
    const Coded coded = encoded(*coder.scheme, items);
    const std::vector<std::byte> good = coded.message.serialise();
    const auto refused = [&](const std::vector<std::byte>& bytes) {
      std::vector<std::uint8_t> decoded(items.size());
      try {
        codec::Message read = codec::Message::parse(bytes, 2);
        coder.scheme->decode(read, decoded, 7);
        read.check_end(coded.message.borrowed());
        return false;
      } catch (const Error& error) {
        return error.kind() == ErrorKind::data;
      }
    };
    CHECK(!refused(good));
    const std::size_t bits = 8 * good.size(), stride = std::max<std::size_t>(3, bits / 200);
    for (std::size_t i = 0; i < bits; i += stride) {
      auto bytes = good;
      bytes[i / 8] ^= static_cast<std::byte>(1u << i % 8);
      CHECK(refused(bytes));
    }
    for (std::size_t size = 0; size < good.size(); size += 1 + good.size() / 200)
      CHECK(refused({good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size)}));
  });
}

TEST_CASE("contract: codes are the same on every instruction set") {
  if (const char* const path = std::getenv(digests_wanted)) return write_digests(path);
  const ScratchFolder folder;
  const std::string runner = std::filesystem::read_symlink("/proc/self/exe");
  std::string first;
  for (const Isa isa : {Isa::baseline, Isa::v3, Isa::v4}) {
    if (!isa_available(isa)) continue;
    CAPTURE(isa_name(isa));
    const std::string path = folder / isa_name(isa);
    const std::string command = "LOGPX_ISA=" + isa_name(isa) + ' ' + digests_wanted + "='" + path +
                                "' '" + runner + "' --minimal -tc='*on every instruction set'";
    REQUIRE(std::system(command.c_str()) == 0);
    std::ifstream file(path);
    const std::string digests((std::istreambuf_iterator<char>(file)), {});
    CHECK(!digests.empty());
    if (first.empty()) first = digests;
    CHECK(digests == first);
  }
}

}  // namespace logpx::contract_codes_test
