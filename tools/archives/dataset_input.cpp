#include "tools/archives/dataset_input.hpp"

#include "formats/dataset_file.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/hash.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/families/molecule_labels.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <numeric>
#include <utility>
#include <vector>

namespace logpx::compress {
namespace {

using namespace archive;

// [rows, height, width, channels], as the codec or the dataset has them.
std::vector<std::int64_t> sizes_of(std::int64_t rows, const DatasetInfo& info,
                                   const ModelCodec* codec) {
  std::vector<std::int64_t> sizes{rows};
  if (codec == nullptr) {
    sizes.insert(sizes.end(), info.shape.begin(), info.shape.end());
    return sizes;
  }
  const CodedItem& item = codec->item();
  if (item.kind == CodedItem::Kind::run) return {rows, item.width};
  sizes.insert(sizes.end(), {item.height, item.width, item.channels});
  return sizes;
}

void settle_numbers(std::span<std::byte> row) {
  MoleculeLabels().settle({reinterpret_cast<std::uint8_t*>(row.data()), row.size()});
}

// Ascending.
ByteVector sorted(const ByteVector& rows, std::size_t row_bytes) {
  std::vector<const std::byte*> begins;
  for (std::size_t at = 0; at < rows.size(); at += row_bytes) begins.push_back(rows.data() + at);
  std::ranges::sort(begins, [&](const std::byte* a, const std::byte* b) {
    return std::memcmp(a, b, row_bytes) < 0;
  });
  ByteVector out;
  out.reserve(rows.size());
  for (const std::byte* row : begins) out.insert(out.end(), row, row + row_bytes);
  return out;
}

class DatasetInput final : public MemberInput {
 public:
  DatasetInput(const std::string& operand, const std::string& name, const DatasetReading& how)
      : operand_(operand),
        codec_(how.codec),
        order_(how.order),
        file_(parse_dataset_name(operand).path) {
    const DatasetInfo& info = file_.info();
    if (codec_ == nullptr && info.element != Element::u8)
      fail(ErrorKind::data, operand,
           std::string("has rows of ") + word_of(info.element) + "; --dataset codes u8",
           "code the .h5 file itself, without --dataset");
    const RowSelection rows = select_rows(info, parse_dataset_name(operand), "", how.rows);
    at_ = rows.begin;
    end_ = rows.end;
    std::vector<std::int64_t> sizes = sizes_of(end_ - at_, info, codec_);
    row_bytes_ = 1;
    for (std::size_t k = 1; k < sizes.size(); ++k) row_bytes_ *= sizes[k];
    if (sizes.size() > 3 && sizes.back() == 1) sizes.pop_back();  // grey
    ahead_ = array_header(MemberKind::idx, sizes);
    member_.kind = MemberKind::idx;
    member_.meta = ahead_;
    if (!find_layout(member_.meta))
      fail(ErrorKind::data, operand, "has rows of a shape that IDX files cannot have");
    member_.name = name;
    member_.size = ahead_.size() + static_cast<std::uint64_t>((end_ - at_) * row_bytes_);
    check_memory(how.memory);
  }
  [[nodiscard]] const Member& member() const override { return member_; }
  [[nodiscard]] std::string name() const override { return operand_; }
  [[nodiscard]] std::uint64_t bytes_read() const override { return done_; }
  [[nodiscard]] ByteSupply supply() override {
    return [this](std::span<std::byte> out) {
      std::size_t filled = 0;
      while (filled < out.size() && (taken_ < ahead_.size() || at_ < end_)) {
        if (taken_ == ahead_.size()) {
          ahead_ = order_ == RowOrder::as_set ? all_as_set() : next_rows();
          taken_ = 0;
        }
        const std::size_t count = std::min(out.size() - filled, ahead_.size() - taken_);
        std::copy_n(ahead_.begin() + static_cast<std::ptrdiff_t>(taken_), count,
                    out.begin() + static_cast<std::ptrdiff_t>(filled));
        taken_ += count;
        filled += count;
      }
      hash_.update(out.first(filled));
      done_ += filled;
      return filled;
    };
  }
  [[nodiscard]] MemberEnd end() override { return {done_, hash_.hex()}; }

 private:
  // A set is held twice while it is sorted.
  void check_memory(std::uint64_t memory) const {
    const std::uint64_t need = 2 * member_.size.value_or(0);
    if (order_ == RowOrder::as_set && need > memory)
      fail(ErrorKind::refused, operand_,
           "takes " + human_bytes(need) + " to be sorted, more than " + human_bytes(memory),
           "--memory allows more");
  }
  ByteVector next_rows() {
    const std::int64_t count = std::clamp<std::int64_t>((1 << 20) / row_bytes_, 1, end_ - at_);
    const std::int64_t first = std::exchange(at_, at_ + count);
    const Rows rows = file_.read(first, at_);
    if (codec_ == nullptr) return rows.x;
    const std::vector<std::uint8_t> items =
        codec_->items({.info = file_.info(), .rows = rows, .first = first});
    if (std::ssize(items) != count * row_bytes_)
      fail(ErrorKind::data, operand_, "has rows of another size than the model's items");
    const ByteView bytes = std::as_bytes(std::span(items));
    return {bytes.begin(), bytes.end()};
  }
  ByteVector all_as_set() {
    ByteVector all;
    while (at_ < end_) {
      const ByteVector rows = next_rows();
      all.insert(all.end(), rows.begin(), rows.end());
    }
    const auto size = static_cast<std::size_t>(row_bytes_);
    if (file_.info().content == Content::molecules)
      for (std::size_t at = 0; at < all.size(); at += size)
        settle_numbers(std::span(all).subspan(at, size));
    return sorted(all, size);
  }

  std::string operand_;
  const ModelCodec* codec_;
  RowOrder order_;
  DatasetFile file_;
  std::int64_t at_ = 0, end_ = 0, row_bytes_ = 1;
  Member member_;
  ByteVector ahead_;
  std::size_t taken_ = 0;  // of what lies ahead
  Sha256 hash_;
  std::uint64_t done_ = 0;
};

}  // namespace

std::unique_ptr<MemberInput> dataset_input(const std::string& operand, const std::string& name,
                                           const DatasetReading& how) {
  return std::make_unique<DatasetInput>(operand, name, how);
}

std::string dataset_file_name(const std::string& operand) {
  const DatasetName name = parse_dataset_name(operand);
  const std::string stem = std::filesystem::path(name.path).stem().string();
  return stem + (name.split.empty() ? "" : '-' + name.split) + ".idx";
}

}  // namespace logpx::compress
