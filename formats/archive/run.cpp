#include "formats/archive/run.hpp"

#include "libcore/base/error.hpp"

#include <algorithm>

namespace logpx::archive {
namespace {

constexpr std::uint64_t is_carried = 1, does_go_on = 2;
constexpr std::uint16_t no_mode = 0xffff;

// Differences modulo 2^64 as numbers that are small for small differences of either sign.
std::uint64_t zigzag(std::uint64_t difference) {
  return difference << 1 ^ (0 - (difference >> 63));
}
std::uint64_t unzigzag(std::uint64_t code) { return code >> 1 ^ (0 - (code & 1)); }

// The numbers of a member; each becomes a column of differences from the member before.
std::uint64_t kind_of(const Run::Entry& e) { return static_cast<std::uint64_t>(e.member.kind); }
std::uint64_t mode_of(const Run::Entry& e) { return e.member.mode.value_or(no_mode); }
std::uint64_t time_of(const Run::Entry& e) { return static_cast<std::uint64_t>(e.member.mtime); }
std::uint64_t nanoseconds_of(const Run::Entry& e) { return e.member.mtime_ns; }
std::uint64_t content_of(const Run::Entry& e) { return e.content; }
// For pictures, whose file size does not follow from the samples.
std::uint64_t size_of(const Run::Entry& e) { return e.member.size.value_or(0); }

bool is_picture(MemberKind kind) {
  return kind == MemberKind::pixels || kind == MemberKind::own_png;
}

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

void check(const Run& run) {
  std::uint64_t content = run.carried.value_or(0);
  const auto add = [&](std::uint64_t size) {
    if (size > max_run_content || content + size > max_run_content)
      fail(ErrorKind::data, "table", "declares more content than a run may have");
    content += size;
  };
  add(0);
  for (const Run::Entry& entry : run.entries) {
    add(entry.content);
    if (entry.member.name.find('\0') != std::string::npos)
      fail(ErrorKind::data, "table", "has a NUL in a name");
  }
  if (run.goes_on && run.entries.empty() && !run.carried)
    fail(ErrorKind::data, "table", "continues a member that is not there");
}

}  // namespace

ByteVector serialise(const Run& run) {
  WireWriter out;
  out.u8(
      static_cast<std::uint8_t>((run.carried ? is_carried : 0) | (run.goes_on ? does_go_on : 0)));
  out.varint(run.first).varint(run.entries.size());
  if (run.carried) out.varint(*run.carried);
  for (auto* column : {kind_of, mode_of, time_of, nanoseconds_of, content_of})
    write_column(out, run, column);
  for (const Run::Entry& entry : run.entries)
    if (is_picture(entry.member.kind)) out.varint(size_of(entry));
  write_texts(out, run, name_of);
  write_texts(out, run, meta_of);
  return out.bytes();
}

Run parse_run(ByteView table) {
  WireReader in(table, "table");
  Run run;
  const std::uint8_t flags = in.u8();
  if (flags > (is_carried | does_go_on))
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
    if (is_picture(entry.member.kind)) entry.member.size = in.varint();
  std::uint64_t left = max_run_table;
  read_texts(in, run, max_name_bytes, left, [](Run::Entry& entry, const ByteVector& name) {
    entry.member.name.assign(reinterpret_cast<const char*>(name.data()), name.size());
  });
  read_texts(in, run, max_meta_bytes, left,
             [](Run::Entry& entry, const ByteVector& meta) { entry.member.meta = meta; });
  in.expect_end();
  check(run);
  return run;
}

}  // namespace logpx::archive
