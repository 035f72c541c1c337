#include "formats/zip_writer.hpp"

#include "libcore/base/error.hpp"

#include <archive.h>
#include <archive_entry.h>

#include <exception>
#include <utility>

namespace logpx {

struct ZipWriter::State {
  State(std::string archive_name, Sink archive_sink)
      : name(std::move(archive_name)), sink(std::move(archive_sink)) {}
  ~State() { archive_write_free(writer); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  // libarchive is C: an error of the sink waits here until it has returned.
  static la_ssize_t take(archive*, void* data, const void* bytes, std::size_t size) {
    auto& state = *static_cast<State*>(data);
    try {
      state.sink({static_cast<const std::byte*>(bytes), size});
    } catch (...) {
      state.error = std::current_exception();
      return -1;
    }
    return static_cast<la_ssize_t>(size);
  }
  void check(la_ssize_t code) {
    if (error) std::rethrow_exception(std::exchange(error, nullptr));
    const char* const words = archive_error_string(writer);
    if (code < ARCHIVE_WARN)
      fail(ErrorKind::io, name, words == nullptr ? "could not be written" : words);
  }

  std::string name;
  Sink sink;
  archive* writer = archive_write_new();
  std::exception_ptr error;
};

ZipWriter::ZipWriter(std::string name, Sink sink)
    : state_(std::make_unique<State>(std::move(name), std::move(sink))) {
  archive* const writer = state_->writer;
  state_->check(archive_write_set_format_zip(writer));
  state_->check(archive_write_set_options(writer, "zip:compression=store"));
  state_->check(archive_write_set_bytes_in_last_block(writer, 1));  // no filling behind the end
  state_->check(archive_write_open(writer, state_.get(), nullptr, &State::take, nullptr));
}

ZipWriter::~ZipWriter() = default;

void ZipWriter::begin(const std::string& member, std::uint64_t size) {
  const std::unique_ptr<archive_entry, decltype(&archive_entry_free)> entry(archive_entry_new(),
                                                                            &archive_entry_free);
  archive_entry_set_pathname(entry.get(), member.c_str());
  archive_entry_set_filetype(entry.get(), AE_IFREG);
  archive_entry_set_perm(entry.get(), 0644);
  archive_entry_set_size(entry.get(), static_cast<la_int64_t>(size));
  state_->check(archive_write_header(state_->writer, entry.get()));
}

void ZipWriter::write(std::span<const std::byte> bytes) {
  state_->check(archive_write_data(state_->writer, bytes.data(), bytes.size()));
}

void ZipWriter::finish() { state_->check(archive_write_close(state_->writer)); }

}  // namespace logpx
