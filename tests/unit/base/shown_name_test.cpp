#include "libcore/base/shown_name.hpp"

#include <doctest/doctest.h>

namespace logpx::shown_name_test {

TEST_CASE("shown name: what could steer a terminal or turn the text around is escaped") {
  CHECK(shown_name("a b\x1b[31m.png") == "a b\\x1b[31m.png");
  CHECK(shown_name("line\nfeed\x7f") == "line\\x0afeed\\x7f");
  CHECK(shown_name("c1 \xc2\x9b \x9b") == "c1 \\u009b \\x9b");
  CHECK(shown_name("gnp.\xe2\x80\xaeoof") == "gnp.\\u202eoof");
  CHECK(shown_name("\xe2\x81\xa6x\xd8\x9c") == "\\u2066x\\u061c");
}

TEST_CASE("shown name: letters of any alphabet stay, bytes that are not UTF-8 do not") {
  CHECK(shown_name("caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80") ==
        "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80");
  CHECK(shown_name("caf\xe9") == "caf\\xe9");
  CHECK(shown_name("\xc0\xaf\xed\xa0\x80\xf4") == "\\xc0\\xaf\\xed\\xa0\\x80\\xf4");
}

TEST_CASE("shown name: what a terminal would obey is no part of a file's name") {
  for (const char* name : {"a\x1b[31m", "line\n",
                           "\xc2\x9b"
                           "2J",
                           "\xe2\x80\xaegnp.exe", "\xef\xbb\xbf", "\x7f"})
    CHECK(holds_unseen(name));
  for (const char* name : {"", "a b.png", "caf\xc3\xa9", "caf\xe9", "\xe6\x97\xa5", "\xc2\xa0"})
    CHECK(!holds_unseen(name));
}

}  // namespace logpx::shown_name_test
