// Folders of pictures, and picture files.
#include "formats/import/array.hpp"
#include "formats/import/container.hpp"
#include "formats/import/importer.hpp"
#include "formats/import/raster.hpp"
#include "formats/import/picture_list.hpp"
#include "formats/import/tiles.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/hash.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/base/stop.hpp"

#include <algorithm>
#include <cstring>
#include <set>

namespace logpx {
namespace {

constexpr std::size_t picture_chunk_bytes = std::size_t{4} << 20;
constexpr std::uint64_t max_file_bytes = std::uint64_t{1} << 30;

std::string size_text(std::int64_t width, std::int64_t height) {
  return std::to_string(width) + "x" + std::to_string(height);
}

// The files of one operand, as one line of provenance.
struct OperandHashes {
  SourceFile source;
  Sha256 listing, listing_uncompressed;

  void add(const SourceFile& file, const std::string& relative) {
    source.bytes += file.bytes;
    ++source.files;
    listing.update(file.sha256 + "  " + relative + "\n");
    listing_uncompressed.update(file.sha256_uncompressed + "  " + relative + "\n");
  }
};

// How many pictures have which size, and the first of each; sizes in the order in which they come.
class SizeCount {
 public:
  void add(std::int64_t width, std::int64_t height, const std::string& name) {
    const std::string size = size_text(width, height);
    ++pictures_;
    for (Entry& entry : sizes_)
      if (entry.size == size) return void(++entry.count);
    sizes_.push_back({size, name, 1});
  }
  [[nodiscard]] bool differ() const { return sizes_.size() > 1; }

  // Names the rarest size, the later one of two.
  [[noreturn]] void fail_rarest() const {
    const auto fewer = [](const Entry& a, const Entry& b) { return a.count < b.count; };
    const Entry& usual = *std::max_element(sizes_.begin(), sizes_.end(), fewer);
    const Entry& rare = *std::min_element(sizes_.rbegin(), sizes_.rend(), fewer);
    const std::int64_t others = pictures_ - usual.count - rare.count;
    const std::string count = std::to_string(usual.count);
    fail(ErrorKind::data, rare.first,
         "is " + rare.size + " (" + std::to_string(rare.count) + " of " +
             std::to_string(pictures_) + " pictures), " +
             (usual.count == 1
                  ? "1 is " + usual.size + " (" + usual.first + ")"
                  : count + " are " + usual.size + " (the first is " + usual.first + ")") +
             (others > 0 ? ", " + std::to_string(others) + " have other sizes" : ""),
         "--size " + usual.size + " --fit crop, or --size " + usual.size +
             " --fit reject to leave the others out");
  }

 private:
  struct Entry {
    std::string size, first;
    std::int64_t count = 0;
  };
  std::vector<Entry> sizes_;
  std::int64_t pictures_ = 0;
};

class ImagesImporter final : public Importer {
 public:
  ImagesImporter(Inputs inputs, const ImportOptions& options)
      : inputs_(std::move(inputs)),
        options_(options),
        list_(list_pictures(inputs_, options.members)),
        size_(asked_size(options)) {
    if (options.labels_from == LabelsFrom::dir) number_classes();
    info_.has_source_rows = options.skip_bad || options.fit == Fit::reject;
    operands_.resize(inputs_.size());
  }

  [[nodiscard]] bool next(Rows& rows) override {
    rows = {};
    while (current_ < list_.files.size() && rows.x.size() < picture_chunk_bytes) {
      stop::check();
      take(list_.files[current_++], rows);
    }
    info_.n += rows.count;
    if (rows.count > 0) return true;
    if (info_.n == 0) {
      if (left_over_ > 0)
        fail(ErrorKind::data, inputs_[0].name(),
             "no picture is as large as a tile of " + std::to_string(options_.tile) + 'x' +
                 std::to_string(options_.tile));
      tell_left_out();
      fail(ErrorKind::data, inputs_[0].name(), "no images" + left_out_words(record_));
    }
    info_.has_source_rows = bad_ + rejected_ > 0;
    return false;
  }

