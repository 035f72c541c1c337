// Fuzz target of one reader of foreign files: built once per format with LOGPX_FUZZ_FORMAT.
// Whatever the bytes are, the reader gives rows or throws logpx::Error; anything else is a bug. A
// table is also read as a question about itself, and its holes are filled.
#include "formats/csv_file.hpp"
#include "formats/draw/row_text.hpp"
#include "formats/import/importer.hpp"
#include "libcore/base/error.hpp"

#include <cstddef>
#include <cstdint>

namespace {

void ask_about(const logpx::DatasetInfo& info, std::vector<std::byte> bytes) {
  const logpx::CsvFile file("fuzz", std::move(bytes));
  const logpx::TableColumns columns(file, info);
  (void)columns.filled([](std::int64_t, std::int64_t) { return std::string("\"a, b\""); });
}

}  // namespace

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
    if (importer->info().is_table() && std::string_view(LOGPX_FUZZ_FORMAT) == "csv")
      ask_about(importer->info(), {bytes, bytes + size});
  } catch (const Error&) {
  }
  return 0;
}
