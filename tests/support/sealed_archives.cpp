#include "tests/support/sealed_archives.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/rng.hpp"
#include "tests/support/plans.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>

namespace logpx::testing {

using namespace logpx::archive;
using namespace logpx::compress;

ByteVector from_text(std::string_view text) {
  return {bytes_of(text).begin(), bytes_of(text).end()};
}

ByteVector noise(std::size_t size, std::uint32_t sub) {
  ByteVector bytes(size);
  const Substream stream = Rng(11).stream(Stream::noise, sub);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(stream.word(i));
  return bytes;
}

ByteVector words(std::size_t size) {
  static constexpr std::string_view some[] = {"the ", "cat ", "sat ", "on ", "a ", "mat "};
  std::string text;
  const Substream stream = Rng(12).stream(Stream::noise, 1);
  for (std::size_t i = 0; text.size() < size; ++i) text += some[stream.word(i) % 6];
  return from_text(text.substr(0, size));
}

ByteVector drawn_bits(const ToyVaeModel& model, std::int64_t n) {
  const Rows rows = testing::sample_rows(abilities(model), 0, n, Rng(3));
  ByteVector file = array_header(MemberKind::idx, std::vector<std::int64_t>{n, 4, 4});
  file.insert(file.end(), rows.x.begin(), rows.x.end());
  return file;
}

ByteVector sorted_bits(const ToyVaeModel& model, std::int64_t n) {
  ByteVector file = drawn_bits(model, n);
  constexpr std::ptrdiff_t head = 16, size = 16;
  std::vector<ByteVector> pictures;
  for (auto at = file.begin() + head; at != file.end(); at += size)
    pictures.emplace_back(at, at + size);
  std::ranges::sort(pictures);
  auto out = file.begin() + head;
  for (const ByteVector& picture : pictures) out = std::ranges::copy(picture, out).out;
  return file;
}

std::shared_ptr<ToyVaeModel> toy_vae() {
  register_coding_models();
  auto model = std::make_shared<ToyVaeModel>(ToyVaeConfig());
  model->randomise();
  return model;
}

MarkovConfig text_config() {
  MarkovConfig config;
  config.run = true;
  config.height = 1;
  config.width = 50;
  config.levels = 27;
  config.alphabet = " abcdefghijklmnopqrstuvwxyz";
  return config;
}

void fit_to_words(MarkovModel& model) {
  const ByteVector text = words(5000);
  model.fit({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

std::shared_ptr<MarkovModel> text_model() {
  register_coding_models();
  auto model = std::make_shared<MarkovModel>(text_config());
  fit_to_words(*model);
  return model;
}

Sealed seal(std::shared_ptr<Model> model, const std::vector<ByteVector>& contents, Methods methods,
            int threads, const CodingOptions& options) {
  Workers workers(threads);
  Sealed sealed{.bytes = {}, .contents = contents, .model = model, .figures = {}};
  const Coding coding = coding_of(std::move(model), options, workers);
  std::vector<MemoryFile> files;
  for (const ByteVector& content : contents)
    files.push_back({"file" + std::to_string(files.size()), content});
  sealed.bytes = make_archive(coding, files, methods, workers, &sealed.figures);
  return sealed;
}

CodingOptions as_set() {
  CodingOptions options;
  options.as_set = true;
  return options;
}

std::vector<ByteVector> opened(const Sealed& sealed, ByteView bytes, int threads) {
  Workers workers(threads);
  return open_archive(bytes, sealed.model, workers);
}

Fate fate_of(const Sealed& sealed, ByteView bytes) {
  try {
    return opened(sealed, bytes) == sealed.contents ? Fate::same : Fate::wrong;
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::data);
    CHECK(std::strlen(error.what()) > 0);
    return Fate::refused;
  }
}

std::vector<ByteVector> many_files(std::size_t count) {
  const auto vae = toy_vae();
  const ByteVector bits = drawn_bits(*vae, static_cast<std::int64_t>(count));
  std::vector<ByteVector> files;
  for (std::size_t i = 0; i < count; ++i) {
    ByteVector file = from_text("P5 4 4 255\n");
    file.insert(file.end(), bits.begin() + static_cast<std::ptrdiff_t>(16 + 16 * i),
                bits.begin() + static_cast<std::ptrdiff_t>(32 + 16 * i));
    files.push_back(std::move(file));
    if (i % 20 == 7) files.push_back(words(300 + i));
    if (i % 20 == 9) files.push_back(drawn_bits(*vae, 3));
  }
  return files;
}

}  // namespace logpx::testing
