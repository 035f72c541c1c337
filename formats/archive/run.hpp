// A run: members that share blocks. Its table describes them column by column, each member by its
// differences from the one before; the table is coded like any block of bytes. A member that is
// longer than a run continues in the next.   [logpx-archive(5)]
#pragma once

#include "formats/archive/recipe.hpp"
#include "formats/archive/records.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace logpx::archive {

inline constexpr std::uint16_t no_mode = 0xffff;  // where permissions are not known

// Pictures, whose file size does not follow from the samples.
[[nodiscard]] constexpr bool has_size(MemberKind kind) {
  return kind == MemberKind::pixels || kind == MemberKind::own_png;
}

// What the recipes of a run leave to be decided, coded for each channel by itself.
struct CodedDecisions {
  std::array<std::uint64_t, channels> bytes{};
  std::array<std::uint64_t, channels> count{};  // known where the last member goes on
};

[[nodiscard]] std::uint64_t total_bytes(const CodedDecisions& decisions);

// Bytes, one after another, that go into one stream with others of their group.
struct Stretch {
  std::uint64_t bytes = 0;
  std::uint32_t group = 0;
};

struct Run {
  struct Entry {
    Member member;
    std::uint64_t content = 0;  // bytes after its header, or of samples, that lie in this run
    std::optional<Recipe> recipe = {};  // if they are not the file's own
  };
  std::uint64_t first = 0;               // members of the archive that began before
  std::optional<std::uint64_t> carried;  // content so far of a member that goes on here
  bool goes_on = false;                  // whether the last member continues in the next run
  std::vector<Entry> entries;            // members that begin here
  std::optional<Recipe> carried_recipe = {};
  CodedDecisions carried_decisions = {}, decisions = {};  // those of the entries together
  std::vector<Stretch> stretches = {};                    // of its bytes; none: all of one group
};

[[nodiscard]] ByteVector serialise(const Run& run);
// A data error for bytes that serialise() cannot have made.
[[nodiscard]] Run parse_run(ByteView table);

}  // namespace logpx::archive
