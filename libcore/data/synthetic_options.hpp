// The options of all generators of built-in data, each once; each generator knows some, with
// defaults of its own.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace logpx {

class Fields;

struct SyntheticOptions {
  std::optional<std::string> shape = {}, cov = {};
  std::vector<std::int64_t> classes = {};
  std::vector<std::string> mixture = {}, elements = {};
  std::optional<std::int64_t> size = {}, dim = {}, components = {}, bits = {}, alphabet = {},
                              order = {}, length = {}, states = {}, min_atoms = {}, max_atoms = {};
  std::optional<double> noise = {}, sep = {}, sigma = {}, beta = {}, strength = {}, holes = {};
  bool elastic = true, glyph = false, enumerate = false, words = false;
  std::uint64_t structure_seed = 0;

  void describe(Fields& fields);
};

}  // namespace logpx
