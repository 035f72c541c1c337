#include "formats/archive/run.hpp"

#include "libcore/base/error.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace logpx::archive {
namespace {

constexpr std::uint64_t is_carried = 1, does_go_on = 2, has_recipes = 4, has_groups = 8;

// The numbers of a member; each becomes a column of differences from the member before.
std::uint64_t kind_of(const Run::Entry& e) { return static_cast<std::uint64_t>(e.member.kind); }
std::uint64_t mode_of(const Run::Entry& e) { return e.member.mode.value_or(no_mode); }
std::uint64_t time_of(const Run::Entry& e) { return static_cast<std::uint64_t>(e.member.mtime); }
std::uint64_t nanoseconds_of(const Run::Entry& e) { return e.member.mtime_ns; }
std::uint64_t content_of(const Run::Entry& e) { return e.content; }
std::uint64_t size_of(const Run::Entry& e) { return e.member.size.value_or(0); }

void write_column(WireWriter& out, const Run& run, std::uint64_t (*value)(const Run::Entry&)) {
  std::uint64_t before = 0;
  for (const Run::Entry& entry : run.entries) {
    const std::uint64_t now = value(entry);
    out.varint(zigzag(now - before));
    before = now;
  }
}

template <typename Take>
void read_column(WireReader& in, Run& run, const Take& take) {
  std::uint64_t before = 0;
  for (Run::Entry& entry : run.entries) {
    before += unzigzag(in.varint());
    take(entry, before);
  }
}

ByteView name_of(const Member& member) { return bytes_of(member.name); }
ByteView meta_of(const Member& member) { return member.meta; }

// Texts without the beginning and the end that they share with the one before.
void write_texts(WireWriter& out, const Run& run, ByteView (*text)(const Member&)) {
  WireWriter heads, tails, sizes, middles;
  ByteView before;
  for (const Run::Entry& entry : run.entries) {
    const ByteView now = text(entry.member);
    const std::size_t most = std::min(before.size(), now.size());
    const auto head = static_cast<std::size_t>(
        std::ranges::mismatch(before.first(most), now.first(most)).in1 - before.begin());
    std::size_t tail = 0;
    while (head + tail < most && before[before.size() - tail - 1] == now[now.size() - tail - 1])
      ++tail;
    heads.varint(before.size() - head);  // 0 where all of it is shared
    tails.varint(tail);
    sizes.varint(now.size() - head - tail);
    middles.raw(now.subspan(head, now.size() - head - tail));
    before = now;
  }
  out.raw(heads.bytes()).raw(tails.bytes()).raw(sizes.bytes()).raw(middles.bytes());
}

// put(entry, text) for each; all of them together may have `left` bytes.
template <typename Put>
void read_texts(WireReader& in, Run& run, std::uint64_t most, std::uint64_t& left, const Put& put) {
  const std::size_t count = run.entries.size();
  std::vector<std::uint64_t> unshared(count), tails(count), sizes(count);
  for (auto* column : {&unshared, &tails, &sizes})
    for (std::uint64_t& value : *column) value = in.varint();
  ByteVector before;
  for (std::size_t i = 0; i < count; ++i) {
    if (unshared[i] > before.size() || tails[i] > unshared[i] || sizes[i] > in.rest().size())
      fail(ErrorKind::data, "table", "shares more of a name or header than the one before has");
    const std::size_t head = before.size() - unshared[i];
    const std::uint64_t size = head + sizes[i] + tails[i];
    if (size > most || size > left)
      fail(ErrorKind::data, "table", "has names or headers that are too long");
    left -= size;
    ByteVector text(before.begin(), before.begin() + static_cast<std::ptrdiff_t>(head));
    const ByteView middle = in.raw(sizes[i]);
    text.insert(text.end(), middle.begin(), middle.end());
    text.insert(text.end(), before.end() - static_cast<std::ptrdiff_t>(tails[i]), before.end());
    put(run.entries[i], text);
    before = std::move(text);
  }
}

// visit(recipe) for every member, in order, including one that began before.
template <typename AnyRun, typename Visit>
void each_recipe(AnyRun& run, const Visit& visit) {
  if (run.carried) visit(run.carried_recipe);
  for (auto& entry : run.entries) visit(entry.recipe);
}

bool any_recipe(const Run& run) {
  bool any = false;
  each_recipe(run, [&](const std::optional<Recipe>& recipe) { any = any || recipe; });
  return any;
}

void write_decisions(WireWriter& out, const CodedDecisions& decisions, bool go_on) {
  for (std::size_t i = 0; i < channels; ++i) {
    out.varint(decisions.bytes[i]);
    if (go_on && decisions.bytes[i] > 0) out.varint(decisions.count[i]);
  }
}

void read_decisions(WireReader& in, CodedDecisions& decisions, bool go_on) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < channels; ++i) {
    decisions.bytes[i] = in.varint();
    if (decisions.bytes[i] > max_run_content || (sum += decisions.bytes[i]) > max_run_content)
      fail(ErrorKind::data, "table", "declares more decisions than a run may have");
    if (go_on && decisions.bytes[i] > 0) decisions.count[i] = in.varint();
  }
}

