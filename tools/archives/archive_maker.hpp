// Makes one archive from members. They are gathered into runs, each written as a table and blocks;
// blocks are encoded in parallel and written in order, so that the bytes do not depend on the
// number of threads.
#pragma once

#include "formats/archive/run_plan.hpp"
#include "formats/archive/writer.hpp"
#include "libcore/base/hash.hpp"
#include "libcore/base/parallel.hpp"
#include "tools/archives/block_coder.hpp"
#include "tools/archives/coding.hpp"
#include "tools/archives/figures.hpp"
#include "tools/archives/member_input.hpp"

#include <functional>

namespace logpx::compress {

struct MakerSettings {
  Methods methods = Methods::model;
  Verify verify = Verify::on;
  Score score = Score::off;
  Rng rng{1};
  std::uint64_t memory = ~std::uint64_t{0};     // limit for a block
  std::int64_t batch = 1;                       // blocks held at a time
  std::function<void(std::uint64_t)> progress;  // bytes read of the member
};

class ArchiveMaker {
 public:
  // Writes the header, and the prime and the model if the archive embeds them.
  ArchiveMaker(const Coding& coding, const MakerSettings& settings, Workers& workers,
               archive::ByteSink sink);
  archive::MemberEnd add(MemberInput& input);
  void finish();

  [[nodiscard]] const Figures& figures() const { return figures_; }
  [[nodiscard]] std::uint64_t bytes() const { return writer_.bytes(); }

 private:
  enum class Last { complete, goes_on };
  void begin(const archive::Member& member);
  void take(const archive::MemberPlan& plan, archive::Piece piece);
  void write_run(Last last);
  void write_blocks();
  void encode_batch(const std::vector<archive::BlockView>& batch);

  const Coding& coding_;
  MakerSettings settings_;
  Workers& workers_;
  archive::ArchiveWriter writer_;
  BlockCoder coder_, tables_;  // of blocks; of tables of members, which use no prime
  Figures figures_;
  archive::Run run_;
  std::uint64_t table_bytes_ = 0;  // of its names and metas
  archive::RunPlan plan_;
  std::vector<archive::ByteVector> lots_, streams_;  // its content, first lot by lot
  archive::ArchiveEnd end_;
  Sha256 hash_;  // of the members' hashes

  std::uint64_t blocks_ = 0;
};

}  // namespace logpx::compress
