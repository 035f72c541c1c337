#include "formats/basis_file.hpp"

#include "formats/file/output.hpp"
#include "libcore/base/error.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/tiny_artifacts.hpp"

#include <doctest/doctest.h>

#include <limits>

namespace logpx::basis_file_test {

using namespace logpx::testing;

TEST_CASE("basis: tensors and the kind of rows come back") {
  const ScratchFolder folder;
  const std::string hash = write_tiny_basis(folder / "b.h5");
  const BasisFile file(folder / "b.h5");
  CHECK(file.content_hash() == hash);
  CHECK(file.extractor() == "pca:1");
  REQUIRE(file.data());
  CHECK(file.data()->shape == std::vector<std::int64_t>{2});
  CHECK(file.data()->levels == 256);
  const std::vector<NamedTensor> tensors = file.tensors();
  REQUIRE(tensors.size() == 3);
  const h5::Value* const mean = find_tensor(tensors, "pca/mean");
  REQUIRE(mean != nullptr);
  CHECK(std::vector<double>(mean->as<double>().begin(), mean->as<double>().end()) ==
        std::vector<double>{0.5, 1});
  file.check();
}

TEST_CASE("basis: weights of others say nothing of data") {
  const ScratchFolder folder;
  write_tiny_weights(folder / "w.h5");
  const BasisFile file(folder / "w.h5");
  CHECK(!file.data());
  CHECK(file.tensors().size() == 1);
}

TEST_CASE("basis: a value that is not finite is a data error that names its tensor") {
  const ScratchFolder folder;
  const std::vector<float> bad{1, std::numeric_limits<float>::infinity()};
  OutputFile out(folder / "b.h5", Overwrite::refuse);
  write_basis(out,
              {.extractor = "inception-v3",
               .data = {},
               .tensors = {TensorView::of<float>("fc.bias", bad, {2})}},
              Json::object());
  out.commit();
  CHECK_THROWS_WITH((void)BasisFile(folder / "b.h5").tensors(),
                    doctest::Contains("/basis/fc.bias: element 1 is not finite"));
}

}  // namespace logpx::basis_file_test
