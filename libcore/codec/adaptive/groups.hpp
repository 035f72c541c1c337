// Bytes of several files, or of unlike parts of one, in groups: what is best read in one form goes
// together, and so can be learned from.
#pragma once

#include "libcore/codec/adaptive/form.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace logpx::codec::adaptive {

struct Groups {
  struct Stretch {
    std::size_t bytes = 0, group = 0;
  };
  std::vector<Stretch> stretches;        // one after another
  std::vector<std::vector<Form>> forms;  // of each group, the likeliest first
};

// `ends`: where parts end that nothing is known to join, such as files; the last is the end of all.
// Longer parts are cut where they change, at multiples of 64 KiB from their beginning, or where the
// row ends that is begun there, unless one form does for both sides. `known` says of a part what
// forms its beginning asks for; such a part has a group of its own.
using KnownForms = std::function<std::vector<Form>(std::span<const std::uint8_t> part)>;
[[nodiscard]] Groups find_groups(
    std::span<const std::uint8_t> data, std::span<const std::uint64_t> ends,
    const KnownForms& known = [](auto) { return std::vector<Form>(); });

}  // namespace logpx::codec::adaptive
