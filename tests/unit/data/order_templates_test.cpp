#include "libcore/base/error.hpp"
#include "libcore/data/molecule_rows.hpp"
#include "libcore/data/order_templates.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace logpx::order_templates_test {
namespace {

// Three molecules with room for three atoms: two of three, and one of a single atom.
struct Traced {
  Traced() {
    rows.count = 3;
    rows.x.resize(rows.count * info.row_bytes());
    const std::vector<Molecule> molecules = {{.atoms = {0, 0, 1}, .bonds = {1, 0, 2}},
                                             {.atoms = {0, 0, 0}, .bonds = {1, 1, 1}},
                                             {.atoms = {1}}};
    for (std::size_t i = 0; i < molecules.size(); ++i) {
      store_molecule(molecules[i], rows.values<std::uint8_t>().subspan(6 * i, 6));
      rows.length.push_back(static_cast<std::int32_t>(molecules[i].size()));
    }
  }
  [[nodiscard]] ValueOrders orders() const { return {.count = 3, .order = steps}; }

  DatasetInfo info = molecules_info(AtomTypes::of_elements({"C", "O"}), 3);
  Rows rows;
  std::vector<std::int32_t> steps = {3, 5, 4, 0, 1, 2, 0, 3, 1, 4, 2, 5, 0, -1, -1, -1, -1, -1};
};

}  // namespace

TEST_CASE(
    "orders: steps of molecules are bonds, pairs without one and atoms, runs of them a template") {
  const Traced traced;
  const auto kinds = [&](std::int64_t row) {
    return kinds_of_steps(traced.info, traced.rows, traced.orders(), row);
  };
  CHECK(kinds(0) == "EENAAA");
  CHECK(kinds(1) == "AEAEAE");
  CHECK(kinds(2) == "A");
  CHECK(order_template("EENAAA") == "ENA");
  CHECK(order_template("AEAEAE") == "AEAEAE");
  CHECK(order_template("").empty());
}

TEST_CASE("orders: figures of templates are shares, mean places and agreement") {
  const Traced traced;
  const auto figures_of = [&](const char* wanted) {
    return template_figures(traced.info, traced.rows, traced.orders(), wanted);
  };
  const TemplateFigures all = figures_of("ENA");
  using Share = std::pair<std::string, double>;
  CHECK(all.shares == std::vector<Share>{{"A", 1.0 / 3}, {"AEAEAE", 1.0 / 3}, {"ENA", 1.0 / 3}});
  CHECK(all.equal == doctest::Approx(1.0 / 3));
  // Bonds at steps 0, 1 and 1, 3, 5 of 0 to 5; the other pair at 2; atoms at 3, 4, 5 and 0, 2, 4.
  CHECK(all.ranks[0] == doctest::Approx(10.0 / 25));
  CHECK(all.ranks[1] == doctest::Approx(2.0 / 5));
  CHECK(all.ranks[2] == doctest::Approx(18.0 / 30));
  // Pairs of parts: all 11 as wanted; of the ring 3 of 9, in reverse 6.
  CHECK(all.tau == doctest::Approx((1.0 - 3.0 / 9) / 2));
  CHECK(figures_of("ANE").tau == doctest::Approx(-all.tau));
  CHECK(figures_of("ANE").equal == 0);
}

TEST_CASE("orders: what no molecule has takes no place") {
  Traced traced;
  traced.rows.count = 1;
  traced.steps = {0, -1, -1, -1, -1, -1};
  Rows single = traced.rows;
  single.x.assign(traced.rows.x.end() - 6, traced.rows.x.end());
  single.length = {1};
  const TemplateFigures figures =
      template_figures(traced.info, single, {.count = 1, .order = traced.steps}, "ENA");
  CHECK(std::isnan(figures.ranks[0]));
  CHECK(std::isnan(figures.tau));
}

TEST_CASE("orders: a part that a molecule lacks is no step of it") {
  Traced traced;
  traced.steps[12] = 1;
  CHECK_THROWS_AS(template_figures(traced.info, traced.rows, traced.orders(), "ENA"), Error);
}

}  // namespace logpx::order_templates_test
