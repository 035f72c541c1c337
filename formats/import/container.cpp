// The one file that knows libarchive.
#include "formats/import/container.hpp"

#include "formats/file/output.hpp"
#include "formats/file/signature.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/base/shown_name.hpp"

#include <archive.h>
#include <archive_entry.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <exception>

#include <fnmatch.h>
#include <locale.h>

namespace logpx {
namespace {

constexpr std::size_t max_members = std::size_t{1} << 20, longest_member_name = 4096;
constexpr std::uint64_t max_names = std::uint64_t{128} << 20;
// The most bytes between two members: a zip's directory, a tar's headers.
constexpr std::uint64_t max_headers = std::uint64_t{128} << 20;
// Limits of an archive's content: deflate makes at most 1032 bytes of one.
constexpr std::uint64_t free_bytes = std::uint64_t{256} << 20, max_expansion = 1100;
constexpr std::uint64_t max_dictionary = std::uint64_t{128} << 20;  // that of xz -9 is 64 MiB
constexpr std::size_t stream_chunk_bytes = std::size_t{64} << 10, tar_record = 512;

}  // namespace

namespace walking {

// libarchive turns names that say they are UTF-8 into the character set of the locale. With this
// one they stay as they are, whatever the user's; only this thread sees it.
class Utf8Names {
 public:
  Utf8Names() : locale_(newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr)) {
    if (locale_ != nullptr) before_ = uselocale(locale_);
  }
  ~Utf8Names() {
    if (locale_ == nullptr) return;
    uselocale(before_);
    freelocale(locale_);
  }
  Utf8Names(const Utf8Names&) = delete;
  Utf8Names& operator=(const Utf8Names&) = delete;

 private:
  locale_t locale_, before_ = nullptr;
};

// What libarchive reads from. It calls back through C, so an exception waits until it has returned.
class Feed {
 public:
  explicit Feed(ByteSource& stream) : stream_(&stream) {}
  explicit Feed(const SeekableBytes& file) : file_(&file) {}

  void attach(::archive* to) {
    archive_read_set_callback_data(to, this);
    archive_read_set_read_callback(to, [](::archive*, void* self, const void** out) {
      return static_cast<Feed*>(self)->read(out);
    });
    if (file_ == nullptr) return;
    archive_read_set_seek_callback(to, [](::archive*, void* self, la_int64_t offset, int whence) {
      return static_cast<Feed*>(self)->seek(offset, whence);
    });
  }

  // From here on `max_headers` bytes may be read before the next call.
  void expect_headers() { since_member_ = 0, in_headers_ = true; }
  void expect_data() { in_headers_ = false; }
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }
  // Whether the last block of all that was read is zeros, as the end of a tar is.
  [[nodiscard]] bool ends_with_zeros() const {
    return std::all_of(tail_.begin(), tail_.end(), [](std::byte b) { return b == std::byte{0}; });
  }
  // Reads what libarchive does not need, so that checksums and hashes cover the whole file.
  void read_rest() {
    while (read_chunk() > 0) {
    }
  }
  [[nodiscard]] std::uint64_t compressed_bytes() const {
    return file_ != nullptr ? file_->record().bytes : stream_->compressed_bytes();
  }

 private:
  la_ssize_t read(const void** out) noexcept {
    try {
      *out = buffer_.data();
      const std::size_t count = read_chunk();
      since_member_ += count;
      if (in_headers_ && since_member_ > max_headers)
        fail(ErrorKind::data, file_ != nullptr ? file_->name() : stream_->name(),
             "has a directory of more than " + human_bytes(max_headers));
      return static_cast<la_ssize_t>(count);
    } catch (...) {
      failure_ = std::current_exception();
      return ARCHIVE_FATAL;
    }
  }