  [[nodiscard]] ImportRecord finish_inputs() override {
    for (std::size_t i = 0; i < inputs_.size(); ++i) finish_operand(i);
    const auto note = [this](std::int64_t count, const std::string& what) {
      if (count > 0) record_.notes.push_back(std::to_string(count) + what);
    };
    note(list_.skipped, " hidden files and __MACOSX folders skipped");
    tell_left_out();
    note(left_over_, " pixels at the edges are in no tile");
    note(made_rgb_, " grey pictures made RGB like the first");
    if (made_gray_ > 0)
      record_.warnings.push_back(std::to_string(made_gray_) +
                                 " RGB pictures made grey like the first");
    if (info_.lossy_source)
      record_.warnings.push_back("JPEG is lossy: likelihoods on these pictures are not comparable");
    return std::move(record_);
  }

 private:
  void tell_left_out() {
    leave_out(bad_, "file that is not a picture", "files that are not pictures");
    leave_out(rejected_, "picture of another size", "pictures of another size");
  }

  void number_classes() {
    std::set<std::string> names;
    for (const PictureFile& file : list_.files)
      if (!file.folder.empty()) names.insert(file.folder);
    info_.label_names.assign(names.begin(), names.end());
    info_.has_labels = true;
  }

  void finish_operand(std::size_t i) {
    OperandHashes& operand = operands_[i];
    if (operand.source.name.empty()) return;  // never reached
    if (inputs_[i].is_folder()) {
      operand.source.sha256 = operand.listing.hex();
      operand.source.sha256_uncompressed = operand.listing_uncompressed.hex();
    }
    record_.sources.push_back(std::move(operand.source));
  }

  [[nodiscard]] std::vector<std::byte> read_file(const PictureFile& file) {
    Input& operand = inputs_[file.input];
    const bool in_folder = operand.is_folder();
    ByteSource source = file.member ? open_inside(operand.unpack(), *file.member)
                        : in_folder ? ByteSource(file.path)
                                    : operand.open();
    std::vector<std::byte> bytes = read_whole(source, max_file_bytes);
    SourceFile record = *source.finish();
    OperandHashes& hashes = operands_[file.input];
    if (in_folder) {
      if (hashes.source.name.empty()) hashes.source = {operand.name(), 0, "", "", 0};
      hashes.add(record, file.relative);
    } else {
      hashes.source = std::move(record);
    }
    return bytes;
  }

  // Nothing for a file that is not a picture, where --skip-bad asks for that. Other options decide
  // about pictures that differ in size, transparency or depth.
  [[nodiscard]] std::optional<Raster> decode(const PictureFile& file, bool& lossy) {
    try {
      const std::vector<std::byte> bytes = read_file(file);
      lossy = picture_kind(bytes) == PictureKind::jpeg;
      return decode_picture(bytes, Depth::upper_8, file.path);
    } catch (const Error& error) {
      if (!options_.skip_bad || error.kind() != ErrorKind::data) throw;
      ++bad_;
      record_.notes.push_back("skipped: " + std::string(error.what()));
      return std::nullopt;
    }
  }

  // One picture has another size: the headers of the following ones tell which size is rare.
  [[noreturn]] void fail_sizes() {
    for (; current_ < list_.files.size(); ++current_) {
      stop::check();
      const PictureFile& file = list_.files[current_];
      try {
        const Rectangle size = picture_size(read_file(file), file.path);
        sizes_.add(size.width, size.height, file.path);
      } catch (const Error&) {  // no picture: a later run will report it
      }
    }
    sizes_.fail_rarest();
  }

  void take(const PictureFile& file, Rows& rows) {
    bool lossy = false;
    std::optional<Raster> decoded = decode(file, lossy);
    if (!decoded) return;
    if (decoded->deep && !options_.to_8bit) fail_16_bit(file.path);
    Raster picture = without_alpha(*decoded, options_.alpha, file.path);
    picture = with_channels(picture);
    if (!options_.crop.empty()) picture = cut(picture, crop_of(picture, file.path));
    if (options_.fit == Fit::reject &&
        (picture.width != size_.width || picture.height != size_.height))
      return void(++rejected_);
    info_.lossy_source = info_.lossy_source || lossy;
    picture = fitted(picture);
    check_asked_size(picture, file.path);
    if (options_.tile == 0) return put(picture, file, rows);
    for (const Raster& tile : tiles_of(picture, options_.tile)) put(tile, file, rows);
    left_over_ += pixels_left_over(picture.width, picture.height, options_.tile);
  }

  [[nodiscard]] Raster with_channels(const Raster& picture) {
    if (channels_ == 0) channels_ = options_.gray ? 1 : options_.rgb ? 3 : picture.channels;
    if (picture.channels == channels_) return picture;
    const bool asked = options_.gray || options_.rgb;
    if (!asked) ++(channels_ == 1 ? made_gray_ : made_rgb_);
    return channels_ == 1 ? to_gray(picture) : to_rgb(picture);
  }

