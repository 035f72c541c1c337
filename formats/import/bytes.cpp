// Any files as blocks of bytes.
#include "formats/import/array.hpp"
#include "formats/import/blocks.hpp"
#include "formats/import/importer.hpp"
#include "libcore/base/error.hpp"

namespace logpx {
namespace {

class BytesImporter final : public Importer {
 public:
  BytesImporter(Inputs inputs, const ImportOptions& options)
      : inputs_(std::move(inputs)),
        per_file_(options.per_file),
        cutter_(options.block, Element::u8,
                options.drop_last ? ShortBlocks::drop : ShortBlocks::keep) {
    info_ = symbols_info(options.block, 256);
    info_.content = Content::bytes;
    info_.has_lengths = !options.drop_last;
    source_ = std::make_unique<ByteSource>(inputs_[0].open());
  }

  [[nodiscard]] bool next(Rows& rows) override {
    std::vector<std::byte> buffer(256 * 1024);
    while (source_ && !cutter_.is_ready()) {
      const std::size_t got = source_->read(buffer);
      cutter_.put_bytes(std::span(buffer).first(got));
      if (got < buffer.size()) close_file();
    }
    rows = cutter_.take();
    if (rows.count > 0) return true;
    info_.n = cutter_.blocks();
    info_.has_lengths = cutter_.any_short();
    if (info_.n == 0) fail(ErrorKind::data, inputs_[0].name(), "no bytes to pack");
    return false;
  }

  [[nodiscard]] ImportRecord finish_inputs() override {
    while (source_) close_file();
    if (cutter_.dropped() > 0)
      record_.notes.push_back(std::to_string(cutter_.dropped()) + " bytes of short blocks dropped");
    return std::move(record_);
  }

 private:
  void close_file() {
    record_.sources.push_back(*source_->finish());
    source_.reset();
    if (++opened_ < inputs_.size()) source_ = std::make_unique<ByteSource>(inputs_[opened_].open());
    if (per_file_ || !source_) cutter_.flush();
  }

  Inputs inputs_;
  bool per_file_;
  std::size_t opened_ = 0;
  std::unique_ptr<ByteSource> source_;
  BlockCutter cutter_;
};

std::unique_ptr<Importer> open_bytes(Inputs inputs, const ImportOptions& options) {
  return std::make_unique<BytesImporter>(std::move(inputs), options);
}

}  // namespace

namespace foreign {

ImportFormat bytes() {
  return {.word = "bytes",
          .says = "any files, as bytes",
          .options = {"block", "drop-last", "per-file"},
          .open = open_bytes};
}

}  // namespace foreign
}  // namespace logpx
