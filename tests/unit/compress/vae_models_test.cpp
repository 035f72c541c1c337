// Models of a real family: untrained ones, and ones that cannot code.
#include "libcore/base/error.hpp"
#include "tests/support/vae_models.hpp"
#include "tools/archives/capsule.hpp"
#include "tools/archives/coding_model.hpp"

#include <doctest/doctest.h>

#include <ctime>
#include <string>

namespace logpx::vae_models_test {

TEST_CASE("capsule: a description that asks for more than is stored is refused at once") {
  vae::Config config;
  config.hidden = {8};
  config.latent = 2;
  vae::VaeModel model(config, vectors_of(6, 2));
  const archive::ByteVector good = compress::make_capsule(model, compress::CapsulePrecision::whole);
  CHECK(compress::open_capsule(good) != nullptr);
  const auto forged = [&](std::string_view from, std::string_view to) {
    archive::WireReader in(good, "");
    archive::WireWriter out;
    out.raw(in.raw(5));
    std::string head = in.text(in.u32());
    REQUIRE(head.find(from) != std::string::npos);
    head.replace(head.find(from), from.size(), to);
    return out.u32(static_cast<std::uint32_t>(head.size())).text(head).raw(in.rest()).bytes();
  };
  CHECK_THROWS_WITH_AS((void)compress::open_capsule(forged("[6]", "[-6]")),
                       "embedded model: shape: has a side of -6", Error);
  CHECK_THROWS_AS((void)compress::open_capsule(forged("[6]", "[60000,60000]")), Error);
  for (const char* hidden : {"[20000,20000]", "[4000000000,4000000000]", "[3037000499]"})
    CHECK_THROWS_WITH_AS((void)compress::open_capsule(forged("[8]", hidden)),
                         doctest::Contains("embedded model"), Error);
  std::string deep = "[8";
  for (int layer = 0; layer < 20000; ++layer) deep += ",8";
  const std::clock_t start = std::clock();
  CHECK_THROWS_WITH_AS((void)compress::open_capsule(forged("[8]", deep + "]")),
                       doctest::Contains("embedded model"), Error);
  CHECK(std::clock() - start < 4 * CLOCKS_PER_SEC);  // of the processor's time
}

TEST_CASE("compress: what an archive brings along says nothing of the next archive") {
  Workers workers(1);
  vae::Config config;
  config.hidden = {8};
  auto model = std::make_shared<vae::VaeModel>(config, vectors_of(6, 2));
  compress::CodingOptions options;
  options.embed_model = true;
  const compress::Coding made = compress::coding_for_encoder(
      model, options,
      [](const ModelCodec&, const archive::CodingUnits&, std::int64_t) {
        return std::vector<std::uint8_t>();
      },
      workers);
  const archive::EmbeddedModel good{made.embedded};
  archive::EmbeddedModel bad = good;
  bad.bytes.back() ^= std::byte{1};
  compress::ModelFinder finder(
      {.operand = {}, .model = nullptr, .folders = {}, .trust_embedded = true}, workers);
  const auto complaint = [&](const archive::EmbeddedModel* embedded) {
    try {
      (void)finder.coding_for(made.header(), {.model = embedded, .prime = nullptr});
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(complaint(&bad) == "embedded model: is not the one that the header names");
  CHECK(complaint(nullptr).starts_with("needs model "));
  CHECK(complaint(&good).empty());
  CHECK(complaint(&good).empty());
  CHECK(complaint(&bad) == "embedded model: is not the one that the header names");
  CHECK(complaint(&good).empty());
  CHECK(complaint(nullptr).starts_with("needs model "));
}

TEST_CASE("compress: a model that does not code says why") {
  Workers workers(1);
  const compress::ItemSample none = [](const ModelCodec&, const archive::CodingUnits&,
                                       std::int64_t) { return std::vector<std::uint8_t>(); };
  const auto refused = [&](const vae::Config& config, std::int64_t levels) {
    auto model = std::make_shared<vae::VaeModel>(config, vectors_of(6, levels));
    try {
      (void)compress::coding_for_encoder(model, {}, none, workers);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  vae::Config config;
  config.hidden = {8};
  CHECK(refused(config, 2).empty());
  vae::Config gray = config;
  gray.allow_gray = true;
  CHECK(refused(gray, 256).starts_with("is a surrogate for grey values"));
  config.likelihood = "gaussian";
  CHECK(refused(config, 0) == "has a likelihood of real numbers, but only bytes can be coded");
}

}  // namespace logpx::vae_models_test