// Each recipe behind the number of members without one before it.
void write_recipes(WireWriter& out, const Run& run) {
  std::uint64_t count = 0, without = 0;
  each_recipe(run, [&](const std::optional<Recipe>& recipe) { count += recipe ? 1 : 0; });
  out.varint(count);
  each_recipe(run, [&](const std::optional<Recipe>& recipe) {
    if (!recipe) return void(++without);
    out.varint(std::exchange(without, 0));
    write_recipe(out, *recipe);
  });
  write_decisions(out, run.carried_decisions, run.goes_on && run.entries.empty());
  write_decisions(out, run.decisions, run.goes_on && !run.entries.empty());
}

void read_recipes(WireReader& in, Run& run) {
  std::uint64_t count = in.varint(), without = count > 0 ? in.varint() : 0;
  std::uint64_t steps_left = max_run_steps;
  each_recipe(run, [&](std::optional<Recipe>& recipe) {
    if (count == 0 || without-- > 0) return;
    recipe = read_recipe(in, steps_left);
    without = --count > 0 ? in.varint() : 0;
  });
  if (count > 0) fail(ErrorKind::data, "table", "has recipes for members that are not there");
  read_decisions(in, run.carried_decisions, run.goes_on && run.entries.empty());
  read_decisions(in, run.decisions, run.goes_on && !run.entries.empty());
}

// The content of a member with a recipe is what its steps put.
void check_recipe(const std::optional<Recipe>& recipe, std::uint64_t content, MemberKind kind) {
  if (recipe && (content_bytes(*recipe) != content || kind != MemberKind::bytes))
    fail(ErrorKind::data, "table", "has a recipe that does not fit its member");
}

void write_stretches(WireWriter& out, const std::vector<Stretch>& stretches) {
  out.varint(stretches.size());
  for (const Stretch& stretch : stretches) out.varint(stretch.group);
  for (const Stretch& stretch : stretches) out.varint(stretch.bytes);
}

// Groups are numbered in the order in which they are met.
void read_stretches(WireReader& in, std::vector<Stretch>& stretches) {
  const std::uint64_t count = in.varint();
  if (count < 1 || count > in.rest().size())
    fail(ErrorKind::data, "table", "has another number of stretches than it holds");
  stretches.resize(count);
  std::uint32_t met = 0;
  for (Stretch& stretch : stretches) {
    const std::uint64_t group = in.varint();
    if (group > met) fail(ErrorKind::data, "table", "has groups of stretches out of order");
    stretch.group = static_cast<std::uint32_t>(group);
    met = std::max(met, stretch.group + 1);
  }
  for (Stretch& stretch : stretches)
    if ((stretch.bytes = in.varint()) == 0 || stretch.bytes > max_run_content)
      fail(ErrorKind::data, "table", "has a stretch of a length that cannot be");
}

