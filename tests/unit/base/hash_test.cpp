#include "libcore/base/hash.hpp"

#include <doctest/doctest.h>

#include <array>

namespace logpx::hash_test {

TEST_CASE("hash: SHA-256 agrees with the published vectors") {
  CHECK(sha256_hex("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(sha256_hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  Sha256 parts;
  parts.update("a");
  parts.update("bc");
  CHECK(parts.hex() == sha256_hex("abc"));
}

TEST_CASE("hash: the content hash is of sorted lines, whatever the order of adding") {
  const std::array<std::int64_t, 2> shape = {2, 3};
  ContentHash one, two;
  one.add("/x", "u8", shape, "aa");
  one.add("@kind", "str", {}, "bb");
  two.add("@kind", "str", {}, "bb");
  two.add("/x", "u8", shape, "aa");
  CHECK(one.hex() == two.hex());
  CHECK(one.hex() == sha256_hex("/x u8 2x3 aa\n@kind str  bb\n"));
}

TEST_CASE("hash: two texts of lines differ first at the smallest path that only one has so") {
  const std::string lines = "/a b f32 2 aa\n/c u8  bb\n@kind str  cc\n";
  CHECK(first_difference(lines, lines) == "");
  CHECK(first_difference(lines, "/a b f32 2 aX\n/c u8  bX\n@kind str  cc\n") == "/a b");
  CHECK(first_difference(lines, "/a b f32 2 aa\n/c u16  bb\n@kind str  cc\n") == "/c");
  CHECK(first_difference(lines, "/a b f32 2 aa\n@kind str  cc\n") == "/c");
  CHECK(first_difference("/a b f32 2 aa\n@kind str  cc\n", lines) == "/c");
  CHECK(first_difference(lines, "/a b f32 2 aa\n/c u8  bb\n") == "@kind");
  CHECK(first_difference("", lines) == "/a b");
}

}  // namespace logpx::hash_test
