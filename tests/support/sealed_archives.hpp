// Archives of files that tests make, sealed and opened again: what damage does to them.
#pragma once

#include "tests/support/archives.hpp"
#include "tests/support/coding_models.hpp"

#include <memory>
#include <string_view>
#include <vector>

namespace logpx::testing {

[[nodiscard]] archive::ByteVector from_text(std::string_view text);
[[nodiscard]] archive::ByteVector noise(std::size_t size, std::uint32_t sub = 1);
[[nodiscard]] archive::ByteVector words(std::size_t size);

[[nodiscard]] std::shared_ptr<ToyVaeModel> toy_vae();
// A chain of letters, with its config and training data.
[[nodiscard]] std::shared_ptr<MarkovModel> text_model();
[[nodiscard]] MarkovConfig text_config();
void fit_to_words(MarkovModel& model);
// An IDX file of n pictures of 4 x 4 bits that the toy VAE drew.
[[nodiscard]] archive::ByteVector drawn_bits(const ToyVaeModel& model, std::int64_t n);
// The same with its pictures in ascending order.
[[nodiscard]] archive::ByteVector sorted_bits(const ToyVaeModel& model, std::int64_t n);
// Like files, and among them some of other kinds.
[[nodiscard]] std::vector<archive::ByteVector> many_files(std::size_t count);

struct Sealed {
  archive::ByteVector bytes;
  std::vector<archive::ByteVector> contents;  // of file0, file1 ...
  std::shared_ptr<Model> model;
  compress::Figures figures;
};
[[nodiscard]] Sealed seal(std::shared_ptr<Model> model,
                          const std::vector<archive::ByteVector>& contents,
                          compress::Methods methods = compress::Methods::model, int threads = 1,
                          const compress::CodingOptions& options = {});
[[nodiscard]] compress::CodingOptions as_set();
[[nodiscard]] std::vector<archive::ByteVector> opened(const Sealed& sealed, archive::ByteView bytes,
                                                      int threads = 1);

// Damaged bytes: refused as data, or the very same content.
enum class Fate { refused, same, wrong };
[[nodiscard]] Fate fate_of(const Sealed& sealed, archive::ByteView bytes);

}  // namespace logpx::testing