void check(const Run& run) {
  std::uint64_t content = run.carried.value_or(0);
  const auto add = [&](std::uint64_t size) {
    if (size > max_run_content || content + size > max_run_content)
      fail(ErrorKind::data, "table", "declares more content than a run may have");
    content += size;
  };
  add(0);
  check_recipe(run.carried_recipe, run.carried.value_or(0), MemberKind::bytes);
  for (const Run::Entry& entry : run.entries) {
    add(entry.content);
    check_recipe(entry.recipe, entry.content, entry.member.kind);
    if (entry.member.name.find('\0') != std::string::npos)
      fail(ErrorKind::data, "table", "has a NUL in a name");
  }
  if (run.goes_on && run.entries.empty() && !run.carried)
    fail(ErrorKind::data, "table", "continues a member that is not there");
}

}  // namespace

std::uint64_t total_bytes(const CodedDecisions& decisions) {
  return std::accumulate(decisions.bytes.begin(), decisions.bytes.end(), std::uint64_t{0});
}

ByteVector serialise(const Run& run) {
  WireWriter out;
  const bool recipes = any_recipe(run);
  out.u8(static_cast<std::uint8_t>((run.carried ? is_carried : 0) | (run.goes_on ? does_go_on : 0) |
                                   (recipes ? has_recipes : 0) |
                                   (run.stretches.empty() ? 0 : has_groups)));
  out.varint(run.first).varint(run.entries.size());
  if (run.carried) out.varint(*run.carried);
  for (auto* column : {kind_of, mode_of, time_of, nanoseconds_of, content_of})
    write_column(out, run, column);
  for (const Run::Entry& entry : run.entries)
    if (has_size(entry.member.kind)) out.varint(size_of(entry));
  write_texts(out, run, name_of);
  write_texts(out, run, meta_of);
  if (recipes) write_recipes(out, run);
  if (!run.stretches.empty()) write_stretches(out, run.stretches);
  return out.bytes();
}

Run parse_run(ByteView table) {
  WireReader in(table, "table");
  Run run;
  const std::uint8_t flags = in.u8();
  if (flags > (is_carried | does_go_on | has_recipes | has_groups))
    fail(ErrorKind::data, "table", "has flags that are not known here");
  run.goes_on = (flags & does_go_on) != 0;
  run.first = in.varint();
  const std::uint64_t count = in.varint();
  if (count > run_members || count > in.rest().size())
    fail(ErrorKind::data, "table", "declares more members than it holds");
  if ((flags & is_carried) != 0) run.carried = in.varint();
  run.entries.resize(count);
  read_column(in, run, [](Run::Entry& e, std::uint64_t kind) {
    if (kind > static_cast<std::uint64_t>(MemberKind::own_png))
      fail(ErrorKind::data, "table",
           "has a member of kind " + std::to_string(kind) + ", which is not known here");
    e.member.kind = static_cast<MemberKind>(kind);
  });
  read_column(in, run, [](Run::Entry& e, std::uint64_t mode) {
    if (mode != no_mode && mode > 07777) fail(ErrorKind::data, "table", "has an impossible mode");
    if (mode != no_mode) e.member.mode = static_cast<std::uint16_t>(mode);
  });
  read_column(in, run, [](Run::Entry& e, std::uint64_t time) {
    e.member.mtime = static_cast<std::int64_t>(time);
  });
  read_column(in, run, [](Run::Entry& e, std::uint64_t nanoseconds) {
    if (nanoseconds >= 1'000'000'000) fail(ErrorKind::data, "table", "has an impossible time");
    e.member.mtime_ns = static_cast<std::uint32_t>(nanoseconds);
  });
  read_column(in, run, [](Run::Entry& e, std::uint64_t content) { e.content = content; });
  for (Run::Entry& entry : run.entries)
    if (has_size(entry.member.kind)) entry.member.size = in.varint();
  std::uint64_t left = max_run_table;
  read_texts(in, run, max_name_bytes, left, [](Run::Entry& entry, const ByteVector& name) {
    entry.member.name.assign(reinterpret_cast<const char*>(name.data()), name.size());
  });
  read_texts(in, run, max_meta_bytes, left,
             [](Run::Entry& entry, const ByteVector& meta) { entry.member.meta = meta; });
  if ((flags & has_recipes) != 0) read_recipes(in, run);
  if ((flags & has_groups) != 0) read_stretches(in, run.stretches);
  in.expect_end();
  check(run);
  return run;
}

}  // namespace logpx::archive
