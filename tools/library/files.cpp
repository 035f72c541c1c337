#include "formats/archive/records.hpp"
#include "tools/archives/archive_maker.hpp"
#include "tools/archives/coding_model.hpp"
#include "tools/archives/opened_archive.hpp"
#include "tools/archives/source_file.hpp"
#include "tools/library/inside.hpp"

#include <cerrno>
#include <sys/mman.h>
#include <unistd.h>

namespace logpx::v0 {
namespace {

constexpr std::uint64_t block_memory = std::uint64_t{2} << 30;
constexpr std::size_t short_archive = 4096;  // in which naming a model may take more than it saves

// Bytes under a name, so that they are looked at and read as any file is.
class NamedBytes {
 public:
  explicit NamedBytes(std::span<const std::byte> bytes) : descriptor_(memfd_create("logpx", 0)) {
    if (descriptor_ < 0) fail_errno("memory of a file", errno);
    while (!bytes.empty()) {
      const auto count = write(descriptor_, bytes.data(), bytes.size());
      if (count < 0) {
        const int reason = errno;
        close(descriptor_);
        fail_errno("memory of a file", reason);
      }
      bytes = bytes.subspan(static_cast<std::size_t>(count));
    }
  }
  ~NamedBytes() { close(descriptor_); }
  NamedBytes(const NamedBytes&) = delete;
  NamedBytes& operator=(const NamedBytes&) = delete;
  [[nodiscard]] std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

class OneMember final : public compress::MemberSink {
 public:
  void begin(const archive::Member&, std::uint64_t number) override {
    if (number > 1)
      fail(ErrorKind::data, "archive", "holds several files, and one was asked for",
           "bits-back-decode restores them all");
  }
  void write(archive::ByteView bytes) override {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }
  void end(const archive::Member&) override {}
  [[nodiscard]] Bytes take() { return std::move(bytes_); }

 private:
  Bytes bytes_;
};

Bytes encoded(std::span<const std::byte> file, const compress::Coding& coding, Workers& workers) {
  Bytes archive;
  compress::MakerSettings settings;
  settings.methods =
      coding.scheme == nullptr ? compress::Methods::fallback : compress::Methods::model;
  settings.memory = block_memory;
  settings.batch = workers.threads();
  compress::ArchiveMaker maker(coding, settings, workers, [&](archive::ByteView bytes) {
    archive.insert(archive.end(), bytes.begin(), bytes.end());
  });
  const NamedBytes named(file);
  const auto input = compress::recognise(
      std::make_unique<compress::SourceFile>(named.path(), compress::SourceFile::Links::follow),
      {.units = coding.parameters.units, .times = compress::Times::left_out});
  (void)maker.add(*input);
  maker.finish();
  return archive;
}

struct Wanted {
  std::span<const std::byte> archive;
  std::uint64_t limit;
};
Bytes decoded(const Wanted& wanted, std::shared_ptr<logpx::Model> model, Workers& workers) {
  compress::ModelFinder models(
      {.operand = {}, .model = std::move(model), .folders = {}, .trust_embedded = false}, workers);
  compress::OpenerSettings settings;
  settings.coding = [&](const archive::ArchiveHeader& header, const compress::Enclosed& enclosed) {
    return models.coding_for(header, enclosed);
  };
  settings.batch = [&](const archive::CodingUnits&) { return workers.threads(); };
  settings.max_output = wanted.limit;
  settings.memory = block_memory;
  const auto supply = [left = wanted.archive](std::span<std::byte> out) mutable {
    const std::size_t count = std::min(out.size(), left.size());
    std::copy_n(left.begin(), count, out.begin());
    left = left.subspan(count);
    return count;
  };
  OneMember sink;
  compress::ArchiveOpener(std::move(settings), workers, supply, sink).run();
  return sink.take();
}

}  // namespace

Bytes Model::encode(std::span<const std::byte> file) const {
  return told([&] {
    const auto no_sample = [](const ModelCodec&, const archive::CodingUnits&, std::int64_t) {
      return std::vector<std::uint8_t>();
    };
    Workers& workers = inside_->workers;
    const compress::Coding coding =
        compress::coding_for_encoder(inside_->model, {}, no_sample, workers);
    Bytes archive = encoded(file, coding, workers);
    if (archive.size() > short_archive) return archive;
    Bytes without = encoded(file, {}, workers);
    return without.size() < archive.size() ? std::move(without) : std::move(archive);
  });
}

Bytes Model::decode(std::span<const std::byte> archive, std::uint64_t limit) const {
  return told([&] { return decoded({archive, limit}, inside_->model, inside_->workers); });
}

Bytes encode(std::span<const std::byte> file) {
  return told([&] {
    Workers workers;
    return encoded(file, {}, workers);
  });
}

Bytes decode(std::span<const std::byte> archive, std::uint64_t limit) {
  return told([&] {
    Workers workers;
    return decoded({archive, limit}, nullptr, workers);
  });
}

}  // namespace logpx::v0
