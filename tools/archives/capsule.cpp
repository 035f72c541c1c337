#include "tools/archives/capsule.hpp"

#include "formats/archive/records.hpp"
#include "formats/data_description.hpp"
#include "formats/json/fields_json.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/families/registry.hpp"
#include "tools/store/model_store.hpp"

#include <cmath>
#include <cstring>
#include <utility>

namespace logpx::compress {
namespace {

using archive::ByteVector, archive::ByteView, archive::WireReader, archive::WireWriter;

constexpr std::string_view magic = "LPXM";
constexpr std::uint8_t capsule_form = 1, half_type = 16;

struct StoredType {
  NumberType type;
  std::uint8_t code;
  std::size_t size;
};
constexpr StoredType types[] = {{NumberType::f32, 1, 4},
                                {NumberType::f64, 2, 8},
                                {NumberType::i32, 3, 4},
                                {NumberType::i64, 4, 8},
                                {NumberType::u8, 5, 1}};

// Checks that an archive may hold an item of such data.
void check_item(const DatasetInfo& data) {
  std::int64_t left = archive::max_block_bytes;
  for (const std::int64_t size : data.shape) {
    if (size > left)
      fail(ErrorKind::data, "shape", "is not that of items that an archive can hold");
    left /= size;
  }
}

void write_values(WireWriter& out, const TensorRef& tensor, bool half) {
  if (!half) {
    out.raw(tensor.bytes);
    return;
  }
  for (std::size_t at = 0; at + 4 <= tensor.bytes.size(); at += 4) {
    float value = 0;
    std::memcpy(&value, tensor.bytes.data() + at, 4);
    out.u16(to_binary16(value));
  }
}

struct StoredTensor {
  std::string name;
  NumberType type = NumberType::f32;
  Shape shape;
  ByteVector bytes;
};

StoredTensor read_tensor(WireReader& in) {
  StoredTensor tensor;
  tensor.name = in.text(in.u32());
  const std::uint8_t code = in.u8(), rank = in.u8();
  const bool half = code == half_type;
  const StoredType* stored = nullptr;
  for (const StoredType& type : types)
    if (type.code == (half ? 1 : code)) stored = &type;
  if (stored == nullptr || rank > Shape::max_rank)
    fail(ErrorKind::data, tensor.name, "is not a tensor that a model can hold");
  const std::size_t size = half ? 2 : stored->size;
  std::vector<std::int64_t> sizes;
  std::uint64_t left = in.rest().size() / size;  // the most elements that the bytes can hold
  for (std::uint8_t i = 0; i < rank; ++i) {
    const std::uint64_t side = in.u64();
    if (side == 0 || side > left) fail(ErrorKind::data, tensor.name, "is larger than its model");
    left /= side;
    sizes.push_back(static_cast<std::int64_t>(side));
  }
  tensor.type = stored->type;
  tensor.shape = Shape(std::span<const std::int64_t>(sizes));
  const ByteView values = in.raw(static_cast<std::size_t>(tensor.shape.elements()) * size);
  if (!half) {
    tensor.bytes.assign(values.begin(), values.end());
    return tensor;
  }
  WireReader halves(values, tensor.name);
  while (!halves.rest().empty()) {
    const float value = from_binary16(halves.u16());
    const ByteView bytes = std::as_bytes(std::span(&value, 1));
    tensor.bytes.insert(tensor.bytes.end(), bytes.begin(), bytes.end());
  }
  return tensor;
}

}  // namespace

ByteVector make_capsule(Model& model, CapsulePrecision precision) {
  Json head = Json::object();
  head.set("family", model.info().family).set("config", config_of(model));
  head.set("data", data_json(model.info().data));
  const std::string text = head.dump(-1);
  WireWriter out;
  out.text(magic).u8(capsule_form).u32(static_cast<std::uint32_t>(text.size())).text(text);
  model.params([&](const TensorRef& tensor, TensorRole role) {
    const bool half = precision == CapsulePrecision::half && role == TensorRole::parameter &&
                      tensor.type == NumberType::f32;
    out.u32(static_cast<std::uint32_t>(tensor.name.size())).text(tensor.name);
    for (const StoredType& type : types)
      if (type.type == tensor.type) out.u8(half ? half_type : type.code);
    out.u8(static_cast<std::uint8_t>(tensor.shape.rank()));
    for (const std::int64_t size : tensor.shape.sizes()) out.i64(size);
    write_values(out, tensor, half);
  });
  return out.bytes();
}

std::unique_ptr<Model> open_capsule(ByteView bytes) {
  try {
    WireReader in(bytes, "");
    if (in.text(magic.size()) != magic) fail(ErrorKind::data, "", "is not a model of logpx");
    if (const std::uint8_t found = in.u8(); found != capsule_form)
      fail(ErrorKind::data, "",
           "has form " + std::to_string(found) + ", expected form " + std::to_string(capsule_form));
    const Json head = Json::parse(in.text(in.u32()), "description");
    const auto draft = find_family(head.at("family").string()).draft();
    Fields fields;
    draft->describe(fields);
    read_settings(fields, head.at("config"), "config", Origin::config);
    std::vector<StoredTensor> stored;
    while (!in.rest().empty()) stored.push_back(read_tensor(in));
    std::vector<TensorRef> from, to;
    std::uint64_t stored_bytes = 0;
    for (StoredTensor& tensor : stored) {
      stored_bytes += tensor.bytes.size();
      from.push_back({tensor.name, tensor.type, tensor.shape, tensor.bytes});
    }
    const DatasetInfo data = data_of(head.at("data"));
    check_item(data);
    auto model = build_stored(*draft, data, from, stored_bytes);
    model->params([&](const TensorRef& tensor, TensorRole) { to.push_back(tensor); });
    fill_tensors(to, from);
    model->filled();
    return model;
  } catch (const Error& error) {
    throw Error(ErrorKind::data, error.subject(), error.message(), "", error.where())
        .within("embedded model");
  }
}

}  // namespace logpx::compress
