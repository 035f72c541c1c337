// make-chemnet FILE [SEED [UNITS]]: weights of ChemNet's form, drawn at random, as
// scripts/convert-chemnet would write them; with other units of the upper LSTM no longer ChemNet's.
#include "formats/basis_file.hpp"
#include "formats/file/output.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/rng.hpp"
#include "libcore/features/chemnet.hpp"

#include <cmath>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

using namespace logpx;

namespace {

struct DrawnNet {
  std::uint64_t seed;
  std::vector<std::string> names = {};
  std::vector<std::vector<float>> values = {};
  std::vector<h5::Shape> shapes = {};

  void add(const std::string& name, const h5::Shape& shape, double scale) {
    std::int64_t size = 1;
    for (const std::int64_t one : shape) size *= one;
    Cursor cursor(Rng(seed).stream(Stream::test, static_cast<std::uint32_t>(names.size())));
    names.push_back(name);
    shapes.push_back(shape);
    for (float& value : values.emplace_back(at(size)))
      value = static_cast<float>(scale * (2 * cursor.uniform() - 1));
  }
  void add_lstm(const std::string& name, std::int64_t inputs, std::int64_t units) {
    add(name + ".weight_ih", {4 * units, inputs}, 2 / std::sqrt(static_cast<double>(inputs)));
    add(name + ".weight_hh", {4 * units, units}, 1 / std::sqrt(static_cast<double>(units)));
    add(name + ".bias", {4 * units}, 0.5);
    // Gates that forget little: else the padding behind a molecule would wipe out all of it.
    for (std::int64_t unit = units; unit < 2 * units; ++unit) values.back()[at(unit)] += 5;
  }
};

void write(const std::string& path, std::uint64_t seed, std::int64_t units) {
  DrawnNet net{.seed = seed};
  net.add("conv1.weight", {32, 35, 4}, 35);
  net.add("conv2.weight", {32, 32, 4}, 0.2);
  net.add_lstm("lstm1", 32, 128);
  net.add_lstm("lstm2", 128, units);
  std::vector<TensorView> views;
  for (std::size_t i = 0; i < net.names.size(); ++i)
    views.push_back(TensorView::of<float>(net.names[i], net.values[i], net.shapes[i]));
  OutputFile out(path, Overwrite::replace);
  (void)write_basis(out, {.extractor = chemnet_name, .data = {}, .tensors = views}, Json::object());
  out.commit();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  try {
    write(argv[1], argc > 2 ? std::stoull(argv[2]) : 1, argc > 3 ? std::stoll(argv[3]) : 512);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "make-chemnet: %s\n", error.what());
    return 1;
  }
  return 0;
}