  [[nodiscard]] std::size_t read_chunk() {
    stop::check();
    std::size_t count = 0;
    if (file_ != nullptr) {
      count = static_cast<std::size_t>(
          std::min<std::uint64_t>(stream_chunk_bytes, file_->size() - at_));
      file_->read_at(at_, std::span(buffer_).first(count));
      at_ += count;
      return count;
    }
    count = stream_->read(buffer_);
    const std::size_t last = std::min(count, tail_.size());
    std::move(tail_.begin() + static_cast<std::ptrdiff_t>(last), tail_.end(), tail_.begin());
    std::copy_n(buffer_.begin() + static_cast<std::ptrdiff_t>(count - last), last,
                tail_.end() - static_cast<std::ptrdiff_t>(last));
    return count;
  }

  la_int64_t seek(la_int64_t offset, int whence) noexcept {
    const auto size = static_cast<la_int64_t>(file_->size());
    const la_int64_t from = whence == SEEK_SET   ? 0
                            : whence == SEEK_CUR ? static_cast<la_int64_t>(at_)
                                                 : size;
    const bool inside = offset >= -from && offset <= size - from;
    if (!inside) return ARCHIVE_FATAL;
    at_ = static_cast<std::uint64_t>(from + offset);
    return from + offset;
  }

  ByteSource* stream_ = nullptr;
  const SeekableBytes* file_ = nullptr;  // one of the two
  std::uint64_t at_ = 0, since_member_ = 0;
  bool in_headers_ = true;
  std::vector<std::byte> buffer_ = std::vector<std::byte>(stream_chunk_bytes);
  std::array<std::byte, tar_record> tail_{};
  std::exception_ptr failure_;
};

// "./faces//ann/1.png" as a folder would name it: "faces/ann/1.png".
std::string plain_name(std::string_view stored) {
  std::string name;
  for (const std::string& part : split_text(stored, '/')) {
    if (part.empty() || part == ".") continue;
    if (!name.empty()) name += '/';
    name += part;
  }
  return name;
}

// Names that folders leave out, too: those that begin with a dot, and __MACOSX.
bool is_hidden(const std::string& name) {
  for (const std::string& part : split_text(name, '/'))
    if ((part.starts_with('.') && part != "..") || part == "__MACOSX") return true;
  return false;
}

struct Unused {
  void operator()(::archive* reader) const { archive_read_free(reader); }
};

}  // namespace walking

// One pass over an archive that fills a Container.
class ContainerWalk {
 public:
  ContainerWalk(Container& container, walking::Feed& feed)
      : container_(container),
        feed_(feed),
        packing_(container.packing_),
        reader_(archive_read_new()) {
    if (!reader_) fail(ErrorKind::io, container.name_, "no memory to read an archive");
    // Only these formats: libarchive would take almost any text for an mtree.
    if (packing_ == Packing::zip) archive_read_support_format_zip_seekable(reader_.get());
    else archive_read_support_format_tar(reader_.get());
    if (packing_ == Packing::xz) archive_read_support_filter_xz(reader_.get());
    if (packing_ == Packing::zstd) archive_read_support_filter_zstd(reader_.get());
    if (packing_ == Packing::bzip2) archive_read_support_filter_bzip2(reader_.get());
    feed.attach(reader_.get());
    check(archive_read_open1(reader_.get()));
  }

  void run() {
    for (archive_entry* entry = nullptr; next(entry);) take(entry);
    feed_.read_rest();
    if (packing_ == Packing::tar && !feed_.ends_with_zeros())
      fail(ErrorKind::data, container_.name_, "ends without the end mark of tar");
    put_in_order();
  }

 private:
  struct Link {
    std::string name, target;
  };

  [[nodiscard]] std::string place() const {
    return member_.empty() ? container_.name_ : container_.name_ + ": " + shown_name(member_);
  }

