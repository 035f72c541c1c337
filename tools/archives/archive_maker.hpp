// Makes one archive from members. They are gathered into runs, each written as a table and blocks;
// blocks are encoded in parallel and written in order, so that the bytes do not depend on the
// number of threads.
#pragma once

#include "formats/archive/prime_limit.hpp"
#include "formats/archive/run_plan.hpp"
#include "formats/archive/unfolder.hpp"
#include "formats/archive/writer.hpp"
#include "libcore/base/hash.hpp"
#include "libcore/base/parallel.hpp"
#include "libcore/codec/adaptive/groups.hpp"
#include "tools/archives/block_coder.hpp"
#include "tools/archives/channel_decisions.hpp"
#include "tools/archives/coding.hpp"
#include "tools/archives/figures.hpp"
#include "tools/archives/member_input.hpp"

#include <functional>
#include <span>

namespace logpx::compress {

enum class Unfold { off, on };  // DEFLATE streams become their content

struct MakerSettings {
  Unfold unfold = Unfold::on;
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
  enum class Last { complete, goes_on, of_archive };
  void begin(const archive::Member& member);
  void take(const archive::MemberPlan& plan, archive::Piece piece);
  void take(archive::Unfolded unfolded);
  [[nodiscard]] bool may_unfold(const archive::MemberPlan& plan) const;
  void split(MemberInput& input);
  void unfold(MemberInput& input);
  void append(std::size_t lot, archive::ByteView bytes);
  void close_recipe();
  void close_decisions();
  [[nodiscard]] std::size_t part() const {  // of the run, that is being added
    return run_.entries.size() + (run_.carried ? 1 : 0) - 1;
  }
  [[nodiscard]] std::uint64_t& content() {
    return run_.entries.empty() ? *run_.carried : run_.entries.back().content;
  }
  void write_run(Last last);
  void find_groups();
  void add_decisions();
  [[nodiscard]] std::vector<archive::BlockForm> likely_of(const archive::BlockView& view) const;
  [[nodiscard]] std::vector<archive::BlockView> cut_blocks();
  void begin_archive();
  [[nodiscard]] bool is_small(Last last, std::size_t blocks) const;
  void write_records(std::span<const archive::BlockView> views);
  void write_small(std::span<const archive::BlockView> views);
  [[nodiscard]] std::vector<archive::Block> encode(std::span<const archive::BlockView> views);

  const Coding& coding_;
  MakerSettings settings_;
  Workers& workers_;
  archive::ArchiveWriter writer_;
  BlockCoder coder_, tables_;  // of blocks; of tables of members, which use no prime
  Figures figures_;
  archive::Run run_;
  std::uint64_t table_bytes_ = 0;  // of its names and metas
  archive::RunPlan plan_;
  codec::adaptive::Groups groups_;                   // of its loose bytes
  std::vector<archive::ByteVector> lots_, streams_;  // its content, first lot by lot
  // The member that is being unfolded: its recipe in this run, which layers are open, whether any
  // was, and how many of its bytes were read and stand in a run.
  archive::Recipe recipe_;
  archive::OpenLayers layers_;
  bool folded_ = false;
  std::uint64_t unfolded_ = 0, accounted_ = 0;
  std::uint64_t steps_ = 0;  // of the run
  ChannelWriters writers_;
  archive::ByteVector decisions_;  // of the run, coded
  archive::ArchiveEnd end_;
  Sha256 hash_;  // of the members' hashes

  std::uint64_t blocks_ = 0;
  archive::PrimeLimit prime_limit_;
  enum class Begun { no, records, small } begun_ = Begun::no;  // what is written
};

}  // namespace logpx::compress
