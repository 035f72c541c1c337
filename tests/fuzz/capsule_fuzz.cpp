// Fuzz target of embedded models that anyone may have written, behind all checksums: configs and
// tensors of every family. The first byte chooses a good model, each record of the rest changes a
// word of its description, or renames, reshapes, overwrites or leaves out a tensor. What opens is
// refused by an error, or draws a row, and codes what it drew.
#include "formats/archive/wire.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/parallel.hpp"
#include "libcore/families/registry.hpp"
#include "libcore/model/plan.hpp"
#include "libcore/model/task_data.hpp"
#include "tests/support/fuzz_bytes.hpp"
#include "tests/support/trials.hpp"
#include "tools/archives/capsule.hpp"

#include <algorithm>
#include <cstring>

using namespace logpx;
using testing::FuzzBytes;

namespace {

void require(bool holds) {
  if (!holds) __builtin_trap();
}

struct CapsuleTensor {
  std::string name;
  std::uint8_t type = 1;
  std::vector<std::uint64_t> sizes;
  std::vector<std::byte> values;
};
struct GoodModel {
  std::string family, head;
  std::vector<CapsuleTensor> tensors;
};

std::size_t bytes_of_type(std::uint8_t type) {
  constexpr std::size_t sizes[] = {0, 4, 8, 4, 8, 1};
  return type == 16 ? 2 : sizes[type];
}

std::size_t bytes_of(const CapsuleTensor& tensor) {
  std::size_t bytes = bytes_of_type(tensor.type);
  for (const std::uint64_t size : tensor.sizes) bytes *= size;
  return bytes;
}

GoodModel taken_apart(const std::string& family, std::span<const std::byte> capsule) {
  archive::WireReader in(capsule, "");
  (void)in.text(4), (void)in.u8();
  GoodModel model{family, std::string(in.text(in.u32())), {}};
  while (!in.rest().empty()) {
    CapsuleTensor tensor;
    tensor.name = in.text(in.u32());
    tensor.type = in.u8();
    tensor.sizes.resize(in.u8());
    for (std::uint64_t& size : tensor.sizes) size = in.u64();
    const auto values = in.raw(bytes_of(tensor));
    tensor.values.assign(values.begin(), values.end());
    model.tensors.push_back(std::move(tensor));
  }
  return model;
}

std::vector<std::byte> put_together(const GoodModel& model) {
  archive::WireWriter out;
  out.text("LPXM").u8(1).u32(static_cast<std::uint32_t>(model.head.size())).text(model.head);
  for (const CapsuleTensor& tensor : model.tensors) {
    out.u32(static_cast<std::uint32_t>(tensor.name.size())).text(tensor.name);
    out.u8(tensor.type).u8(static_cast<std::uint8_t>(tensor.sizes.size()));
    for (const std::uint64_t size : tensor.sizes) out.u64(size);
    out.raw(tensor.values);
  }
  return out.bytes();
}

std::vector<GoodModel> good_models() {
  std::vector<GoodModel> models;
  for (const Family& family : families()) {
    if (!family.trainee) continue;
    for (const Family& trial : testing::trials_of(family)) {
      const HeldRows rows = trial.tiny_rows(8);
      const Trainee trainee = trial.trainee("tiny", {.train = rows.examples()}, Rng(1));
      models.push_back(taken_apart(
          family.name, compress::make_capsule(*trainee.model, compress::CapsulePrecision::whole)));
    }
  }
  return models;
}

void change_tensor(GoodModel& model, FuzzBytes& input) {
  if (model.tensors.empty()) return;
  const std::size_t which = input.below(model.tensors.size());
  CapsuleTensor& tensor = model.tensors[which];
  switch (input.next() % 8) {
    case 0: model.tensors.erase(model.tensors.begin() + static_cast<std::ptrdiff_t>(which)); break;
    case 1: tensor.name = model.tensors[input.below(model.tensors.size())].name; break;
    case 2:
      tensor.sizes.resize(input.next() % 5, 1 + input.next() % 7u);
      tensor.values.resize(bytes_of(tensor));
      break;
    case 3:
      tensor.type = static_cast<std::uint8_t>(1 + input.next() % 5);
      tensor.values.resize(bytes_of(tensor));
      break;
    default: {
      const std::size_t width = bytes_of_type(tensor.type),
                        place = input.below(tensor.values.size() / width);
      for (std::size_t i = 0; i < width && place * width + i < tensor.values.size(); ++i)
        tensor.values[place * width + i] = static_cast<std::byte>(input.next());
    }
  }
}

void settle_lightly(Fields& fields, const std::string& family) {
  for (const std::string& knob : testing::light_knobs(family))
    if (fields.find_key(knob.substr(0, knob.find('='))) != nullptr)
      fields.set(knob, Origin::option);
}

void there_and_back(const Abilities& can, const HeldRows& held, const std::string& family,
                    Workers& alone) {
  if (!can.code) return;
  const std::unique_ptr<CodingPlan> plan = can.code->plan();
  Fields fields;
  plan->describe(fields);
  settle_lightly(fields, family);
  const std::vector<std::uint8_t> items = can.code->items(held.examples());
  plan->settle(items, alone);
  const auto scheme = plan->scheme(alone);
  codec::Message message(1);
  codec::Costs costs;
  scheme->encode(message, items, 0, costs);
  codec::Message read = codec::Message::parse(message.serialise(), 1);
  std::vector<std::uint8_t> decoded(items.size());
  scheme->decode(read, decoded, 0);
  require(decoded == items);
}

void use(std::unique_ptr<Model> opened, const std::string& family) {
  const AbleModel model = with_abilities(std::move(opened));
  Workers alone(1);
  const auto plan = model.can.sampling();
  Fields fields;
  plan->describe(fields);
  settle_lightly(fields, family);
  plan->settle();
  HeldRows held;
  held.info = model.can.info().data;
  held.info.n = 1;
  SampleChunk drawn = plan->make(0, 1, Rng(1));
  held.rows = std::move(drawn.rows);
  if (held.rows.count == 1) there_and_back(model.can, held, family, alone);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::vector<GoodModel> good = good_models();
  FuzzBytes input(data, size);
  GoodModel model = good[input.next() % good.size()];
  for (int changes = 0; !input.empty() && changes < 8; ++changes) {
    if (input.next() % 2 == 0) testing::change_word(model.head, input);
    else change_tensor(model, input);
  }
  try {
    use(compress::open_capsule(put_together(model)), model.family);
  } catch (const Error&) {
  }
  return 0;
}
