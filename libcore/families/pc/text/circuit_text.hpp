// A circuit as text: what `--structure file:F` reads, and what a model stores of its structure.
// [pc/README 4.4]
//
//   {"variables": [{"name": "x0", "cats": 3}], "root": "r", "blocks": [
//     {"id": "l", "type": "leaf", "var": 0, "params": [[0.1, 0.2, 0.7], [0.5, 0.25, 0.25]]},
//     {"id": "r", "type": "sum", "children": ["l"], "weights": [[0.4, 0.6]]}]}
//
// Leaves have "dist": categorical (the default), bernoulli, binomial, gaussian, dlogistic or
// dgaussian; a row of "params" is then p, p, mean and deviation, mu and s, or mean and deviation.
// Variables of real numbers have no "cats"; those that are whole are "whole": true, and dgaussian.
// A gaussian with "vars" in the place of "var" is one of several variables: a row holds the mean
// and, row by row, the lower triangle of the covariance's Cholesky factor.
// Categories of numbers are what "values" lists; where a variable is "open": true, the last one is
// for values that are new. The last node of a leaf that is "broad": true does not learn.
// Blocks may stand in any order. A sum has "kind": "dense" (the default), "mixing", or "monarch"
// with "m", "n" and "program"; a product "hadamard" (the default) or "kronecker"; a chain has one
// block of type "carry" and names what it carries: "carried". "tied_to" names a block whose
// parameters serve two. A leaf of "dist": "indicator" has a "value" in the place of parameters.
// With "styles" beside "root", a leaf that is "styled" has a matrix for each of them; "style_prior"
// holds their frequencies, and "style_values" a row of values' frequencies for each; both decide
// the style of a row. Where either is absent styles are learned. Instead of parameters a leaf or
// sum may have a "size" alone. "ln_z" stands in products that are not normalised.
#pragma once

#include "libcore/families/pc/circuit/circuit.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace logpx::pc {

struct CircuitText {
  Circuit circuit;
  // By block: all tensors one behind the other, as stored; empty where none are given.
  std::vector<std::vector<double>> weights;
  std::vector<double> style_prior = {}, style_values = {};  // as stored; empty: not given
};

// Throws a data error that names `name` and lists all faults.
[[nodiscard]] CircuitText read_circuit(std::string_view text, const std::string& name);
// One block per line: the same circuit gives the same text. Numbers are written to all digits.
[[nodiscard]] std::string write_circuit(const CircuitText& whole);
// Without numbers, as a model stores it: a data error where it is too long to be read back.
[[nodiscard]] std::string write_circuit(const Circuit& circuit);

// Throws a data error where a text is longer than circuits may be.
void require_length(std::string_view text, const std::string& name);

}  // namespace logpx::pc
