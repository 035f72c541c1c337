// Fuzz target of weights and bases that anyone may have written, behind all checksums. The first
// byte chooses the extractor; then each record of the input renames, reshapes, overwrites or leaves
// out one tensor of a good basis. It is refused by a data error that names a tensor, or features of
// a picture come out.
#include "libcore/base/error.hpp"
#include "libcore/features/kinds.hpp"
#include "tests/support/fuzz_bytes.hpp"
#include "tests/support/inception_weights.hpp"
#include "tests/support/picture_rows.hpp"

#include <cstring>

using namespace logpx;
using namespace logpx::testing;

namespace {

struct HeldTensor {
  std::string name;
  NumberType type = NumberType::f32;
  Shape shape;
  std::vector<std::byte> bytes;
};

std::vector<HeldTensor> copies_of(const std::vector<TensorRef>& tensors) {
  std::vector<HeldTensor> held;
  for (const TensorRef& t : tensors)
    held.push_back({t.name, t.type, t.shape, {t.bytes.begin(), t.bytes.end()}});
  return held;
}

std::vector<HeldTensor> good_basis(const std::string& words) {
  if (words == "inception-v3") {
    static InceptionWeights weights;
    return copies_of(weights.tensors());
  }
  HeldRows held = random_pictures(12, {4, 4, 1});
  held.info.has_labels = true;
  for (int i = 0; i < 12; ++i) held.rows.y.push_back(i % 2);
  const auto extractor = make_extractor(parse_extractor(words), {.data = held.info});
  RowPieces pieces(held, 12);
  Workers alone(1);
  (void)extractor->fit(pieces, {Rng(1), alone});
  return copies_of(extractor->tensors());
}

// The bytes follow the shape: file code promises that much.
void change(HeldTensor& tensor, FuzzBytes& input) {
  const std::uint8_t what = input.next();
  const std::size_t width = tensor.type == NumberType::f64 ? 8 : 4;
  if (what % 4 == 0) {
    tensor.name = "other";
  } else if (what % 4 == 1) {
    std::vector<std::int64_t> sizes;
    for (int i = what / 4 % 5; i > 0; --i) sizes.push_back(input.next() % 9);
    tensor.shape = Shape(std::span<const std::int64_t>(sizes));
    tensor.bytes.resize(static_cast<std::size_t>(tensor.shape.elements()) * width);
  } else {
    const std::size_t place = input.next() * 256u + input.next();
    for (std::size_t i = 0; i < width; ++i)
      if (place * width + i < tensor.bytes.size())
        tensor.bytes[place * width + i] = static_cast<std::byte>(input.next());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  FuzzBytes input(data, size);
  constexpr const char* kinds[] = {"inception-v3", "pca:3", "classifier:3"};
  const std::string words = kinds[input.next() % 3];
  static std::map<std::string, std::vector<HeldTensor>> good;
  if (!good.contains(words)) good[words] = good_basis(words);
  std::vector<HeldTensor> tensors = good[words];
  while (!input.empty())
    change(tensors[(input.next() * 256u + input.next()) % tensors.size()], input);
  HeldRows held = random_pictures(1, {4, 4, words == "inception-v3" ? 3 : 1});
  std::vector<TensorRef> refs;
  for (HeldTensor& t : tensors) refs.push_back({t.name, t.type, t.shape, t.bytes});
  try {
    const auto extractor =
        make_extractor(parse_extractor(words), {.data = held.info, .tensors = refs});
    std::vector<float> features(at(extractor->info().width)), logits(at(extractor->info().classes));
    extractor->extract(held.examples(), {features, logits});
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::data || error.subject().empty()) __builtin_trap();
  }
  return 0;
}