  void check(la_ssize_t status) const {
    feed_.rethrow();
    if (status >= ARCHIVE_WARN) return;
    const char* reason = archive_error_string(reader_.get());
    const std::string_view words = reason == nullptr ? "?" : reason;
    const bool unknown = words == "Unrecognized archive format";
    if (unknown && packing_ == Packing::zip)
      fail(ErrorKind::data, container_.name_, "zip directory is missing or damaged");
    if (unknown)
      fail(ErrorKind::data, container_.name_, "is compressed, but holds no tar archive",
           "expand it first, or pipe it in: xz -dc, zstd -dc or bzip2 -dc FILE | pack-data FORMAT "
           "-");
    fail(ErrorKind::data, place(), "archive is damaged (" + shown_name(words) + ")");
  }

  bool next(archive_entry*& entry) {
    feed_.expect_headers();
    const int status = archive_read_next_header(reader_.get(), &entry);
    if (status == ARCHIVE_EOF) return feed_.rethrow(), false;
    check(status);
    feed_.expect_data();
    return true;
  }

  void take(archive_entry* entry) {
    const char* stored = archive_entry_pathname(entry);
    member_ = walking::plain_name(stored == nullptr ? "" : stored);
    if (archive_entry_filetype(entry) == AE_IFDIR) return read_data(nullptr);
    check_name();
    if (walking::is_hidden(member_)) {
      ++container_.hidden_;
      return read_data(nullptr);
    }
    const char* target = archive_entry_hardlink(entry);
    if (target != nullptr && archive_entry_size(entry) == 0) {
      links_.push_back({member_, walking::plain_name(target)});
      return read_data(nullptr);
    }
    if (archive_entry_filetype(entry) != AE_IFREG) {
      ++container_.links_;
      return read_data(nullptr);
    }
    check_readable(entry);
    Container::Member member{member_, container_.spool_.size(), 0};
    check_growth(static_cast<std::uint64_t>(std::max<la_int64_t>(archive_entry_size(entry), 0)));
    read_data(&member);
    container_.members_.push_back(std::move(member));
  }

  void check_readable(archive_entry* entry) const {
    if (archive_entry_is_encrypted(entry) != 0)
      fail(ErrorKind::data, place(), "is encrypted", "unpack it first");
    if (packing_ != Packing::zip) return;
    // "ZIP 2.0 (deflation)": the name of the format is all that tells the method. Others may ask
    // for gigabytes of memory.
    const std::string format = archive_format_name(reader_.get());
    const std::string method = format.substr(format.find('(') + 1);
    if (method != "uncompressed)" && method != "deflation)")
      fail(ErrorKind::data, place(), "is compressed by " + method.substr(0, method.find(')')),
           "only stored and deflated members are read: zip -r makes such an archive");
  }

  void check_name() {
    if (member_.empty() || member_.size() > longest_member_name)
      fail(ErrorKind::data, container_.name_,
           "has a member with a name of " + std::to_string(member_.size()) + " bytes");
    names_ += member_.size();
    if (++seen_ > max_members || names_ > max_names)
      fail(ErrorKind::data, container_.name_,
           "has more than " + std::to_string(max_members) + " members, or too long names");
  }

  void check_growth(std::uint64_t more) const {
    const std::uint64_t allowed = std::max(free_bytes, max_expansion * feed_.compressed_bytes());
    if (more > allowed || unpacked_ > allowed - more)
      fail(ErrorKind::data, place(),
           "archive grows to more than " + std::to_string(max_expansion) + " times its size");
  }

  // Members that are not kept are read, too, so that they count.
  void read_data(Container::Member* member) {
    while (true) {
      const la_ssize_t count = archive_read_data(reader_.get(), buffer_.data(), buffer_.size());
      if (count < 0) check(ARCHIVE_FATAL);
      if (count == 0) return;
      check_growth(static_cast<std::uint64_t>(count));
      unpacked_ += static_cast<std::uint64_t>(count);
      if (member == nullptr) continue;
      container_.spool_.append(std::span(buffer_).first(static_cast<std::size_t>(count)));
      member->size += static_cast<std::uint64_t>(count);
    }
  }

