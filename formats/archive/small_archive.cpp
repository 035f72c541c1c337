#include "formats/archive/small_archive.hpp"

#include "libcore/base/error.hpp"

namespace logpx::archive {
namespace {

constexpr unsigned has_times = 128;  // behind the kind: mode and time

}  // namespace

bool may_be_small(const Run& run, std::size_t blocks) {
  if (run.entries.size() != 1 || run.first != 0 || run.carried || run.goes_on) return false;
  const Run::Entry& entry = run.entries.front();
  return blocks <= 1 && run.stretches.empty() && !entry.recipe && entry.content <= small_bytes &&
         entry.member.meta.size() <= small_bytes;
}

void write_small_member(WireWriter& out, const Run::Entry& entry) {
  const Member& member = entry.member;
  const auto kind = static_cast<unsigned>(member.kind);
  const bool times = member.mode || member.mtime != 0 || member.mtime_ns != 0;
  out.u8(static_cast<std::uint8_t>(kind | (times ? has_times : 0)));
  if (times)
    out.u16(member.mode.value_or(no_mode))
        .varint(zigzag(static_cast<std::uint64_t>(member.mtime)))
        .varint(member.mtime_ns);
  out.varint(entry.content);
  if (has_size(member.kind)) out.varint(member.size.value_or(0));
  out.varint(member.name.size()).text(member.name);
  if (member.kind != MemberKind::bytes) out.varint(member.meta.size()).raw(member.meta);
}

Run read_small_member(WireReader& in) {
  Run::Entry entry;
  Member& member = entry.member;
  const unsigned flags = in.u8();
  member.kind = static_cast<MemberKind>(flags & ~has_times);
  if ((flags & has_times) != 0) {
    const std::uint16_t mode = in.u16();
    if (mode != no_mode) member.mode = mode;
    member.mtime = static_cast<std::int64_t>(unzigzag(in.varint()));
    member.mtime_ns = static_cast<std::uint32_t>(in.varint());
  }
  entry.content = in.varint();
  if (entry.content > small_bytes)
    fail(ErrorKind::data, "small archive", "declares more content than it may have");
  if (has_size(member.kind)) member.size = in.varint();
  member.name = in.text(in.varint());
  if (member.kind != MemberKind::bytes) {
    const ByteView meta = in.raw(in.varint());
    member.meta.assign(meta.begin(), meta.end());
  }
  Run run;
  run.entries.push_back(std::move(entry));
  return run;
}

}  // namespace logpx::archive
