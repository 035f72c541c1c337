// Coding files with circuits, both ways on one thread: its speed against a limit, and its length
// above -log2 p.
#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/codec/rans.hpp"
#include "libcore/families/pc/family.hpp"
#include "libcore/families/pc/model.hpp"
#include "libcore/families/registry.hpp"
#include "libcore/families/synthetic_rows.hpp"
#include "tests/bench/bench.hpp"

#include <numbers>
#include <numeric>
#include <string>
#include <vector>

namespace logpx::bench {
namespace {

constexpr std::int64_t in_step = 64;  // items

struct Case {
  std::string name, unit;
  std::int64_t items = 0;
  double units_per_item = 1, limit = 0;
};

// A model with its first parameters, which are as slow as trained ones.
std::unique_ptr<Model> first_model(const pc::Settings& settings, const HeldRows& rows) {
  Workers workers(1);
  const TaskData data{.train = rows.examples(), .valid = std::nullopt};
  return pc::make_trainee(settings, data, Rng(1), {.workers = workers}).model;
}

HeldRows windows(std::int64_t count, std::int64_t symbols) {
  HeldRows held;
  held.info.name = "windows";
  held.info.content = symbols == 256 ? Content::bytes : Content::symbols;
  held.info.shape = {256};
  held.info.levels = symbols;
  held.info.value_max = static_cast<double>(symbols - 1);
  held.rows.count = count;
  for (std::int64_t i = 0; i < count * 256; ++i)
    held.rows.x.push_back(static_cast<std::byte>((7 * i * i + i / 5 * 11) % 8191 % symbols));
  return held;
}

void time_coding(Bench& bench, const Case& item, const Model& model, const HeldRows& rows) {
  Workers workers(1);
  const auto codec = abilities(model).code;
  const auto scheme = codec->plan()->scheme(workers);
  const std::vector<std::uint8_t> items = codec->items(rows.examples());
  std::vector<std::uint8_t> back(items.size());
  codec::Message message(1);
  codec::Costs costs;
  scheme->encode(message, items, 0, costs);
  const double coded = 8 * static_cast<double>(message.serialised_bytes());
  scheme->decode(message, back, 0);
  const auto some = std::span(items).first(at(in_step) * scheme->item_size());
  codec::Message part(1);
  const auto encode = [&] {
    part = codec::Message(1);
    scheme->encode(part, some, 0, costs);
  };
  const auto decode = [&] {
    codec::Message read = part;
    scheme->decode(read, std::span(back).first(some.size()), 0);
  };
  const std::vector<double> seconds = bench.seconds({encode, decode});
  std::vector<double> nats(at(item.items));
  scheme->score(items, Rng(1), 0, nats);
  const double ideal = -std::accumulate(nats.begin(), nats.end(), 0.0) / std::numbers::ln2;
  for (const std::size_t way : {0, 1}) {
    const double rate = static_cast<double>(in_step) * item.units_per_item / seconds[way];
    bench.add({.name = item.name + (way == 0 ? ", encode" : ", decode"),
               .value = rate,
               .unit = item.unit + "/s",
               .share = rate / item.limit,
               .floor = 1,
               .of = "the limit"});
  }
  bench.add({.name = item.name + ", above -log2 p",
             .value = 100 * (coded / ideal - 1),
             .unit = "%",
             .share = ideal / coded,
             .floor = 0.995,
             .of = "its size"});
  if (back != items) fail(ErrorKind::data, item.name, "is not decoded to what it was");
}

}  // namespace

void bench_circuit_coding(Bench& bench) {
  for (const auto& [symbols, count, limit] :
       {std::tuple(27, 800, 100.0), std::tuple(256, 400, 25.0)}) {
    pc::Settings settings;
    settings.model.structure = "hmm";
    settings.model.factors = "32,32";
    const HeldRows rows = windows(count, symbols);
    time_coding(bench,
                {"hmm 32 x 32, " + std::to_string(symbols) + " symbols", "kB", count, 0.256, limit},
                *first_model(settings, rows), rows);
  }
  pc::Settings settings;
  settings.model.structure = "hclt";
  settings.model.hidden = 64;
  settings.model.dictionary = 0;
  const HeldRows digits = synthetic_rows({.name = "digits", .n = 256});
  time_coding(bench, {"hclt 784 x 64", "images", 256, 1, 200}, *first_model(settings, digits),
              digits);
}

}  // namespace logpx::bench
