// What every family promises of its model files: the same model comes back, or a data error.
#include "formats/data_description.hpp"
#include "formats/file/input.hpp"
#include "formats/file/output.hpp"
#include "formats/model_file.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "tests/support/contract.hpp"
#include "tests/support/sanitizers.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tools/archives/capsule.hpp"
#include "tools/store/model_store.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <fstream>

namespace logpx::contract_files_test {

using namespace logpx::testing;

namespace {

void save(const std::string& path, Model& model) {
  OutputFile out(path, Overwrite::replace);
  save_model(out, model, {}, Json::object());
  out.commit();
}

struct StoredTensor {
  TensorView view;  // but for the bytes
  std::vector<std::byte> bytes;
  TensorRole role;
};
std::vector<StoredTensor> tensors_of(Model& model) {
  std::vector<StoredTensor> all;
  model.params([&](const TensorRef& ref, TensorRole role) {
    all.push_back({view_of(ref), {ref.bytes.begin(), ref.bytes.end()}, role});
  });
  return all;
}

// Networks have many parameters that are alike: some are tried, beside all that is constant.
bool is_tried(const std::vector<StoredTensor>& all, std::size_t tensor) {
  constexpr std::size_t some = sanitized ? 2 : 6;
  return all[tensor].role != TensorRole::parameter || tensor < some ||
         tensor % (1 + all.size() / some) == 0;
}

// A file with these tensors and a correct content hash, as anyone could write it.
void forge(const std::string& path, Model& model, const std::vector<StoredTensor>& tensors) {
  ModelContents contents{.family = model.info().family,
                         .config = config_of(model),
                         .parameters = {},
                         .constants = {},
                         .attributes = data_attributes(model.info().data)};
  for (const StoredTensor& stored : tensors) {
    TensorView view = stored.view;
    view.bytes = stored.bytes;
    const bool trained = stored.role == TensorRole::parameter;
    (trained ? contents.parameters.raw : contents.constants).push_back(view);
  }
  OutputFile out(path, Overwrite::replace);
  write_model(out, contents, Json::object());
  out.commit();
}

// So few rows that a model can be asked for each of many files.
HeldRows few_rows(const Trial& trial) {
  return {.info = trial.data.info, .rows = slice_rows(trial.data.rows, 0, 8)};
}

// What becomes of a file with these tensors: "" if it loads and can be inspected, else the message
// of a data error or of unusable numbers.
std::string outcome(const std::string& path, const Trial& trial,
                    const std::vector<StoredTensor>& tensors) {
  try {
    forge(path, trial.model(), tensors);
    const LoadedModel loaded = load_model(ModelFile(path), Weights::raw);
    static_cast<void>(sight_of(*loaded.model, few_rows(trial)));
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
      CHECK((after.at(what) == bytes));
    }
    CHECK(config_of(*loaded.model).dump() == config_of(trial->model()).dump());
    const auto embedded = compress::open_capsule(
        compress::make_capsule(trial->model(), compress::CapsulePrecision::whole));
    CHECK((sight_of(*embedded, trial->data) == before));
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
    const std::string method = abilities(model).methods().front();
    const HeldRows few = few_rows(*trial);
    const std::string scores = scored(model, method, few, Order::forwards);
    // What is refused; "" where the file loads and scores as before.
    const auto refused = [&](const std::string& bytes) -> std::string {
      std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
      try {
        const LoadedModel loaded = load_model(ModelFile(path));
        CHECK((scored(*loaded.model, method, few, Order::forwards) == scores));
        return "";
      } catch (const Error& error) {
        CHECK(error.kind() == ErrorKind::data);
        return error.subject();
      }
    };
    constexpr std::size_t tries = 12;
    for (std::size_t i = 0; i < tries; ++i) {
      CAPTURE(i);
      CHECK(refused(whole.substr(0, i * whole.size() / tries)) != "");
      std::string flipped = whole;
      char& byte = flipped[i * 7919 % whole.size()];
      byte = static_cast<char>(byte ^ (1 << i % 8));
      static_cast<void>(refused(flipped));
    }
    const std::vector<StoredTensor> all = tensors_of(trial->model());
    for (std::size_t t = 0; t < all.size(); ++t) {
      const StoredTensor& stored = all[t];
      if (!is_tried(all, t)) continue;
      const auto same = std::ranges::find(all, stored.bytes, &StoredTensor::bytes);
      if (&*same != &stored) continue;  // the same bytes are looked for and found there
      if (std::ranges::all_of(stored.bytes, [](std::byte b) { return b == std::byte{0}; }))
        continue;  // there are zeros elsewhere, too
      CAPTURE(stored.view.name);
      const auto begin = std::ranges::search(std::as_bytes(std::span(whole)), stored.bytes).begin();
      std::string flipped = whole;
      char& byte =
          flipped[at(begin - std::as_bytes(std::span(whole)).begin()) + stored.bytes.size() / 2];
      byte = static_cast<char>(byte ^ 4);
      const bool trains = stored.role == TensorRole::parameter;
      CHECK(refused(flipped) ==
            path + ": " + (trains ? "/params/raw/" : "/constants/") + stored.view.name);
    }
  });
}

TEST_CASE("contract: stored tensors that anyone has written are data errors, or a model") {
  for_each_family([](const Family& family) {
    const ScratchFolder folder;
    const auto trial = trained(family);
    const std::vector<StoredTensor> good = tensors_of(trial->model());
    const auto outcome_of = [&](const std::vector<StoredTensor>& tensors) {
      return outcome(folder / "m.h5", *trial, tensors);
    };
    CHECK(outcome_of(good) == "");
    for (std::size_t t = 0; t < good.size(); ++t) {
      if (!is_tried(good, t)) continue;
      const TensorView& view = good[t].view;
      CAPTURE(view.name);
      std::vector<StoredTensor> forged = good;
      for (const int byte : {0x00, 0x01, 0x7f, 0x80, 0xff}) {
        std::ranges::fill(forged[t].bytes, static_cast<std::byte>(byte));
        static_cast<void>(outcome_of(forged));
      }
      forged.erase(forged.begin() + static_cast<std::ptrdiff_t>(t));
      CHECK(outcome_of(forged).find(view.name) != std::string::npos);
      if (view.shape.empty() || view.shape[0] < 2) continue;
      forged = good;  // a row fewer
      const auto rows = view.shape[0];
      forged[t].bytes.resize(forged[t].bytes.size() / at(rows) * at(rows - 1));
      forged[t].view.shape[0] = rows - 1;
      CHECK(outcome_of(forged) != "");
    }
  });
}

}  // namespace logpx::contract_files_test
