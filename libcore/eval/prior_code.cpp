#include "libcore/eval/prior_code.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/math/panel_cdf.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string_view>
#include <utility>

namespace logpx {
namespace {

constexpr int equal_cells = 64;

// How code begins, and the code of one component. Names in braces are filled in.
struct Template {
  const char *opening, *component, *list_open, *list_close;
};

constexpr Template c_template = {
    R"(/* Densities of a prior, with formulas for their energies. */
#include <math.h>

/* The mass of exp(log_density) between a and b: a Gauss rule of 5 nodes. */
static double prior_mass(double (*log_density)(double), double a, double b) {
  static const double node[5] = {-0.906179845938664, -0.5384693101056831, 0, 0.5384693101056831,
                                 0.906179845938664};
  static const double weight[5] = {0.23692688505618908, 0.47862867049936647, 0.5688888888888889,
                                   0.47862867049936647, 0.23692688505618908};
  double sum = 0, half = (b - a) / 2;
  int i;
  for (i = 0; i < 5; ++i) sum += weight[i] * exp(log_density(a + half * (1 + node[i])));
  return half * sum;
}

/* The z below which the mass is u: edge and cdf hold the distribution function. */
static double prior_quantile(double (*log_density)(double), const double *edge, const double *cdf,
                             int cells, double u) {
  double a, b, start;
  int i, cell = 0;
  while (cell < cells - 1 && cdf[cell + 1] < u) ++cell;
  start = a = edge[cell];
  b = edge[cell + 1];
  for (i = 0; i < 60; ++i) {
    double z = (a + b) / 2;
    if (cdf[cell] + prior_mass(log_density, start, z) < u) a = z;
    else b = z;
  }
  return (a + b) / 2;
}
)",
    R"(
/* Component ({q},{p}): f(z) = {formula}; KL(p || this) = {kl} nats. */
double energy_{q}_{p}(double z) { return {energy}; }
double log_density_{q}_{p}(double z) {
  if (!(z >= {low} && z <= {high})) return -INFINITY;
  return energy_{q}_{p}(z) + {base} - ({log_z});
}
double quantile_{q}_{p}(double u) {
  static const double edge[] = {edges};
  static const double cdf[] = {cdf};
  return prior_quantile(log_density_{q}_{p}, edge, cdf, {cells}, u);
}
)",
    "{", "}"};

constexpr Template python_template = {
    R"(# Densities of a prior, with formulas for their energies.
import bisect
import math


def prior_mass(log_density, a, b):
    """The mass of exp(log_density) between a and b: a Gauss rule of 5 nodes."""
    nodes = (-0.906179845938664, -0.5384693101056831, 0.0, 0.5384693101056831, 0.906179845938664)
    weights = (0.23692688505618908, 0.47862867049936647, 0.5688888888888889,
               0.47862867049936647, 0.23692688505618908)
    half = (b - a) / 2
    return half * sum(w * math.exp(log_density(a + half * (1 + x)))
                      for x, w in zip(nodes, weights))


def prior_quantile(log_density, edge, cdf, u):
    """The z below which the mass is u: edge and cdf hold the distribution function."""
    cell = min(max(bisect.bisect_left(cdf, u) - 1, 0), len(edge) - 2)
    start = a = edge[cell]
    b = edge[cell + 1]
    for _ in range(60):
        z = (a + b) / 2
        if cdf[cell] + prior_mass(log_density, start, z) < u:
            a = z
        else:
            b = z
    return (a + b) / 2
)",
    R"(

# Component ({q},{p}): f(z) = {formula}; KL(p || this) = {kl} nats.
def energy_{q}_{p}(z):
    return {energy}


def log_density_{q}_{p}(z):
    if not {low} <= z <= {high}:
        return -math.inf
    return energy_{q}_{p}(z) + {base} - ({log_z})


def quantile_{q}_{p}(u):
    edge = {edges}
    cdf = {cdf}
    return prior_quantile(log_density_{q}_{p}, edge, cdf, u)
)",
    "[", "]"};

