// Circuits of tables: which leaves columns have, parts that learn alone, what rows choose.
#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/base/index.hpp"
#include "libcore/families/pc/family.hpp"
#include "libcore/families/pc/model.hpp"
#include "libcore/families/pc/structures/table.hpp"
#include "libcore/families/pc/tables/part_weights.hpp"
#include "tests/support/mixed_table.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <map>
#include <numeric>

namespace logpx::table_test {

using namespace logpx::pc;
using namespace logpx::testing;

namespace {

Config config_of(const HeldRows& held, std::int64_t trees, std::int64_t blocks) {
  Config config;
  config.trees = trees;
  config.blocks = blocks;
  config.hidden = 3;
  config.block_states = 3;
  config.settle(held.info);
  return config;
}

Circuit circuit_of(const HeldRows& held, const Config& config) {
  Workers alone(1);
  return make_circuit(config, {}, held.examples(), alone, Rng(1));
}

// Numbers that are valid for every block, the same by the id behind the name of a part.
void draw(const PassPlan& plan, std::span<double> theta) {
  for (int b = 0; b < std::ssize(plan.circuit().blocks); ++b) {
    const Block& block = plan.block(b);
    const auto seed = static_cast<std::uint64_t>(block.id.size()) + 17 * at(block.size) +
                      31 * static_cast<std::uint64_t>(block.id.back());
    const Substream draws = Rng(seed).stream(Stream::test);
    if (const JointForm* const form = plan.joint(b)) {
      for (std::int64_t j = 0; j < block.size; ++j)
        place_joint(*form, {.mean = {}, .deviation = {20, 1}, .least = {0.7, 0.01}},
                    std::vector<double>{static_cast<double>(10 * j), static_cast<double>(j) - 1}, 1,
                    theta.subspan(at(plan.range(b, 0).begin + j * form->parameters()),
                                  at(form->parameters())));
      continue;
    }
    for (std::size_t t = 0; t < plan.tensors(b).size(); ++t) {
      const BlockRange range = plan.range(b, t);
      const std::span<double> values = theta.subspan(at(range.begin), at(range.end - range.begin));
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = 0.2 + draws.uniform(i);
      if (plan.leaf(b) != nullptr) continue;
      const auto width = at(plan.tensors(b)[t].shape.back());
      for (std::size_t row = 0; row < values.size(); row += width) {
        const double sum =
            std::accumulate(values.begin() + static_cast<std::ptrdiff_t>(row),
                            values.begin() + static_cast<std::ptrdiff_t>(row + width), 0.0);
        for (std::size_t i = row; i < row + width; ++i) values[i] /= sum;
      }
    }
  }
}

// Slopes of the parameters of each block, by its id, without the name of a part.
std::map<std::string, std::vector<double>> slopes_of(const HeldRows& held, const Config& config,
                                                     Parts parts, const std::string& part) {
  const PcModel model(config, held.info, circuit_of(held, config));
  const PassPlan& plan = model.plan();
  std::vector<double> theta(at(model.param_set().block_size())), slopes(theta.size()),
      nats(at(held.rows.count));
  draw(plan, theta);
  const Columns columns = model.rows().take_all(held.examples());
  Pass<double>(plan, {.columns = columns.count, .parts = parts})
      .add_slopes(theta, columns, nats, slopes);
  std::map<std::string, std::vector<double>> by_id;
  for (int b = 0; b < std::ssize(plan.circuit().blocks); ++b) {
    if (!plan.block(b).id.starts_with(part + '.')) continue;
    std::vector<double>& own = by_id[plan.block(b).id.substr(part.size())];
    for (std::size_t t = 0; t < plan.tensors(b).size(); ++t)
      own.insert(own.end(), slopes.begin() + plan.range(b, t).begin,
                 slopes.begin() + plan.range(b, t).end);
  }
  return by_id;
}

}  // namespace

TEST_CASE("pc: columns of a table have leaves by their values") {
  const HeldRows held = mixed_table(200);
  const Circuit circuit = circuit_of(held, config_of(held, 1, 1));
  const std::vector<Variable>& variables = circuit.variables;
  CHECK(variables[0].categories == 3);  // two words, and what is new
  CHECK(variables[1].values == std::vector<double>{-1.5, 7});
  CHECK(variables[1].open);
  CHECK(variables[2].whole);
  CHECK(variables[3].categories == 0);
  CHECK_FALSE(variables[3].whole);
  CHECK(variables[4].values == std::vector<double>{7.5});
  CHECK(circuit.densities() == std::vector<std::string>{"real"});
}

TEST_CASE("pc: the kinds of columns say which numbers are whole") {
  HeldRows held = mixed_table(200);
  const auto variables_of = [&](ColumnKind kind) {
    held.info.column_forms.assign(5, ColumnForm());
    held.info.column_forms[2].kind = kind;
    return circuit_of(held, config_of(held, 1, 0)).variables;
  };
  CHECK_FALSE(variables_of(ColumnKind::number)[2].whole);
  CHECK(variables_of(ColumnKind::whole)[2].whole);
  CHECK(variables_of(ColumnKind::date)[2].whole);
  // Floats hold whole numbers beyond 2^24, too.
  const float far = 0x1p30F;
  std::memcpy(held.rows.x.data() + 2 * sizeof(float), &far, sizeof(float));
  CHECK(variables_of(ColumnKind::whole)[2].whole);
  CHECK(variables_of(ColumnKind::whole)[1].values == std::vector<double>{-1.5, 7});
}

TEST_CASE("pc: new words and values have a probability, and with --unknown error are refused") {
  HeldRows held = mixed_table(200);
  const Config config = config_of(held, 1, 0);
  const PcModel model(config, held.info, circuit_of(held, config));
  float few = 3;
  std::memcpy(held.rows.x.data() + sizeof(float), &few, sizeof(float));
  CHECK(model.rows().take_all(held.examples()).x[200] == 2);
  Config strict = config;
  strict.unknown = UnknownValues::error;
  const HeldRows before = mixed_table(200);
  const PcModel other(strict, before.info, circuit_of(before, strict));
  CHECK_THROWS_AS(static_cast<void>(other.rows().take_all(held.examples())), Error);
}

TEST_CASE("pc: parts of a table's circuit learn as if each were alone") {
  const HeldRows held = mixed_table(40);
  const Config both = config_of(held, 1, 1);
  for (const char* part : {"tree1", "block1"}) {
    const bool tree = part[0] == 't';
    const Config one = config_of(held, tree ? 1 : 0, tree ? 0 : 1);
    const auto beside = slopes_of(held, both, Parts::alone, part),
               alone = slopes_of(held, one, Parts::mixed, part);
    REQUIRE(beside.size() == alone.size());
    for (const auto& [id, slopes] : alone)
      for (std::size_t i = 0; i < slopes.size(); ++i)
        CHECK(beside.at(id)[i] == doctest::Approx(slopes[i]).epsilon(1e-9));
  }
}

TEST_CASE("pc: parts are mixed as held-out rows say") {
  // The second of three parts is best for two rows, the third for one, the first for none.
  const std::vector<double> weights = mixing_weights({{-9, -9, -9}, {-1, -1, -8}, {-8, -8, -1}});
  CHECK(weights[0] < 1e-6);
  CHECK(weights[1] == doctest::Approx(2.0 / 3).epsilon(0.01));
}

TEST_CASE("pc: rows of a table choose states and weights, whatever the number of threads") {
  const HeldRows held = mixed_table(60);
  std::vector<std::string> chosen;
  for (const int threads : {1, 3}) {
    Settings settings;
    settings.model.trees = 2;
    settings.model.blocks = 1;
    Fields given;
    settings.describe(given);
    Workers workers(threads);
    choose_by_rows(settings, {.train = held.examples()}, Rng(3),
                   {.workers = workers, .given = &given});
    CHECK(settings.model.structure == "table");
    CHECK(settings.model.hidden > 0);
    chosen.push_back(settings.model.part_weights + ' ' + std::to_string(settings.model.hidden));
  }
  CHECK(chosen[0] == chosen[1]);
}

}  // namespace logpx::table_test
