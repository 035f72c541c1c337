// The decisions of a run's recipes, each channel coded by itself: an encoder writes them while
// members are unfolded, a decoder reads them while they are folded again.
#pragma once

#include "formats/archive/recorded_decisions.hpp"
#include "formats/archive/refolder.hpp"
#include "formats/archive/run.hpp"
#include "tools/archives/decision_coder.hpp"

#include <deque>
#include <memory>

namespace logpx::compress {

class ChannelWriters {
 public:
  void add(std::size_t channel, const archive::RecordedDecisions& decisions);
  [[nodiscard]] bool empty() const;
  // What was written since it was last asked, channel by channel, and how much that is.
  [[nodiscard]] archive::ByteVector take(archive::CodedDecisions& sizes);

 private:
  struct Channel {
    DecisionWriter writer;
    std::uint64_t count = 0;
  };
  std::array<std::unique_ptr<Channel>, archive::channels> channels_;
};

// A stream may go on in a run that its decisions do not know of: what is left of those before is
// read first.
class ChannelReaders {
 public:
  ChannelReaders();
  ~ChannelReaders();
  // `goes_on`: those of a later run follow after so many as `sizes` says.
  enum class Last { complete, goes_on };
  void add(archive::ByteView coded, const archive::CodedDecisions& sizes, Last last);
  void clear();
  [[nodiscard]] archive::ChannelDecisions decisions();

 private:
  class Channel;
  std::array<std::unique_ptr<Channel>, archive::channels> channels_;
};

}  // namespace logpx::compress
