// Circuits of pictures in colour, read as brightness and two differences.   [pc/README 11]
#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/codec/sequence.hpp"
#include "libcore/families/pc/family.hpp"
#include "libcore/families/pc/task.hpp"
#include "libcore/families/registry.hpp"
#include "tests/support/scheme_check.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace logpx::colours_test {

using namespace logpx::pc;

namespace {

constexpr std::int64_t pixels = 2;

// Rows of two pixels; the first four are all corners of the cube of colours.
HeldRows pictures(std::int64_t count) {
  HeldRows held;
  held.info.name = "pictures";
  held.info.shape = {1, pixels, 3};
  held.info.n = count;
  held.info.levels = 256;
  held.info.value_max = 255;
  held.rows.count = count;
  const Substream draws = Rng(3).stream(Stream::test);
  for (std::int64_t i = 0; i < count * pixels; ++i)
    for (std::int64_t c = 0; c < 3; ++c) {
      const std::int64_t corner = (i >> c & 1) != 0 ? 255 : 0,
                         other = draws.word(at(3 * i + c)) % 256;
      held.rows.x.push_back(static_cast<std::byte>(i < 8 ? corner : other));
    }
  return held;
}

Trainee trainee_of(const HeldRows& held, Workers& workers) {
  Settings settings = Settings::presets().make("tiny");
  settings.model.structure = "mixture";
  settings.model.hidden = 2;
  settings.model.transform = Transform::ycocg_r;
  return make_trainee(settings, {.train = held.examples()}, Rng(1), {.workers = workers});
}

const PcModel& circuit_of(const Trainee& trainee) {
  return dynamic_cast<const PcModel&>(*trainee.model);
}

std::vector<double> values_of(const PcModel& model, const std::string& tensor) {
  const ParamSet& params = model.param_set();
  const auto found = std::ranges::find(params.infos(), tensor, &ParamInfo::name);
  const float* const first = params.block().data() + found->offset;
  return {first, first + found->shape.elements()};
}

}  // namespace

TEST_CASE("pc colours: log p of a picture is that of its brightness and differences") {
  Workers alone(1);
  const HeldRows held = pictures(6);
  const Trainee trainee = trainee_of(held, alone);
  const PcModel& model = circuit_of(trainee);
  const std::vector<double> log_p = model.log_p(held.examples());
  const std::vector<double> weights = values_of(model, "root/w");
  const PictureSymbols reader(held.info.shape, 256, Transform::ycocg_r);
  const auto stored = held.rows.values<std::uint8_t>();
  for (std::size_t row = 0; row < log_p.size(); ++row) {
    std::vector<std::uint32_t> symbols(reader.size());
    reader.from_item(stored.subspan(row * reader.size(), reader.size()), symbols);
    double p = 0;
    for (std::size_t k = 0; k < 2; ++k) {
      double product = weights[k];
      for (std::size_t v = 0; v < symbols.size(); ++v) {
        const std::size_t categories = v < pixels ? 256 : 511;
        product *=
            values_of(model, "leaf." + std::to_string(v) + "/p")[k * categories + symbols[v]];
      }
      p += product;
    }
    CHECK(log_p[row] == doctest::Approx(std::log(p)).epsilon(1e-5));
  }
}

TEST_CASE("pc colours: coding gives every byte back, and says log p") {
  Workers alone(1);
  const HeldRows held = pictures(40);
  const Trainee trainee = trainee_of(held, alone);
  const PcModel& model = circuit_of(trainee);
  const auto codec = abilities(model).code;
  const auto scheme = codec->plan()->scheme(alone);
  const std::vector<std::uint8_t> items = codec->items(held.examples());
  CHECK(std::ranges::equal(items, held.rows.values<std::uint8_t>()));
  check_inverse(*scheme, items);
  std::vector<double> nats(40);
  scheme->score(items, Rng(1), 0, nats);
  const std::vector<double> log_p = model.log_p(held.examples());
  for (std::size_t i = 0; i < nats.size(); ++i)
    CHECK(nats[i] == doctest::Approx(log_p[i]).epsilon(1e-4));
}

TEST_CASE("pc colours: known pixels stay, and what is filled or drawn is a colour") {
  Workers alone(1);
  const HeldRows held = pictures(40);
  const Trainee trainee = trainee_of(held, alone);
  const Abilities can = abilities(*trainee.model);
  const ModelQueries& queries = *can.queries;
  Evidence rows = queries.observed(held.examples());
  const Evidence whole = rows;
  const std::vector<double> log_p = circuit_of(trainee).log_p(held.examples());
  CHECK(queries.log_p(rows)[5] == doctest::Approx(log_p[5]).epsilon(1e-5));
  rows.keep_only(std::vector<std::uint8_t>{1, 0, 1, 0, 1, 0});
  for (const FillBy how : {FillBy::draws, FillBy::explanation}) {
    const FilledRows filled = queries.fill(rows, how, Rng(2), 0);
    for (std::size_t i = 0; i < filled.x.size(); ++i) {
      CHECK(filled.x[i] >= 0);
      CHECK(filled.x[i] < 256);
      if (i % pixels == 0) CHECK(filled.x[i] == whole.x[i]);
    }
  }
  Evidence part = whole;
  part.keep_only(std::vector<std::uint8_t>{1, 0, 1, 0, 0, 0});
  CHECK_THROWS_AS(static_cast<void>(queries.log_p(part)), Error);
}

TEST_CASE("pc colours: differences of colour have 511 values") {
  Config config;
  config.structure = "mixture";
  config.hidden = 2;
  const HeldRows held = pictures(4);
  config.settle(held.info);
  CHECK(config.levels_of(held.info, 5) == 256);
  config.transform = Transform::ycocg_r;
  CHECK(config.levels_of(held.info, 1) == 256);
  CHECK(config.levels_of(held.info, 2) == 511);
  CHECK(config.levels_of(held.info, 5) == 511);
}

}  // namespace logpx::colours_test