using Names = std::vector<std::pair<std::string_view, std::string>>;

std::string filled_in(std::string_view text, const Names& names) {
  std::string out;
  while (!text.empty()) {
    const auto found = std::ranges::find_if(names, [&](const auto& name) {
      return text.starts_with('{') && text.substr(1).starts_with(name.first) &&
             text.substr(1 + name.first.size()).starts_with('}');
    });
    if (found == names.end()) {
      out += text.front();
      text.remove_prefix(1);
    } else {
      out += found->second;
      text.remove_prefix(found->first.size() + 2);
    }
  }
  return out;
}

// log pi0, for z where it has mass.
std::string base_code(const BaseDensity& base, CodeLanguage language) {
  const bool in_c = language == CodeLanguage::c;
  const double scale = std::log(base.sd) + std::log(2 * std::numbers::pi) / 2;
  const auto bell = [&](const std::string& x) {
    const std::string off = "(" + x + " - (" + to_text(base.mean) + ")) / " + to_text(base.sd);
    return (in_c ? "-0.5 * pow(" + off + ", 2)" : "-0.5 * (" + off + ")**2") + " - (" +
           to_text(scale) + ")";
  };
  const std::string log_z = in_c ? "log(z)" : "math.log(z)";
  switch (base.kind) {
    case BaseDensity::Kind::none:
    case BaseDensity::Kind::uniform: return "0";
    case BaseDensity::Kind::gaussian: return bell("z");
    case BaseDensity::Kind::lognormal: return bell(log_z) + " - " + log_z;
  }
  LOGPX_ASSERT(false);
}

// Equal cells, and an edge wherever there is a kink.
std::vector<double> cell_edges(const PanelCdf& density, const PriorComponent& component) {
  std::vector<double> edges;
  for (int i = 0; i <= equal_cells; ++i)
    edges.push_back(density.low() + (density.high() - density.low()) * i / equal_cells);
  for (const double inner : component.breaks)
    if (inner > density.low() && inner < density.high()) edges.push_back(inner);
  std::ranges::sort(edges);
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

std::string list_text(const std::vector<double>& values, const Template& form) {
  std::vector<std::string> texts;
  for (const double value : values) texts.push_back(to_text(value));
  std::string text = form.list_open, line;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::string item = texts[i] + (i + 1 < texts.size() ? ", " : "");
    if (line.size() + item.size() > 88) {
      text += "\n        " + line;
      line.clear();
    }
    line += item;
  }
  return text + "\n        " + line + form.list_close;
}

std::string component_code(const ToldComponent& told, CodeLanguage language, const Template& form) {
  const Formula& formula = told.facts.symbolic.best().formula;
  const PriorComponent component = with_formula(told.component, formula);
  const PanelCdf density(density_of(component));
  const std::vector<double> edges = cell_edges(density, component);
  std::vector<double> cdf;
  for (const double edge : edges) cdf.push_back(density.cdf(edge));
  return filled_in(form.component, {{"q", std::to_string(component.q)},
                                    {"p", std::to_string(component.p)},
                                    {"formula", formula_text(formula)},
                                    {"kl", four_digits(told.facts.kl_to_symbolic)},
                                    {"energy", formula_code(formula, language)},
                                    {"low", to_text(density.low())},
                                    {"high", to_text(density.high())},
                                    {"base", base_code(component.base, language)},
                                    {"log_z", to_text(density.log_total())},
                                    {"edges", list_text(edges, form)},
                                    {"cdf", list_text(cdf, form)},
                                    {"cells", std::to_string(edges.size() - 1)}});
}

}  // namespace

std::string prior_code(const std::vector<ToldComponent>& components, CodeLanguage language) {
  const Template& form = language == CodeLanguage::c ? c_template : python_template;
  std::string text = form.opening;
  for (const ToldComponent& told : components) text += component_code(told, language, form);
  return text;
}

}  // namespace logpx
