// Files that other programs write: what is read all the same, and what is refused.
#include "formats/file/input.hpp"
#include "formats/h5/handles.hpp"
#include "formats/h5/tensors.hpp"
#include "formats/h5/walk.hpp"
#include "libcore/base/error.hpp"
#include "tests/support/scratch_folder.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include <sys/stat.h>

namespace logpx::foreign_test {

using logpx::testing::ScratchFolder;

namespace {

h5::FileHandle create_plainly(const std::string& path) {
  h5::prepare_library();
  return h5::FileHandle(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
}

h5::DatasetHandle create_dataset(const h5::FileHandle& file, const char* name, hid_t type,
                                 const std::vector<hsize_t>& sizes) {
  const h5::SpaceHandle space(
      H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr));
  return h5::DatasetHandle(
      H5Dcreate2(file.id(), name, type, space.id(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
}

h5::File open_file(const std::string& path) {
  SeekableInput input(path);
  return h5::File::open(input);
}

}  // namespace

TEST_CASE("h5: big-endian numbers and texts of variable length are read as if they were ours") {
  const ScratchFolder folder;
  {
    const h5::FileHandle file = create_plainly(folder / "a.h5");
    const std::array<std::int32_t, 3> numbers{1, -2, 1 << 20};
    const h5::DatasetHandle big = create_dataset(file, "big", H5T_STD_I32BE, {3});
    REQUIRE(H5Dwrite(big.id(), H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()) >=
            0);
    const h5::TypeHandle text(H5Tcopy(H5T_C_S1));
    REQUIRE(H5Tset_size(text.id(), H5T_VARIABLE) >= 0);
    const std::array<const char*, 2> texts{"one", "twenty-one"};
    const h5::DatasetHandle words = create_dataset(file, "words", text.id(), {2});
    REQUIRE(H5Dwrite(words.id(), text.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, texts.data()) >= 0);
  }
  const h5::File file = open_file(folder / "a.h5");
  const h5::Value numbers = h5::read(file, "/big");
  CHECK(numbers.type == h5::ValueType::i32);
  CHECK(numbers.as<std::int32_t>()[1] == -2);
  CHECK(numbers.as<std::int32_t>()[2] == 1 << 20);
  CHECK(h5::read(file, "/words").texts == std::vector<std::string>{"one", "twenty-one"});
}

TEST_CASE("h5: types that logpx has no word for are listed as other and not read") {
  const ScratchFolder folder;
  {
    const h5::FileHandle file = create_plainly(folder / "a.h5");
    const h5::TypeHandle pair(H5Tcreate(H5T_COMPOUND, 8));
    H5Tinsert(pair.id(), "re", 0, H5T_NATIVE_FLOAT);
    H5Tinsert(pair.id(), "im", 4, H5T_NATIVE_FLOAT);
    (void)create_dataset(file, "complex", pair.id(), {2});
    const h5::TypeHandle wide(H5Tcopy(H5T_NATIVE_INT32));
    H5Tset_size(wide.id(), 3);
    (void)create_dataset(file, "odd", wide.id(), {2});
  }
  const h5::File file = open_file(folder / "a.h5");
  for (const char* path : {"/complex", "/odd"}) {
    CHECK(h5::describe(file, path).type == h5::ValueType::other);
    CHECK_THROWS_AS((void)h5::read(file, path), Error);
  }
}

TEST_CASE("h5: a dataset that claims far more than the file holds is not allocated") {
  const ScratchFolder folder;
  {
    const h5::FileHandle file = create_plainly(folder / "a.h5");
    const std::vector<hsize_t> sizes{hsize_t{1} << 40}, chunk{1000};
    const h5::SpaceHandle space(H5Screate_simple(1, sizes.data(), nullptr));
    const h5::PropertiesHandle list(H5Pcreate(H5P_DATASET_CREATE));
    H5Pset_chunk(list.id(), 1, chunk.data());
    const h5::DatasetHandle bomb(H5Dcreate2(file.id(), "bomb", H5T_NATIVE_DOUBLE, space.id(),
                                            H5P_DEFAULT, list.id(), H5P_DEFAULT));
    REQUIRE(bomb.id() >= 0);
  }
  const h5::File file = open_file(folder / "a.h5");
  CHECK_THROWS_WITH((void)h5::read(file, "/bomb"), doctest::Contains("far more than the file"));
  CHECK_THROWS_WITH(h5::Dataset(file, "/bomb"), doctest::Contains("far more than the file"));
}

TEST_CASE("h5: links and datasets that lead into another file are not followed") {
  const ScratchFolder folder;
  std::ofstream(folder / "secret") << "for nobody else";
  {
    const h5::FileHandle other = create_plainly(folder / "other.h5");
    (void)create_dataset(other, "x", H5T_STD_U8LE, {2});
    const h5::FileHandle file = create_plainly(folder / "a.h5");
    REQUIRE(H5Lcreate_external("other.h5", "/x", file.id(), "x", H5P_DEFAULT, H5P_DEFAULT) >= 0);
    const std::vector<hsize_t> sizes{15};
    const h5::SpaceHandle space(H5Screate_simple(1, sizes.data(), nullptr));
    const h5::PropertiesHandle list(H5Pcreate(H5P_DATASET_CREATE));
    REQUIRE(H5Pset_external(list.id(), (folder / "secret").c_str(), 0, 15) >= 0);
    const h5::DatasetHandle outside(
        H5Dcreate2(file.id(), "y", H5T_STD_U8LE, space.id(), H5P_DEFAULT, list.id(), H5P_DEFAULT));
    REQUIRE(outside.id() >= 0);
  }
  const h5::File file = open_file(folder / "a.h5");
  CHECK_THROWS_WITH((void)h5::read(file, "/x"), doctest::Contains("link to another file"));
  CHECK_THROWS_WITH((void)h5::read(file, "/y"), doctest::Contains("lies in another file"));
  CHECK_THROWS_WITH((void)h5::describe(file, "/y"), doctest::Contains("lies in another file"));
}

TEST_CASE("h5: a file that came through a pipe leaves nothing behind once it is open") {
  const ScratchFolder folder, spool;
  {
    const h5::FileHandle file = create_plainly(folder / "a.h5");
    (void)create_dataset(file, "x", H5T_STD_U8LE, {2});
  }
  const char* before = std::getenv("TMPDIR");
  const std::string restored = before == nullptr ? "" : before;
  setenv("TMPDIR", std::filesystem::path(spool / "x").parent_path().c_str(), 1);
  const std::string pipe = folder / "pipe";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  std::thread feeder([&] { std::ofstream(pipe) << std::ifstream(folder / "a.h5").rdbuf(); });
  const h5::File file = open_file(pipe);
  feeder.join();
  if (before == nullptr) unsetenv("TMPDIR");
  else setenv("TMPDIR", restored.c_str(), 1);
  CHECK(std::filesystem::is_empty(std::filesystem::path(spool / "x").parent_path()));
  CHECK(h5::read(file, "/x").shape == h5::Shape{2});
  CHECK(file.name() == pipe);
}

}  // namespace logpx::foreign_test
