#include "libcore/train/presets.hpp"

#include "libcore/base/fields.hpp"
#include "libcore/families/vae/family.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

namespace logpx::presets_test {
namespace {

struct Toy {
  int width = 5;
};

std::string settings_text(vae::Settings settings) {
  Fields fields;
  settings.describe(fields);
  std::string text;
  for (const Field& field : fields.all()) text += field.key() + '=' + field.text() + ' ';
  return text;
}

}  // namespace

TEST_CASE("presets: a name applies its settings, and an unknown one lists those there are") {
  const Presets<Toy> all = {{"usual", [](Toy&) {}, "as it is"},
                            {"wide", [](Toy& toy) { toy.width = 9; }, "wider"}};
  CHECK(all.names() == std::vector<std::string>{"usual", "wide"});
  Toy toy;
  all.apply("wide", toy);
  CHECK(toy.width == 9);
  CHECK_THROWS_WITH_AS(all.apply("narrow", toy), "--preset: 'narrow' is not one of usual, wide",
                       Error);
}

TEST_CASE("presets: those of a family are named once, the first is the defaults, one is tiny") {
  const Presets<vae::Settings>& all = vae::Settings::presets();
  std::set<std::string> settings;
  for (const std::string& name : all.names()) {
    vae::Settings changed;
    all.apply(name, changed);
    CHECK(settings.insert(settings_text(changed)).second);  // no two presets alike
  }
  vae::Settings first;
  all.apply(all.names().front(), first);
  CHECK(settings_text(first) == settings_text({}));
  CHECK(std::ranges::count(all.names(), "tiny") == 1);
}

}  // namespace logpx::presets_test
