#include "libcore/features/chemnet.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/parallel.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/golden_message.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <memory>

namespace logpx::chemnet_test {
namespace {

struct Stored {
  std::string name;
  Shape shape;
  std::vector<float> values;
};

struct SmallNet {
  ChemNetSizes sizes;
  std::vector<Stored> stored;
  explicit SmallNet(const Json& given, const Json& list)
      : sizes{given.at("first").integer(), given.at("second").integer(),
              given.at("lower").integer(), given.at("upper").integer()} {
    for (const Json& tensor : list.items()) {
      std::vector<std::int64_t> shape;
      for (const Json& size : tensor.at("shape").items()) shape.push_back(size.integer());
      const std::vector<double> values = golden::reals_of(tensor.at("values"));
      stored.push_back({tensor.at("name").string(), Shape(shape), {values.begin(), values.end()}});
    }
  }
  [[nodiscard]] std::vector<TensorRef> tensors() {
    std::vector<TensorRef> list;
    for (Stored& one : stored)
      list.push_back(TensorRef::of<float>(one.name, one.values, one.shape));
    return list;
  }
};

// Null without the golden file.
std::unique_ptr<SmallNet> small_net() {
  const Json* sizes = golden::field("chemnet", "sizes");
  if (sizes == nullptr) return nullptr;
  return std::make_unique<SmallNet>(*sizes, *golden::field("chemnet", "tensors"));
}

std::vector<std::string> many_molecules(std::int64_t count) {
  std::vector<std::string> texts;
  for (std::int64_t i = 0; i < count; ++i)
    texts.push_back(std::string(at(1 + i % 40), 'C') + (i % 3 == 0 ? "(=O)O" : "Cl"));
  return texts;
}

}  // namespace

TEST_CASE("golden chemnet: features of molecules") {
  const auto small = small_net();
  if (!small) return;
  const ChemNet net(small->tensors(), small->sizes);
  Workers workers(2);
  const Json& molecules = *golden::field("chemnet", "molecules");
  std::vector<std::string> texts;
  for (const Json& one : molecules.items()) texts.push_back(one.at("smiles").string());
  const std::vector<float> features = net.features(texts, workers);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::vector<double> wanted = golden::reals_of(molecules.at(i).at("features"));
    for (std::size_t j = 0; j < wanted.size(); ++j) {
      CAPTURE(texts[i]);
      CHECK(std::fabs(features[i * wanted.size() + j] - wanted[j]) < 2e-6);
      // Alone it is as long as it is, and not as long as its neighbours.
      const std::vector<float> alone = net.features(std::span(texts).subspan(i, 1), workers);
      CHECK(std::fabs(alone[j] - wanted[j]) < 2e-6);
    }
  }
}

TEST_CASE("chemnet: letters end at the first dot, and at the 350th") {
  CHECK(chemnet_letters("CCl") == std::vector<std::int64_t>{0, 5, 34});
  CHECK(chemnet_letters("[Na+].Br") == std::vector<std::int64_t>{26, 1, 33, 15, 27, 34});
  CHECK(chemnet_letters("") == std::vector<std::int64_t>{34});
  CHECK(chemnet_letters("[Li]") == std::vector<std::int64_t>{26, 33, 27, 34});
  const std::vector<std::int64_t> most = chemnet_letters(std::string(1000, 'c'));
  CHECK(most.size() == 350);
  CHECK(most.back() == 34);
}

TEST_CASE("chemnet: the same bytes for 1, 2 and 4 threads, and in parts of whole blocks") {
  const auto small = small_net();
  if (!small) return;
  const ChemNet net(small->tensors(), small->sizes);
  const std::vector<std::string> texts = many_molecules(3 * ChemNet::block + 17);
  const auto by = [&](int threads) {
    Workers workers(threads);
    return net.features(texts, workers);
  };
  const std::vector<float> all = by(1);
  CHECK(by(2) == all);
  CHECK(by(4) == all);
  Workers workers(1);
  const std::vector<float> first =
      net.features(std::span(texts).first(at(2 * ChemNet::block)), workers);
  CHECK(std::equal(first.begin(), first.end(), all.begin()));
}

TEST_CASE("chemnet: weights of other shapes are refused by name") {
  const auto small = small_net();
  if (!small) return;
  try {
    const ChemNet net(small->tensors());
    FAIL("took a small network for ChemNet");
  } catch (const Error& error) {
    CHECK(error.subject() == "conv1.weight");
    CHECK(error.message() == "has shape [3,35,4], expected [32,35,4]");
  }
  for (std::size_t i = 0; i < small->stored.size(); ++i) {
    std::vector<TensorRef> fewer = small->tensors();
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    try {
      const ChemNet net(fewer, small->sizes);
      FAIL("missed no tensor");
    } catch (const Error& error) {
      CHECK(error.subject() == small->stored[i].name);
    }
  }
}

}  // namespace logpx::chemnet_test
