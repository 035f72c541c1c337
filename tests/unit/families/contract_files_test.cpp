// What every family promises of its model files: the same model comes back, or a data error.
#include "formats/data_description.hpp"
#include "formats/file/input.hpp"
#include "formats/file/output.hpp"
#include "formats/model_file.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "tests/support/contract.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tools/common/model_store.hpp"
#include "tools/compress/capsule.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <functional>

using namespace logpx;
using namespace logpx::testing;

namespace {

template <typename Check>
void for_each_family(Check check) {
  for (const Family& family : families_under_contract()) {
    CAPTURE(family.name);
    check(family);
  }
}

void save(const std::string& path, Model& model) {
  OutputFile out(path, Overwrite::replace);
  save_model(out, model, {}, Json::object());
  out.commit();
}

struct StoredTensor {
  NamedTensor tensor;
  TensorRole role;
};
std::vector<StoredTensor> tensors_of(Model& model) {
  std::vector<StoredTensor> all;
  model.params([&](const TensorRef& ref, TensorRole role) {
    all.push_back({{.name = ref.name,
                    .type = view_of(ref).type,
                    .shape = {view_of(ref).shape.begin(), view_of(ref).shape.end()},
                    .bytes = {ref.bytes.begin(), ref.bytes.end()}},
                   role});
  });
  return all;
}

// A file with these tensors and a content hash that is right, as anyone may write it.
void forge(const std::string& path, Model& model, const std::vector<StoredTensor>& tensors) {
  ModelContents contents{.family = model.info().family,
                         .config = config_of(model),
                         .parameters = {},
                         .constants = {},
                         .attributes = data_attributes(model.info().data)};
  for (const StoredTensor& stored : tensors)
    (stored.role == TensorRole::parameter ? contents.parameters.raw : contents.constants)
        .push_back({.name = stored.tensor.name,
                    .type = stored.tensor.type,
                    .shape = stored.tensor.shape,
                    .data = stored.tensor.bytes.data()});
  OutputFile out(path, Overwrite::replace);
  write_model(out, contents, Json::object());
  out.commit();
}

// Loads and is looked at, or is refused as data that make no sense. Which of them: "" or the words.
std::string outcome(const std::string& path, const HeldRows& data) {
  try {
    const LoadedModel loaded = load_model(ModelFile(path), Weights::raw);
    static_cast<void>(sight_of(*loaded.model, data));
    return "";
  } catch (const Error& error) {
    CHECK((error.kind() == ErrorKind::data || error.kind() == ErrorKind::numeric));
    return error.what();
  }
}

}  // namespace

TEST_CASE("contract: a saved model and an embedded one are the model, bit for bit") {
  for_each_family([](const Family& family) {
    const ScratchFolder folder;
    const auto trial = trained(family);
    const Sight before = sight_of(trial->model(), trial->data);
    save(folder / "m.h5", trial->model());
    const LoadedModel loaded = load_model(ModelFile(folder / "m.h5"));
    const Sight after = sight_of(*loaded.model, trial->data);
    for (const auto& [what, bytes] : before) {
      CAPTURE(what);
      CHECK(after.at(what) == bytes);
    }
    CHECK(config_of(*loaded.model).dump() == config_of(trial->model()).dump());
    const auto embedded = compress::open_capsule(
        compress::make_capsule(trial->model(), compress::CapsulePrecision::whole));
    CHECK(sight_of(*embedded, trial->data) == before);
  });
}

TEST_CASE("contract: a model file that is cut off or has a flipped bit is refused") {
  for_each_family([](const Family& family) {
    const ScratchFolder folder;
    const std::string path = folder / "m.h5";
    const auto trial = trained(family);
    const Model& model = trial->model();
    save(path, trial->model());
    const std::string whole = read_text_file(path);
    const std::string method = model.info().methods.front();
    const std::string scores = scored(model, method, trial->data, Order::forwards);
    const auto refused = [&](const std::string& bytes) {
      std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
      try {
        const LoadedModel loaded = load_model(ModelFile(path));
        CHECK(scored(*loaded.model, method, trial->data, Order::forwards) == scores);
        return false;
      } catch (const Error& error) {
        CHECK(error.kind() == ErrorKind::data);
        return true;
      }
    };
    constexpr std::size_t tries = 60;
    for (std::size_t i = 0; i < tries; ++i) {
      CAPTURE(i);
      CHECK(refused(whole.substr(0, i * whole.size() / tries)));
      std::string flipped = whole;
      char& byte = flipped[i * 7919 % whole.size()];
      byte = static_cast<char>(byte ^ (1 << i % 8));
      static_cast<void>(refused(flipped));
    }
    for (const StoredTensor& stored : tensors_of(trial->model())) {
      CAPTURE(stored.tensor.name);
      const std::string bytes(reinterpret_cast<const char*>(stored.tensor.bytes.data()),
                              stored.tensor.bytes.size());
      const std::size_t begin = whole.find(bytes);
      REQUIRE(begin != std::string::npos);
      std::string flipped = whole;
      flipped[begin + bytes.size() / 2] = static_cast<char>(flipped[begin + bytes.size() / 2] ^ 4);
      CHECK(refused(flipped));
    }
  });
}

TEST_CASE("contract: stored tensors that anyone has written are data errors, or a model") {
  for_each_family([](const Family& family) {
    const ScratchFolder folder;
    const std::string path = folder / "m.h5";
    const auto trial = trained(family);
    const std::vector<StoredTensor> good = tensors_of(trial->model());
    const HeldRows few{.info = trial->data.info, .rows = slice_rows(trial->data.rows, 0, 8)};
    const auto with = [&](std::size_t t, const std::function<void(NamedTensor&)>& change) {
      std::vector<StoredTensor> tensors = good;
      change(tensors[t].tensor);
      forge(path, trial->model(), tensors);
      return outcome(path, few);
    };
    CHECK(with(0, [](NamedTensor&) {}) == "");
    for (std::size_t t = 0; t < good.size(); ++t) {
      CAPTURE(good[t].tensor.name);
      for (const int byte : {0x00, 0x01, 0x7f, 0x80, 0xff})
        static_cast<void>(with(t, [&](NamedTensor& tensor) {
          std::ranges::fill(tensor.bytes, static_cast<std::byte>(byte));
        }));
      // One row fewer.
      if (good[t].tensor.shape.empty()) continue;
      CHECK(with(t, [](NamedTensor& tensor) {
              const auto rows = tensor.shape[0];
              tensor.bytes.resize(tensor.bytes.size() / at(rows) * at(rows - 1));
              tensor.shape[0] = rows - 1;
            }).find(good[t].tensor.name) != std::string::npos);
      std::vector<StoredTensor> fewer = good;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(t));
      forge(path, trial->model(), fewer);
      CHECK(outcome(path, few).find(good[t].tensor.name) != std::string::npos);
    }
  });
}