  [[nodiscard]] Rectangle crop_of(const Raster& picture, const std::string& name) const {
    const Rectangle part{options_.crop[0], options_.crop[1], options_.crop[2], options_.crop[3]};
    const bool inside = part.x >= 0 && part.y >= 0 && part.width >= 1 && part.height >= 1 &&
                        part.x <= picture.width - part.width &&
                        part.y <= picture.height - part.height;
    if (!inside)
      fail(ErrorKind::data, name,
           "is " + size_text(picture.width, picture.height) + ", --crop reaches outside");
    return part;
  }

  [[nodiscard]] Raster fitted(const Raster& picture) const {
    switch (options_.fit) {
      case Fit::crop: return crop_to(picture, size_.width, size_.height);
      case Fit::stretch: return area_average(picture, size_.width, size_.height);
      case Fit::pad: return pad_to(picture, size_.width, size_.height);
      case Fit::none:
      case Fit::reject: break;
    }
    return picture;
  }

  void put(const Raster& picture, const PictureFile& file, Rows& rows) {
    if (info_.levels == 0) {
      const DatasetInfo image = image_info({picture.height, picture.width, picture.channels});
      info_.shape = image.shape;
      info_.levels = image.levels;
      info_.value_max = image.value_max;
    }
    sizes_.add(picture.width, picture.height, file.path);
    if (sizes_.differ()) fail_sizes();
    const auto* const bytes = reinterpret_cast<const std::byte*>(picture.pixels.data());
    rows.x.insert(rows.x.end(), bytes, bytes + picture.pixels.size());
    ++rows.count;
    if (info_.has_source_rows) rows.source.push_back(static_cast<std::int64_t>(current_) - 1);
    if (!info_.has_labels) return;
    if (file.folder.empty())
      fail(ErrorKind::data, file.path, "is not in a folder that could be its class",
           "leave out --labels-from dir");
    const auto& names = info_.label_names;
    rows.y.push_back(static_cast<std::int32_t>(
        std::lower_bound(names.begin(), names.end(), file.folder) - names.begin()));
  }

  void check_asked_size(const Raster& picture, const std::string& name) const {
    const std::string has = size_text(picture.width, picture.height);
    if (size_.width > 0 && has != size_text(size_.width, size_.height))
      fail(ErrorKind::data, name, "is " + has + ", --size is " + options_.size,
           "--size " + options_.size + " --fit crop");
  }

  Inputs inputs_;
  ImportOptions options_;
  PictureList list_;
  Rectangle size_;
  std::vector<OperandHashes> operands_;
  SizeCount sizes_;
  std::size_t current_ = 0;
  std::int64_t channels_ = 0;
  std::int64_t bad_ = 0, rejected_ = 0, left_over_ = 0, made_gray_ = 0, made_rgb_ = 0;
};

bool is_bmp(std::string_view first) {  // four reserved bytes are zero
  return first.size() > 10 && first.substr(6, 4) == std::string_view("\0\0\0\0", 4);
}

bool is_pnm(std::string_view first) {
  return first.size() > 3 && std::string_view(" \t\r\n").find(first[2]) != std::string_view::npos &&
         std::string_view("0123456789#").find(first[3]) != std::string_view::npos;
}

std::unique_ptr<Importer> open_images(Inputs inputs, const ImportOptions& options) {
  return std::make_unique<ImagesImporter>(std::move(inputs), options);
}

}  // namespace

namespace foreign {

ImportFormat images() {
  return {.word = "images",
          .says = "PNG, JPEG, BMP and PNM files, or folders of them",
          .known_by = {{"a PNG picture", "\x89PNG\r\n\x1a\n"},
                       {"a JPEG picture", "\xff\xd8\xff"},
                       {"a BMP picture", "BM", is_bmp},
                       {"a PNM picture", "P4", is_pnm},
                       {"a PNM picture", "P5", is_pnm},
                       {"a PNM picture", "P6", is_pnm}},
          .folders = true,
          .options = {"members", "size", "tile", "fit", "crop", "gray", "rgb", "labels-from",
                      "alpha", "to-8bit", "skip-bad"},
          .open = open_images};
}

}  // namespace foreign
}  // namespace logpx
