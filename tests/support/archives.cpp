#include "tests/support/archives.hpp"

#include "formats/file/input.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/hash.hpp"
#include "tools/archives/coding_model.hpp"

#include <algorithm>

namespace logpx::testing {

using namespace archive;
using namespace compress;

namespace {

class MemoryInput final : public MemberInput {
 public:
  MemoryInput(const MemoryFile& file, const CodingUnits& units) : file_(file) {
    member_.name = file.name;
    member_.size = file.bytes.size();
    const auto layout = find_layout(file.bytes);
    if (units.sequence && !units.alphabet.empty()) {
      Exceptions found;
      found.scan(file.bytes, units.alphabet);
      if (found.few()) {
        member_.kind = MemberKind::text;
        member_.meta = found.serialise();
      }
    } else if (!units.sequence && layout) {
      member_.kind = layout->kind;
      const ByteView header = ByteView(file.bytes).first(layout->header_bytes);
      member_.meta.assign(header.begin(), header.end());
    }
  }
  [[nodiscard]] const Member& member() const override { return member_; }
  [[nodiscard]] std::string name() const override { return file_.name; }
  [[nodiscard]] ByteSupply supply() override {
    return [left = ByteView(file_.bytes)](std::span<std::byte> out) mutable {
      const std::size_t count = std::min(out.size(), left.size());
      std::copy_n(left.begin(), count, out.begin());
      left = left.subspan(count);
      return count;
    };
  }
  [[nodiscard]] MemberEnd end() override {
    return {file_.bytes.size(), sha256_hex(ByteView(file_.bytes))};
  }
  [[nodiscard]] std::uint64_t bytes_read() const override { return file_.bytes.size(); }

 private:
  const MemoryFile& file_;
  Member member_;
};

class MemberBytes final : public MemberSink {
 public:
  std::vector<ByteVector> members;
  void begin(const Member&, std::uint64_t) override { growing_.clear(); }
  void write(ByteView bytes) override {
    growing_.insert(growing_.end(), bytes.begin(), bytes.end());
  }
  void end(const Member&) override { members.push_back(growing_); }

 private:
  ByteVector growing_;
};

}  // namespace

Coding coding_of(std::shared_ptr<Model> model, const CodingOptions& options, Workers& workers) {
  if (model == nullptr) return {};
  const ItemSample none = [](const ModelCodec&, const CodingUnits&, std::int64_t) {
    return std::vector<std::uint8_t>();
  };
  return coding_for_encoder(std::move(model), options, none, workers);
}

ByteVector make_archive(const Coding& coding, const std::vector<MemoryFile>& files, Methods methods,
                        Workers& workers, Figures* figures, Score score) {
  ByteVector bytes;
  MakerSettings settings;
  settings.score = score;
  settings.methods = methods;
  settings.batch = workers.threads();
  ArchiveMaker maker(coding, settings, workers,
                     [&](ByteView part) { bytes.insert(bytes.end(), part.begin(), part.end()); });
  for (const MemoryFile& file : files) {
    MemoryInput input(file, coding.parameters.units);
    (void)maker.add(input);
  }
  maker.finish();
  if (figures != nullptr) *figures = maker.figures();
  return bytes;
}

std::vector<ByteVector> open_archive(ByteView bytes, std::shared_ptr<Model> model, Workers& workers,
                                     std::uint64_t max_output, const Wanted& wanted) {
  MemberBytes sink;
  ModelFinder finder(
      {.operand = "", .model = std::move(model), .folders = {}, .trust_embedded = true}, workers);
  OpenerSettings settings;
  settings.coding = [&](const ArchiveHeader& header, const Enclosed& enclosed) {
    return finder.coding_for(header, enclosed);
  };
  settings.batch = [&](const CodingUnits&) { return workers.threads(); };
  settings.max_output = max_output;
  settings.wanted = wanted;
  ArchiveOpener opener(
      settings, workers,
      [left = bytes](std::span<std::byte> out) mutable {
        const std::size_t count = std::min(out.size(), left.size());
        std::copy_n(left.begin(), count, out.begin());
        left = left.subspan(count);
        return count;
      },
      sink);
  opener.run();
  return sink.members;
}

std::string stored_archive(const std::string& name) {
  return LOGPX_SOURCE_DIR "/tests/archives/" + name;
}

std::string hash_of_stored(const std::string& name) {
  Workers workers(1);
  const std::string bytes = read_text_file(stored_archive(name));
  if (bytes.size() >= 16384) fail(ErrorKind::data, name, "is too large to be kept");
  const auto members = open_archive(std::as_bytes(std::span(bytes)), nullptr, workers);
  if (members.size() != 1) fail(ErrorKind::data, name, "holds other than one member");
  return sha256_hex(ByteView(members[0]));
}

}  // namespace logpx::testing
