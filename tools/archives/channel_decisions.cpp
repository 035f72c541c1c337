#include "tools/archives/channel_decisions.hpp"

#include "libcore/base/error.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace logpx::compress {

using archive::ByteVector, archive::ByteView, archive::CodedDecisions;

void ChannelWriters::add(std::size_t channel, const archive::RecordedDecisions& decisions) {
  auto& to = channels_[channel];
  if (!to) to = std::make_unique<Channel>();
  archive::hand_on(decisions, to->writer);
  to->count += decisions.size();
}

bool ChannelWriters::empty() const {
  return std::ranges::all_of(channels_, [](const auto& channel) { return channel == nullptr; });
}

ByteVector ChannelWriters::take(CodedDecisions& sizes) {
  ByteVector all;
  for (std::size_t i = 0; i < channels_.size(); ++i) {
    const auto channel = std::exchange(channels_[i], nullptr);
    if (!channel) continue;
    const ByteVector coded = channel->writer.finish();
    sizes.bytes[i] = coded.size();
    sizes.count[i] = channel->count;
    all.insert(all.end(), coded.begin(), coded.end());
  }
  return all;
}

class ChannelReaders::Channel final : public deflate::Decisions {
 public:
  void add(ByteView coded, std::uint64_t count) {
    parts_.push_back(std::make_unique<Part>(ByteVector(coded.begin(), coded.end()), count));
  }
  void clear() { parts_.clear(); }
  [[nodiscard]] int code(int bit, std::size_t context) override {
    while (!parts_.empty() && parts_.front()->left == 0) parts_.pop_front();
    if (parts_.empty()) fail(ErrorKind::data, "recipe", "has fewer decisions than it asks for");
    --parts_.front()->left;
    return parts_.front()->reader.code(bit, context);
  }

 private:
  struct Part {
    Part(ByteVector coded, std::uint64_t count) : reader(std::move(coded)), left(count) {}
    DecisionReader reader;
    std::uint64_t left;
  };
  std::deque<std::unique_ptr<Part>> parts_;
};

ChannelReaders::ChannelReaders() {
  for (auto& channel : channels_) channel = std::make_unique<Channel>();
}
ChannelReaders::~ChannelReaders() = default;

void ChannelReaders::add(ByteView coded, const CodedDecisions& sizes, Last last) {
  for (std::size_t i = 0; i < channels_.size(); ++i) {
    const ByteView part = coded.first(sizes.bytes[i]);
    coded = coded.subspan(part.size());
    if (part.empty()) continue;
    channels_[i]->add(
        part, last == Last::goes_on ? sizes.count[i] : std::numeric_limits<std::uint64_t>::max());
  }
}

void ChannelReaders::clear() {
  for (auto& channel : channels_) channel->clear();
}

archive::ChannelDecisions ChannelReaders::decisions() {
  archive::ChannelDecisions all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = channels_[i].get();
  return all;
}

}  // namespace logpx::compress
