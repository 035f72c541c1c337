// Fuzz target of one reader of foreign files: built once per format with LOGPX_FUZZ_FORMAT.
// Whatever the bytes are, the reader gives rows or throws logpx::Error; anything else is a bug.
#include "formats/draw/row_text.hpp"
#include "formats/import/importer.hpp"
#include "libcore/base/error.hpp"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace logpx;
  const auto* bytes = reinterpret_cast<const std::byte*>(data);
  std::vector<Input> inputs;
  inputs.emplace_back("fuzz", std::vector<std::byte>(bytes, bytes + size));
  ImportOptions options;
  try {
    const auto importer = open_import(*find_format(LOGPX_FUZZ_FORMAT), std::move(inputs), options);
    for (Rows rows; importer->next(rows);)
      if (importer->info().is_table()) (void)draw::row_text(importer->info(), rows);
    (void)importer->finish();
  } catch (const Error&) {
  }
  return 0;
}
