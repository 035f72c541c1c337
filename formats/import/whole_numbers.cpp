#include "formats/import/whole_numbers.hpp"

#include "formats/file/output.hpp"
#include "formats/import/spool.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/base/stop.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace logpx {
namespace {

constexpr double most_symbols = 65536;

struct Range {
  double least = 0, most = 0;
};

// A stream whose beginning has been read already and waits in a file.
class SeenStream final : public ByteStream {
 public:
  explicit SeenStream(std::unique_ptr<ByteStream> stream)
      : stream_(std::move(stream)), seen_(spool_folder()) {}

  // Reads the elements of the array, as far as they are there.
  void look(const ArrayLayout& layout, Range& range) {
    const std::size_t width = number_size(layout.type);
    std::vector<std::byte> buffer(RowStream::chunk_bytes);
    for (std::uint64_t left = layout.bytes(); left > 0;) {
      stop::check();
      const auto part = std::span(buffer).first(std::min<std::uint64_t>(left, buffer.size()));
      const std::size_t got = stream_->read(part);
      seen_.append(part.first(got));
      for (std::size_t at = 0; at + width <= got; at += width) {
        const double value = load_number(buffer.data() + at, layout.type, layout.big_endian);
        range = {std::min(range.least, value), std::max(range.most, value)};
      }
      if (got < part.size()) return;
      left -= got;
    }
  }

  [[nodiscard]] const std::string& name() const override { return stream_->name(); }
  [[nodiscard]] std::optional<std::uint64_t> size() const override { return stream_->size(); }
  [[nodiscard]] std::optional<SourceFile> finish() override { return stream_->finish(); }
  [[nodiscard]] std::size_t read(std::span<std::byte> out) override {
    const auto again = out.first(std::min<std::uint64_t>(out.size(), seen_.size() - at_));
    seen_.read_at(at_, again);
    at_ += again.size();
    if (again.size() == out.size()) return out.size();
    return again.size() + stream_->read(out.subspan(again.size()));
  }

 private:
  std::unique_ptr<ByteStream> stream_;
  SpoolFile seen_;
  std::uint64_t at_ = 0;
};

}  // namespace

ImportOptions keep_integers(std::vector<OpenArray>& arrays, ImportOptions options,
                            ImportRecord& record) {
  const ArrayLayout& first = arrays.front().layout;
  const bool open = options.content == Reading::by_rank && options.shape.empty();
  if (!open || is_real(first.type) || is_image_by_rank(first)) return options;
  Range range;
  for (OpenArray& array : arrays) {
    auto seen = std::make_unique<SeenStream>(std::move(array.stream));
    seen->look(array.layout, range);
    array.stream = std::move(seen);
  }
  if (range.least < 0 || range.most >= most_symbols) {
    record.warnings.push_back(
        "whole numbers from " + to_text(range.least) + " to " + to_text(range.most) +
        " become real numbers: a dataset keeps only 0 to 65535 as whole numbers");
    return options;
  }
  options.content = Reading::symbols;
  if (!options.levels) {
    options.levels = std::max<std::int64_t>(2, static_cast<std::int64_t>(range.most) + 1);
    record.notes.push_back("whole numbers of " + std::to_string(*options.levels) +
                           " levels, one more than the largest (--levels, --content vector)");
  }
  return options;
}

}  // namespace logpx
