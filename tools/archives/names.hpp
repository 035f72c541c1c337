// Names of archives and of decoded members.
#pragma once

#include "formats/archive/records.hpp"
#include "formats/file/output.hpp"

#include <cstdint>
#include <string>

namespace logpx::compress {

// beside: `name` in the folder of `path`. in_folder: the last part of `path` in `folder`, if there
// is one.
[[nodiscard]] std::string beside(const std::string& path, const std::string& name);
[[nodiscard]] std::string in_folder(const std::string& path, const std::string& folder);
// `path` without its root, "." and "..".
[[nodiscard]] std::string inner_path(const std::string& path);
// A stored name made safe to write: its last part; "lpx-member-N", with N the member's number, if
// it is not a valid name. That form is reserved: a member with such a name gets its number too.
[[nodiscard]] std::string safe_name(const std::string& stored, std::uint64_t number);
// A stored name as a relative path that is safe below a folder; "lpx-member-N" if it is absolute,
// has a part that is empty, "." or "..", or is refused by safe_name.
[[nodiscard]] std::string safe_path(const std::string& stored, std::uint64_t number);
// The name for messages, without control characters.
[[nodiscard]] std::string shown(const std::string& name);

// Without --force an output that is a symbolic link is refused.
void check_no_link(const std::string& output, Overwrite overwrite);

[[nodiscard]] FileAttributes attributes_of(const archive::Member& member);
// Checks on this machine the numerics that archives rely on.
void require_numerics();
[[nodiscard]] std::string selftest_text();

}  // namespace logpx::compress
