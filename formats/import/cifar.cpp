// CIFAR-10 and CIFAR-100 binary batches: records of one or two label bytes and 3,072 pixels in
// planes R, G, B. The size tells which of the two it is; where both fit, the labels of the first
// records do.
#include "formats/import/array.hpp"
#include "formats/import/importer.hpp"
#include "formats/import/tiles.hpp"
#include "libcore/base/error.hpp"

#include <algorithm>

namespace logpx {
namespace {

constexpr std::size_t image_bytes = 3072, plane = 1024;
constexpr std::size_t record10 = 1 + image_bytes, record100 = 2 + image_bytes;
constexpr std::size_t chunk_records = 1024;

class CifarImporter final : public Importer {
 public:
  CifarImporter(Inputs inputs, bool coarse) : inputs_(std::move(inputs)), coarse_(coarse) {
    info_ = image_info({32, 32, 3});
    info_.has_labels = true;
    open_next();
    record_bytes_ = coarse_ || is_cifar100() ? record100 : record10;
    check_size();
  }

  [[nodiscard]] bool next(Rows& rows) override {
    rows = {};
    std::vector<std::byte> raw(chunk_records * record_bytes_);
    while (source_) {
      const std::size_t got = source_->read(raw);
      if (got % record_bytes_ != 0) fail_remainder(file_bytes_ + got);
      file_bytes_ += got;
      if (got > 0) return take(std::span(raw).first(got), rows), true;
      if (file_bytes_ == 0) fail(ErrorKind::data, source_->name(), "is empty");
      record_.sources.push_back(*source_->finish());
      open_next();
      if (source_) check_size();
    }
    return false;
  }

  [[nodiscard]] ImportRecord finish_inputs() override {
    for (; source_; open_next()) record_.sources.push_back(*source_->finish());
    return std::move(record_);
  }

 private:
  void open_next() {
    source_.reset();
    if (opened_ == inputs_.size()) return;
    source_ = std::make_unique<ByteSource>(inputs_[opened_++].open());
    file_bytes_ = file_records_ = 0;
  }

  // CIFAR-100 records put the fine label where a CIFAR-10 record has its first pixel: decided by
  // size when only one record length divides it, else by the labels of the first records.
  [[nodiscard]] bool is_cifar100() {
    const auto size = source_->size();
    if (size && *size % record10 != *size % record100 &&
        *size % record10 * (*size % record100) == 0)
      return *size % record100 == 0;
    if (size && *size % record10 != 0) return false;
    const std::span<const std::byte> start = source_->peek(16 * record100);
    bool ten = true, hundred = true;
    for (std::size_t at = 0; at + record10 <= start.size(); at += record10)
      ten = ten && start[at] < std::byte{10};
    for (std::size_t at = 0; at + record100 <= start.size(); at += record100)
      hundred = hundred && start[at] < std::byte{20} && start[at + 1] < std::byte{100};
    return hundred && !ten;
  }

  void check_size() {
    const auto size = source_->size();
    if (size && *size % record_bytes_ != 0) fail_remainder(*size);
  }

  [[noreturn]] void fail_remainder(std::uint64_t size) const {
    fail(ErrorKind::data, source_->name(),
         std::to_string(size) + " bytes is not a multiple of " + std::to_string(record_bytes_) +
             " (remainder " + std::to_string(size % record_bytes_) + ")",
         inputs_.front().is_member() ? "the batches alone: --members '*.bin'" : "");
  }

  [[nodiscard]] std::int32_t label(std::byte byte, int classes) const {
    const int value = std::to_integer<int>(byte);
    if (value >= classes)
      fail(ErrorKind::data, source_->name(),
           "label " + std::to_string(value) + " at record " + std::to_string(file_records_));
    return value;
  }

  void take(std::span<const std::byte> raw, Rows& rows) {
    rows.count = static_cast<std::int64_t>(raw.size() / record_bytes_);
    rows.x.resize(static_cast<std::size_t>(rows.count) * image_bytes);
    std::byte* out = rows.x.data();
    for (; !raw.empty(); raw = raw.subspan(record_bytes_), ++file_records_, ++info_.n) {
      std::int32_t value = label(raw[0], record_bytes_ == record10 ? 10 : 20);
      if (record_bytes_ == record100) {
        const std::int32_t fine = label(raw[1], 100);
        if (!coarse_) value = fine;
      }
      rows.y.push_back(value);
      const std::byte* planes = raw.data() + (record_bytes_ - image_bytes);
      for (std::size_t i = 0; i < plane; ++i)
        for (std::size_t c = 0; c < 3; ++c) *out++ = planes[c * plane + i];
    }
  }

  Inputs inputs_;
  std::size_t opened_ = 0;
  bool coarse_;
  std::size_t record_bytes_ = record10;
  std::unique_ptr<ByteSource> source_;
  std::uint64_t file_bytes_ = 0, file_records_ = 0;
};

std::unique_ptr<Importer> open_cifar10(Inputs inputs, const ImportOptions& options) {
  Inputs batches = unpacked(std::move(inputs), options.members);
  return with_tiles(std::make_unique<CifarImporter>(std::move(batches), options.coarse), options);
}

}  // namespace

namespace foreign {

ImportFormat cifar10() {
  return {.word = "cifar10",
          .says = "CIFAR-10 in its binary form",
          .options = {"members", "coarse", "size", "tile"},
          .open = open_cifar10};
}

}  // namespace foreign
}  // namespace logpx
