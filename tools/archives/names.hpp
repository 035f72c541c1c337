// Names of archives and of what comes out of them.
#pragma once

#include "formats/archive/records.hpp"
#include "formats/file/output.hpp"

#include <cstdint>
#include <string>

namespace logpx::compress {

// `name` in the folder of `path`, or the last part of `path` in `folder` where there is one.
[[nodiscard]] std::string beside(const std::string& path, const std::string& name);
[[nodiscard]] std::string in_folder(const std::string& path, const std::string& folder);
// `path` without its root, "." and "..".
[[nodiscard]] std::string inner_path(const std::string& path);
// A stored name as one that is safe to write: its last part; "lpx-member-N" for what is not a name,
// N the member's number. That form is kept for these: a member that is called so gets its number.
[[nodiscard]] std::string safe_name(const std::string& stored, std::uint64_t number);
// A stored name as a relative path that is safe below a folder; "lpx-member-N" for what is none:
// absolute, with a part that is empty, "." or "..", and what safe_name refuses.
[[nodiscard]] std::string safe_path(const std::string& stored, std::uint64_t number);
// For people: without control characters.
[[nodiscard]] std::string shown(const std::string& name);

// Without --force an output that is a symbolic link is refused.
void check_no_link(const std::string& output, Overwrite overwrite);

[[nodiscard]] FileAttributes attributes_of(const archive::Member& member);
// 1.7: the numerics that archives rest on.
void require_numerics();
[[nodiscard]] std::string selftest_text();

}  // namespace logpx::compress
