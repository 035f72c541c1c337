// What a file is by its first bytes: one table for all readers, so that a reader of another kind of
// file can say what it is and which command takes it.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace logpx {

struct Signature {
  std::string_view called;  // "a PNG picture"
  std::string_view format;  // that pack-data knows by these bytes: "images"; else empty
  std::string command;      // "pack-data images FILE -o OUT.h5"; in words where no command will do
  bool plain = false;       // lines of characters that may be numbers
  bool document = false;    // one document, though its bytes are a zip
};

// What an artifact begins with, and every other HDF5 file.
inline constexpr std::string_view hdf5_magic("\x89HDF\r\n\x1a\n", 8);

// How many of the first bytes are looked at.
inline constexpr std::size_t signature_bytes = 65536;

// Null when these bytes are of no known kind.
[[nodiscard]] const Signature* find_signature(std::span<const std::byte> first);

// Whether it is a table of fields.
[[nodiscard]] bool holds_table(std::span<const std::byte> first);

// Whether it is text that begins with a bracket or a comment, or empty: then a parser's own message
// says more.
[[nodiscard]] bool may_be_json(std::span<const std::byte> first);

// The command with the names filled in: "pack-data images 'a b.png' -o 'a b.h5'". stdin cannot be
// read again by name, so FILE stays.
[[nodiscard]] std::string command_for(const Signature& signature, const std::string& name);
// The command that takes a folder where a file is expected.
[[nodiscard]] std::string command_for_folder(const std::string& name);

// A data error: "is a PNG picture, not an HDF5 file", with the command as its hint; where the kind
// is not known "is not an HDF5 file". Where another hint helps more than the command, it takes its
// place.
[[noreturn]] void fail_as_foreign(std::span<const std::byte> first, const std::string& name,
                                  const std::string& expected, const std::string& hint = {});

}  // namespace logpx