  void put_in_order() {
    std::vector<Container::Member>& members = container_.members_;
    const auto by_name = [](const auto& a, const auto& b) { return a.name < b.name; };
    const auto order = [&] {
      std::stable_sort(members.begin(), members.end(), by_name);
      // The last of several equal names stays.
      const auto kept = std::unique(members.rbegin(), members.rend(),
                                    [](const auto& a, const auto& b) { return a.name == b.name; });
      members.erase(members.begin(), kept.base());
    };
    order();
    std::vector<Container::Member> linked;
    for (const Link& link : links_) {
      const auto found = std::lower_bound(members.begin(), members.end(),
                                          Container::Member{link.target, 0, 0}, by_name);
      if (found == members.end() || found->name != link.target) ++container_.links_;
      else linked.push_back({link.name, found->offset, found->size});
    }
    members.insert(members.end(), linked.begin(), linked.end());
    order();
  }

  Container& container_;
  walking::Feed& feed_;
  Packing packing_;
  walking::Utf8Names names_as_stored_;
  std::unique_ptr<::archive, walking::Unused> reader_;
  std::vector<std::byte> buffer_ = std::vector<std::byte>(4 * stream_chunk_bytes);
  std::string member_;
  std::vector<Link> links_;
  std::size_t seen_ = 0;
  std::uint64_t names_ = 0, unpacked_ = 0;
};

Container::Container(ByteSource source) : name_(source.name()), spool_(spool_folder()) {
  packing_ = packing_of(source.peek(tar_record));
  if (begins_with(source.peek(4), "PK\5\6")) fail(ErrorKind::data, name_, "holds no files");
  const std::span<const std::byte> first = source.peek(signature_bytes);
  if (const Signature* const known = find_signature(first); known != nullptr && known->document)
    fail_as_foreign(first, name_, "a zip of data files");
  const std::uint64_t dictionary = packing_ == Packing::xz ? xz_dictionary(source.peek(64)) : 0;
  if (dictionary > max_dictionary)
    fail(ErrorKind::data, name_,
         "asks for a dictionary of " + human_bytes(dictionary) + ", at most " +
             human_bytes(max_dictionary) + " allowed",
         "pack it anew: xz -dc FILE | xz > SMALLER");
  if (packing_ == Packing::zip) {
    const SeekableBytes file(std::move(source));
    walking::Feed feed(file);
    ContainerWalk(*this, feed).run();
    record_ = file.record();
  } else {
    walking::Feed feed(source);
    ContainerWalk(*this, feed).run();
    record_ = *source.finish();
  }
  if (members_.empty()) fail(ErrorKind::data, name_, "holds no files");
  record_.archive = true;
  record_.files = static_cast<std::int64_t>(members_.size());
  record_.hidden = hidden_;
  record_.links = links_;
}

std::vector<std::size_t> Container::chosen(const std::string& pattern) const {
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < members_.size(); ++i)
    if (pattern.empty() || fnmatch(pattern.c_str(), members_[i].name.c_str(), 0) == 0)
      numbers.push_back(i);
  if (numbers.empty())
    fail(ErrorKind::data, name_,
         "none of its " + std::to_string(members_.size()) + " files is called " + pattern,
         "one of them: --members " + shown_name(members_.front().name));
  return numbers;
}

std::string Container::shown(const Member& member) const {
  return name_ + ": " + shown_name(member.name);
}

ByteSource open_inside(std::shared_ptr<const Container> container, std::size_t member) {
  const Container::Member& chosen = container->members()[member];
  return ByteSource(
      {.name = container->shown(chosen),
       .size = chosen.size,
       .read_at = [container, begin = chosen.offset](
                      std::uint64_t offset,
                      std::span<std::byte> out) { container->read_at(begin + offset, out); },
       .file = container->record()});
}

}  // namespace logpx
