#include "libcore/base/error.hpp"
#include "tests/support/coding_models.hpp"
#include "tools/archives/block_forms.hpp"
#include "tools/archives/capsule.hpp"
#include "tools/archives/coding_model.hpp"
#include "tools/archives/member_choice.hpp"
#include "tools/archives/names.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>

namespace logpx::parts_test {

using namespace logpx::compress;

TEST_CASE("binary16: every value of sixteen bits is widened exactly and found again") {
  for (std::uint32_t half = 0; half < 65536; ++half) {
    const float wide = from_binary16(static_cast<std::uint16_t>(half));
    if (std::isnan(wide)) continue;
    CHECK(to_binary16(wide) == half);
  }
  CHECK(from_binary16(0x3c00) == 1.0F);
  CHECK(from_binary16(0xc100) == -2.5F);
  CHECK(from_binary16(0x0001) == 0x1p-24F);
  CHECK(from_binary16(0x7bff) == 65504.0F);
}

TEST_CASE("binary16: rounding is to nearest and ties go to even") {
  for (std::uint32_t half = 0; half < 0x7bff; ++half) {
    const auto low = static_cast<std::uint16_t>(half), high = static_cast<std::uint16_t>(half + 1);
    const float middle = (from_binary16(low) + from_binary16(high)) / 2;  // exact in 24 bits
    CHECK(to_binary16(middle) == (half % 2 == 0 ? low : high));
    CHECK(to_binary16(std::nextafter(middle, 0.0F)) == low);
    CHECK(to_binary16(std::nextafter(middle, 1e9F)) == high);
  }
  CHECK(to_binary16(65520.0F) == 0x7c00);
  CHECK(to_binary16(std::nextafter(65520.0F, 0.0F)) == 0x7bff);
  CHECK(to_binary16(-1e30F) == 0xfc00);
  CHECK(to_binary16(-0.0F) == 0x8000);
}

TEST_CASE("capsule: a model comes back the same and every truncation is refused") {
  register_coding_models();
  ToyVaeModel model{ToyVaeConfig()};
  model.randomise();
  const archive::ByteVector whole = make_capsule(model, CapsulePrecision::whole);
  const archive::ByteVector half = make_capsule(model, CapsulePrecision::half);
  CHECK(half.size() < whole.size());
  CHECK(identity_of(*open_capsule(whole)) == identity_of(model));
  const auto rounded = open_capsule(half);
  CHECK(identity_of(*rounded) != identity_of(model));
  CHECK(make_capsule(*rounded, CapsulePrecision::half) == half);
  for (std::size_t size = 0; size < whole.size(); ++size)
    CHECK_THROWS_AS((void)open_capsule(archive::ByteView(whole).first(size)), Error);
  archive::ByteVector later = whole;
  later[4] = std::byte{7};
  CHECK_THROWS_WITH_AS((void)open_capsule(later), "embedded model: has form 7, expected form 1",
                       Error);
}

TEST_CASE("names: a stored name never leads elsewhere") {
  CHECK(safe_name("a.txt", 1) == "a.txt");
  CHECK(safe_name("/etc/passwd", 1) == "passwd");
  CHECK(safe_name("../../x y", 1) == "x y");
  for (const char* name : {"", ".", "..", "a/..", "dir/", "-rf", "a\nb", "a\x1b[2J", "x\x7f"})
    CHECK(safe_name(name, 7) == "lpx-member-7");
  CHECK(safe_path("dir/sub/a.txt", 1) == "dir/sub/a.txt");
  for (const char* name : {"", "/a", "../a", "a/../b", "a//b", "a/", "./a", "a/-rf", "a\n/b"})
    CHECK(safe_path(name, 7) == "lpx-member-7");
  CHECK(safe_path(std::string(256, 'n'), 7) == "lpx-member-7");
  CHECK(shown("a\nb\x1b") == "a\\x0ab\\x1b");
}

TEST_CASE("names: a member that is called as another's stand-in gets its own number") {
  for (const auto& name_of : {safe_name, safe_path}) {
    CHECK(name_of("lpx-member-1", 2) == "lpx-member-2");
    CHECK(name_of("lpx-member-1", 1) == "lpx-member-1");
    CHECK(name_of("lpx-member-one", 2) == "lpx-member-one");
  }
  CHECK(safe_name("dir/lpx-member-1", 2) == "lpx-member-2");
  CHECK(safe_path("dir/lpx-member-1", 2) == "dir/lpx-member-1");  // where no stand-in lies
}

TEST_CASE("members: chosen by name, folder or number, and a word that asks for none is named") {
  MemberChoice choice({"b", "dir", "4"});
  std::string taken;
  std::uint64_t number = 0;
  for (const char* name : {"a", "b", "dir/x", "c", "directory"})
    taken += choice.takes(name, ++number) ? '1' : '0';
  CHECK(taken == "01110");
  choice.require_all_met();
  MemberChoice none({"bb"});
  CHECK_FALSE(none.takes("ab", 1));
  CHECK_THROWS_AS(none.require_all_met(), Error);
}

TEST_CASE("parameters: what no encoder writes is refused") {
  const auto parse = [](const char* text) { return Parameters::parse(Json::parse(text, "text")); };
  CHECK(parse("{}").codec == "none");
  const std::string good =
      R"({"codec":"vae","block_items":5,"lanes":2,"item_shape":[4,4,1],"levels":2,)"
      R"("items":"symbols","settings":{},"probe":"0123456789abcdef"})";
  CHECK(parse(good.c_str()).units.item->shape.size() == 16);
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    CHECK_THROWS_AS((void)parse(text.c_str()), Error);
  };
  changed("[4,4,1]", "[4,4]");
  changed("[4,4,1]", "[4,0,1]");
  changed("[4,4,1]", "[9999999,9999999,9999999]");
  changed("\"lanes\":2", "\"lanes\":3");
  changed("\"lanes\":2", "\"lanes\":16");
  changed("\"levels\":2", "\"levels\":1");
  changed("\"levels\":2", "\"levels\":257");
  changed("\"block_items\":5", "\"block_items\":0");
  changed("symbols", "things");
  for (const char* items : {"symbols", "runs"}) {
    std::string text = good;
    text.replace(text.find("symbols"), 7, items);
    CHECK(parse(text.c_str()).json() == parse(parse(text.c_str()).json().dump().c_str()).json());
    CHECK(parse(text.c_str()).units.sequence);
    CHECK(parse(text.c_str()).units.short_last == (items[0] == 'r'));
  }
  // Defaults may be left out.
  std::string brief = good;
  for (const char* part : {"\"lanes\":2,", "\"items\":\"symbols\",", "\"block_items\":5,"})
    brief.replace(brief.find(part), std::strlen(part), "");
  CHECK(parse(brief.c_str()).units.block_items == 512);
  CHECK(parse(brief.c_str()).lanes == 1);
  CHECK_FALSE(parse(brief.c_str()).units.sequence);
  changed("\"settings\":{}", "\"settings\":{},\"alphabet\":[1,1]");
  changed("\"probe\":\"0123456789abcdef\"", "\"probe\":3");
  changed("0123456789abcdef", "0123456789abcde");
}

