// Opens one archive after the other from a stream: blocks are decoded in parallel and joined in
// order, and everything that is stored about a member is checked before it counts as done. Errors
// name the members whose content is damaged.
#pragma once

#include "formats/archive/prime_limit.hpp"
#include "formats/archive/reader.hpp"
#include "formats/archive/run_parts.hpp"
#include "libcore/base/hash.hpp"
#include "libcore/base/parallel.hpp"
#include "tools/archives/block_coder.hpp"
#include "tools/archives/channel_decisions.hpp"
#include "tools/archives/coding.hpp"
#include "tools/archives/figures.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

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
  // Makes the coding of an archive, checked; throws if no model fits.
  std::function<std::unique_ptr<Coding>(const archive::ArchiveHeader&, const Enclosed&)> coding;
  archive::OutputForm form = archive::OutputForm::same;
  std::function<std::int64_t(const archive::CodingUnits&)> batch;  // blocks held at a time
  // Whether a member is wanted, by itself and its number from 1; all are if this is empty. Blocks
  // without wanted content are not decoded.
  std::function<bool(const archive::Member&, std::uint64_t)> wanted = {};
  std::uint64_t max_output = ~std::uint64_t{0}, max_model = std::uint64_t{2} << 30;
  std::uint64_t memory = ~std::uint64_t{0};          // limit for a block or for a member's rasters
  std::function<void(std::uint64_t)> progress = {};  // bytes of the archive read
};

class ArchiveOpener {
 public:
  ArchiveOpener(OpenerSettings settings, Workers& workers, archive::ByteSupply supply,
                MemberSink& sink)
      : settings_(std::move(settings)),
        workers_(workers),
        reader_(std::move(supply), settings_.max_model),
        sink_(sink) {}

  // Reads to the end of the stream. Anything wrong is a data error with its place.
  void run();
  [[nodiscard]] const Figures& figures() const { return figures_; }

 private:
  // A block that waits to be decoded together with others.
  struct Waiting {
    archive::Block block;
    archive::BlockView view;
    bool wanted = true;
  };
  [[nodiscard]] std::optional<archive::Item> next_item();
  void take(archive::ArchiveHeader&& header);
  void take(archive::EmbeddedPrime&& prime);
  void take(archive::EmbeddedModel&& model);
  void take(archive::CodedRun&& run);
  void take(archive::Block&& block);
  void take(archive::ArchiveEnd&& end);
  void start_coding(const archive::EmbeddedModel* model);
  void begin(const archive::Member& member);
  void end(const archive::Member& member, const archive::MemberEnd& found);
  void close_run();
  void decode_batch();
  void join();
  [[nodiscard]] bool join_walk(archive::RunPart& part);
  [[nodiscard]] bool join_recipe(archive::RunPart& part);
  [[nodiscard]] bool read_decisions(const archive::RunPart& part);
  // The next bytes of a lot; nothing until they are decoded.
  [[nodiscard]] std::optional<archive::ByteVector> next_of(std::size_t lot,
                                                           std::uint64_t size) const;
  void choose_needed();
  void write(archive::ByteView bytes);
  [[nodiscard]] bool is_wanted(const archive::Member& member, std::uint64_t number) const;
  [[nodiscard]] Waiting next_of_run(archive::Block&& block);
  [[nodiscard]] std::string members_of(const archive::BlockView& view) const;

  OpenerSettings settings_;
  Workers& workers_;
  archive::ArchiveReader reader_;
  MemberSink& sink_;
  archive::ArchiveHeader header_;
  std::optional<archive::ByteVector> prime_;  // embedded in the archive, until it is used
  std::unique_ptr<Coding> coding_;
  std::optional<BlockCoder> coder_, tables_;  // of blocks; of tables of members
  std::vector<Waiting> batch_;
  std::int64_t batch_size_ = 1;
  std::uint64_t blocks_ = 0, members_ = 0;  // of this archive
  std::optional<archive::PrimeLimit> prime_limit_;
  std::uint64_t earlier_ = 0, written_ = 0;  // members of archives before; bytes of all
  bool all_wanted_ = true;
  Sha256 hash_;  // of the members' hashes
  Figures figures_;

  // The run: its members, of which `part_` is joined next, and its decoded bytes, stream by stream.
  std::optional<archive::OpenedRun> run_;
  std::optional<archive::BlockView> next_;  // the block that comes next
  std::size_t part_ = 0;
  std::vector<archive::ByteVector> streams_;
  std::vector<std::uint64_t> taken_;             // for each lot, bytes already joined
  std::optional<archive::MemberJoiner> joiner_;  // of the member that has begun
  std::vector<bool> needed_;  // the run's members, for themselves or for what a later one goes by
  // What folds the member again that has begun, by which decisions, and the bytes it has.
  std::optional<archive::Refolder> refolder_;
  ChannelReaders readers_;
  enum class Read { none, carried, all } read_ = Read::none;  // decisions of the run
  std::uint64_t made_ = 0;
};

}  // namespace logpx::compress
