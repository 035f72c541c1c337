// Opens one archive after the other out of a stream: blocks are decoded in parallel, joined in
// order, and everything that is stored about a member is checked before it counts as done.
#pragma once

#include "formats/archive/reader.hpp"
#include "libcore/base/parallel.hpp"
#include "tools/compress/block_coder.hpp"
#include "tools/compress/coding.hpp"
#include "tools/compress/figures.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

namespace logpx::compress {

// Where members go.
class MemberSink {
 public:
  virtual ~MemberSink() = default;
  // `number` counts from 1.
  virtual void begin(const archive::Member& member, std::uint64_t number) = 0;
  virtual void write(archive::ByteView bytes) = 0;
  virtual void end(const archive::Member& member) = 0;  // all of it, checked
};

struct OpenerSettings {
  // The model side of an archive, checked; throws when there is none that fits.
  std::function<std::unique_ptr<Coding>(const archive::ArchiveHeader&,
                                        const archive::EmbeddedModel*)>
      coding;
  archive::OutputForm form = archive::OutputForm::same;
  std::function<std::int64_t(const archive::CodingUnits&)> batch;  // blocks held at a time
  std::uint64_t max_output = ~std::uint64_t{0}, max_model = std::uint64_t{2} << 30;
  std::function<void(std::uint64_t)> progress = {};  // bytes of the archive read
  std::function<void(const std::string&)> warn = {};
};

class ArchiveOpener {
 public:
  ArchiveOpener(OpenerSettings settings, Workers& workers, archive::ByteSupply supply,
                MemberSink& sink)
      : settings_(std::move(settings)),
        workers_(workers),
        reader_(std::move(supply), settings_.max_model),
        sink_(sink) {}

  // To the end of the stream. What is wrong is a data error with its place.
  void run();
  [[nodiscard]] const Figures& figures() const { return figures_; }

 private:
  void take(archive::ArchiveHeader&& header);
  void take(archive::EmbeddedModel&& model);
  void take(archive::Member&& member);
  void take(archive::Block&& block);
  void take(archive::MemberEnd&& end);
  void start_coding(const archive::EmbeddedModel* model);
  void decode_batch();

  OpenerSettings settings_;
  Workers& workers_;
  archive::ArchiveReader reader_;
  MemberSink& sink_;
  archive::ArchiveHeader header_;
  std::unique_ptr<Coding> coding_;
  std::optional<BlockCoder> coder_;
  archive::Member member_;
  std::optional<archive::MemberJoiner> joiner_;
  std::vector<archive::Block> batch_;
  std::int64_t batch_size_ = 1;
  std::uint64_t blocks_ = 0, members_ = 0, written_ = 0;
  Figures figures_;
};

}  // namespace logpx::compress