TEST_CASE("block forms: pixels of two, six and eight bytes may be samples of 16 bits") {
  using codec::adaptive::Form, codec::adaptive::Kind;
  const auto forms_of = [](std::int64_t width, std::int64_t channels) {
    const archive::BlockView view{.rasters = {{{20, width, channels}, 1}}};
    std::vector<Form> forms = known_forms(view, {}, false);
    std::erase_if(forms, [](const Form& form) { return form.kind != Kind::samples; });
    return forms;
  };
  for (const int channels : {2, 6, 8}) {
    const std::vector<Form> forms = forms_of(30, channels);
    REQUIRE(forms.size() == 1);
    CHECK(forms[0].samples.channels == channels / 2);
    CHECK(forms[0].samples.bytes == 2);
    CHECK(forms[0].samples.order == codec::adaptive::ByteOrder::big);
    CHECK(forms[0].row == 30 * channels);
    CHECK(forms[0].plane == 20 * 30 * channels);
    CHECK(forms_of(7, channels).empty());  // too few in a row
  }
  for (const int channels : {1, 3, 4}) CHECK(forms_of(30, channels).empty());
}

TEST_CASE("block forms: colours are tried as a drawing where many pixels equal the one before") {
  using codec::adaptive::Form, codec::adaptive::Kind;
  const auto is_tried = [](Kind kind, std::int64_t channels, std::size_t alike) {
    const archive::BlockView view{.rasters = {{{20, 30, channels}, 1}}};
    archive::ByteVector raw(static_cast<std::size_t>(20 * 30 * channels));
    for (std::size_t i = 0; i < raw.size(); ++i)
      raw[i] = static_cast<std::byte>(i / (alike * static_cast<std::size_t>(channels)));
    return std::ranges::count(known_forms(view, raw, false), kind, &Form::kind) == 1;
  };
  CHECK(is_tried(Kind::rgba, 4, 1));
  CHECK_FALSE(is_tried(Kind::drawn_rgb, 3, 1));
  CHECK(is_tried(Kind::drawn_rgb, 3, 2));  // every second pixel
  CHECK_FALSE(is_tried(Kind::drawn_rgb, 1, 4));
}

}  // namespace logpx::parts_test
