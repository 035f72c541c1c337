#include "tools/compress/summary.hpp"

#include "libcore/base/clock.hpp"
#include "libcore/base/given_options.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/codec/adaptive/adaptive.hpp"
#include "libcore/det/isa.hpp"
#include "tools/archives/names.hpp"
#include "tools/frame/app.hpp"

#include <algorithm>

namespace logpx::compress {

std::uint64_t coding_memory(const App& app) {
  return is_given(app.fields(), "--memory") ? app.memory() : std::uint64_t{2} << 30;
}

std::int64_t blocks_at_once(App& app, const archive::CodingUnits& units) {
  const std::int64_t items =
      units.item ? std::min<std::int64_t>(units.block_items * units.item->shape.size(),
                                          archive::max_block_bytes)
                 : 0;
  // The fallback coder takes eight bytes for each bit of a block; copies come on top.
  auto need = static_cast<std::uint64_t>(items > 0 ? items : 1 << 22) * 80;
  if (units.effort != archive::Effort::fast) {
    const codec::adaptive::Level level = units.effort == archive::Effort::best
                                             ? codec::adaptive::Level::best
                                             : codec::adaptive::Level::normal;
    const std::uint64_t bytes = archive::block_bytes(units.effort);
    const std::uint64_t adaptive = 6 * bytes + codec::adaptive::memory_for(bytes, level);
    need = items > 0 ? std::max(need, adaptive) : adaptive;
  }
  const std::uint64_t fit = std::max<std::uint64_t>(1, coding_memory(app) / need);
  return std::min<std::int64_t>(static_cast<std::int64_t>(fit), app.workers().threads());
}

namespace {

// "1000 rows as a set: 9.1 bits each, of 36 less 18.3 for labels and 8.5 for order".
std::string set_text(const Figures& figures) {
  const double net = figures.bits_per_item(figures.costs.total()),
               labels = figures.bits_per_item(-figures.costs.of(codec::Part::labels)),
               order = figures.bits_per_item(-figures.costs.of(codec::Part::order));
  std::string text = counted(figures.items, "row") + " as a set: " + four_digits(net) +
                     " bits each, of " + four_digits(net + labels + order) + " less ";
  if (labels > 0) text += four_digits(labels) + " for labels and ";
  return text + four_digits(order) + " for order";
}

}  // namespace

void tell(App& app, const Done& done, const Figures& figures) {
  app.add_output({.role = done.role,
                  .path = done.path,
                  .kind = done.role == "archive" ? "lpx" : "file",
                  .bytes = {},
                  .content_hash = done.hash,
                  .provenance = {}});
  const double ratio = figures.original_bytes > 0
                           ? 100.0 * static_cast<double>(figures.archive_bytes) /
                                 static_cast<double>(figures.original_bytes)
                           : 0;
  const bool made = done.role == "archive";
  const std::string original = human_bytes(figures.original_bytes),
                    packed = human_bytes(figures.archive_bytes);
  app.say((done.path == "-" ? "stdout" : shown(done.path)) + ": " + (made ? original : packed) +
          " -> " + (made ? packed : original) + " (" + four_digits(ratio) + " %, " +
          human_seconds(done.seconds) + ")");
  if (made && figures.as_set && figures.items > 0) app.say(set_text(figures));
}

void tell_machine(App& app) {
  if (reproducible_build()) return;
  app.result().set("threads", app.workers().threads()).set("isa", isa_name(active_isa()));
}

}  // namespace logpx::compress
