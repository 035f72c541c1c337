#include "formats/checkpoint_file.hpp"

#include "formats/file/input.hpp"
#include "libcore/base/error.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/tiny_artifacts.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <limits>

namespace logpx::checkpoint_file_test {

using namespace logpx::testing;
namespace fs = std::filesystem;

TEST_CASE("checkpoint: everything that a run needs to go on comes back") {
  const ScratchFolder folder;
  const std::string hash = write_tiny_checkpoint(folder / "c.h5");
  const CheckpointFile file(folder / "c.h5");
  const CheckpointHead& head = file.head();
  const CheckpointHead expected = tiny_checkpoint_head(10);
  CHECK(file.content_hash() == hash);
  CHECK(head.family == expected.family);
  CHECK(head.config == expected.config);
  CHECK(head.settings == expected.settings);
  CHECK(head.numerics == expected.numerics);
  CHECK(head.data_hash == expected.data_hash);
  CHECK(head.code_version == expected.code_version);
  CHECK(head.seed == expected.seed);
  CHECK(head.step == expected.step);
  CHECK(head.epoch == expected.epoch);
  CHECK(head.samples == expected.samples);
  CHECK(head.history_bytes == expected.history_bytes);
  CHECK(head.products == expected.products);
  const TinyWeights weights;
  CHECK(file.parameters().raw.at(1).value == h5::Value::of<float>(weights.bias, {3}));
  CHECK(file.parameters().ema.at(0).value == h5::Value::of<float>(weights.weight_average, {2, 3}));
  CHECK(*find_tensor(file.slots(), "v") == h5::Value::of<float>(weights.weight, {6}));
  CHECK(find_tensor(file.slots(), "w") == nullptr);
  CHECK(*find_tensor(file.state(), "chain") == h5::Value::of<std::int64_t>(weights.chain, {2}));
}

TEST_CASE("checkpoint: the one before is kept as .prev, and nothing else is left") {
  const ScratchFolder folder;
  const TinyWeights weights;
  const std::string path = folder / "c.h5";
  const auto write = [&](std::int64_t step) {
    write_checkpoint(path, tiny_checkpoint_head(step), weights.checkpoint(), Json::object());
  };
  write(1);
  CHECK(!fs::exists(path + ".prev"));
  for (const std::int64_t step : {2, 3}) {
    write(step);
    CHECK(CheckpointFile(path).head().step == step);
    CHECK(CheckpointFile(path + ".prev").head().step == step - 1);
  }
  fs::remove(path + ".prev");  // as after a crash between keeping and renaming
  fs::create_hard_link(path, path + ".prev");
  write(4);
  CHECK(CheckpointFile(path).head().step == 4);
  CHECK(CheckpointFile(path + ".prev").head().step == 3);
  CHECK(std::distance(fs::directory_iterator(fs::path(path).parent_path()), {}) == 2);
}

TEST_CASE("checkpoint: a damaged one points at the one before") {
  const ScratchFolder folder;
  const std::string path = folder / "c.h5";
  write_tiny_checkpoint(path);
  write_tiny_checkpoint(path);
  fs::resize_file(path, fs::file_size(path) - 1);
  try {
    const CheckpointFile file(path);
    FAIL("opened a cut checkpoint");
  } catch (const Error& error) {
    CHECK(error.message().starts_with("truncated file"));
    CHECK(error.hint() == "the checkpoint before it is " + path + ".prev");
  }
}

TEST_CASE("checkpoint: a flipped bit of a tensor is refused when it is opened to go on") {
  const ScratchFolder folder;
  const std::string path = folder / "c.h5";
  write_tiny_checkpoint(path);
  std::string bytes = read_text_file(path);
  const float element = 6;  // the last one of weight
  const std::size_t at = bytes.find(std::string(reinterpret_cast<const char*>(&element), 4));
  REQUIRE(at != std::string::npos);
  bytes[at] ^= 1;
  std::ofstream(path, std::ios::binary) << bytes;
  try {
    const CheckpointFile file(path);
    FAIL("opened a damaged checkpoint");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::data);
    CHECK(error.subject().ends_with("/weight"));
  }
}

TEST_CASE("checkpoint: values that are not finite are never written") {
  const ScratchFolder folder;
  const std::string path = folder / "c.h5";
  TinyWeights weights;
  std::string name = "net/bias";
  SUBCASE("parameter") { weights.bias[1] = std::numeric_limits<float>::quiet_NaN(); }
  SUBCASE("average") { weights.bias_average[0] = std::numeric_limits<float>::infinity(); }
  SUBCASE("state") {
    weights.grid[2] = std::numeric_limits<double>::infinity();
    name = "grid";
  }
  try {
    write_checkpoint(path, tiny_checkpoint_head(1), weights.checkpoint(), Json::object());
    FAIL("wrote a value that is not finite");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::numeric);
    CHECK(error.message() == name + " holds a value that is not finite");
  }
  CHECK(!fs::exists(path));
}

}  // namespace logpx::checkpoint_file_test
