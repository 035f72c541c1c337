#include "formats/archive/refolder.hpp"

#include "formats/archive/png_file.hpp"
#include "formats/archive/png_rows.hpp"
#include "formats/archive/stream_check.hpp"
#include "formats/deflate/redoer.hpp"
#include "libcore/base/error.hpp"

#include <algorithm>

namespace logpx::archive {

class Refolder::OpenLayer {
 public:
  explicit OpenLayer(ByteSink out) : out_(std::move(out)) {}
  virtual ~OpenLayer() = default;
  virtual void add(ByteView content) = 0;
  virtual void finish() = 0;

 protected:
  void put(ByteView bytes) const { out_(bytes); }

 private:
  ByteSink out_;
};

namespace {

class StreamLayer final : public Refolder::OpenLayer {
 public:
  StreamLayer(Layer layer, deflate::Decisions& decisions, ByteSink out)
      : OpenLayer(std::move(out)),
        check_(layer),
        redoer_(decisions, [this](ByteView stream) { put(stream); }) {}
  void add(ByteView content) override {
    check_.add(content);
    redoer_.add(content);
  }
  void finish() override {
    redoer_.finish();
    put(check_.bytes());
  }

 private:
  StreamCheck check_;
  deflate::Redoer redoer_;
};

class ChunkLayer final : public Refolder::OpenLayer {
 public:
  ChunkLayer(std::size_t size, ByteSink out) : OpenLayer(std::move(out)), size_(size) {}
  void add(ByteView content) override {
    while (!content.empty()) {
      const ByteView part = content.first(std::min(content.size(), size_ - data_.size()));
      data_.insert(data_.end(), part.begin(), part.end());
      content = content.subspan(part.size());
      if (data_.size() == size_) write();
    }
  }
  void finish() override {
    if (!data_.empty()) write();
  }

 private:
  void write() {
    put(png_chunk("IDAT", data_));
    data_.clear();
  }
  std::size_t size_;
  ByteVector data_;
};

class RowLayer final : public Refolder::OpenLayer {
 public:
  RowLayer(const RecipeStep& step, deflate::Decisions& decisions, ByteSink out)
      : OpenLayer(std::move(out)), step_(step), decisions_(decisions), filtered_(step.size + 1) {}
  void add(ByteView content) override {
    while (!content.empty()) {
      const ByteView part = content.first(std::min(content.size(), step_.size - row_.size()));
      row_.insert(row_.end(), part.begin(), part.end());
      content = content.subspan(part.size());
      if (row_.size() == step_.size) write();
    }
  }
  void finish() override {
    if (!row_.empty()) fail(ErrorKind::data, "recipe", "ends within a row");
  }

 private:
  void write() {
    const int foretold = step_.least_sums ? least_filter(step_.pixel, row_, above_) : last_;
    last_ = code_filter(decisions_, 0, foretold);
    filtered_[0] = static_cast<std::byte>(last_);
    filter_row(last_, step_.pixel, row_, above_, std::span(filtered_).subspan(1));
    put(filtered_);
    above_ = std::move(row_);
    row_.clear();
  }
  RecipeStep step_;
  deflate::Decisions& decisions_;
  ByteVector row_, above_, filtered_;
  int last_ = 0;
};

class EntryLayer final : public Refolder::OpenLayer {
 public:
  EntryLayer(ZipEntries& entries, std::uint64_t place, ByteSink out)
      : OpenLayer(std::move(out)), entries_(entries), place_(place) {}
  void add(ByteView content) override {
    if (content.size() > ZipEntries::most_entry - entry_.size())
      fail(ErrorKind::data, "recipe", "has an entry of a zip file that is too long");
    entry_.insert(entry_.end(), content.begin(), content.end());
  }
  void finish() override {
    const ByteVector whole = entry_of(std::move(entry_));
    entries_.note(whole, place_);
    put(whole);
  }

 private:
  ZipEntries& entries_;
  std::uint64_t place_;
  ByteVector entry_;
};

class DirectoryLayer final : public Refolder::OpenLayer {
 public:
  DirectoryLayer(const ZipEntries& entries, ByteSink out)
      : OpenLayer(std::move(out)), entries_(entries) {}
  void add(ByteView content) override {
    header_.insert(header_.end(), content.begin(), content.end());
    std::size_t at = 0;
    for (;;) {
      const std::span<std::byte> rest = std::span(header_).subspan(at);
      const auto size = ZipEntries::directory_header(rest);
      if (!size || *size > rest.size()) break;
      entries_.combine(rest.first(*size));
      at += *size;
    }
    put(ByteView(header_).first(at));
    header_.erase(header_.begin(), header_.begin() + static_cast<std::ptrdiff_t>(at));
  }
  void finish() override { put(header_); }

 private:
  const ZipEntries& entries_;
  ByteVector header_;
};

}  // namespace

Refolder::Refolder(const ChannelDecisions& decisions, ByteSink out)
    : decisions_(decisions), out_(std::move(out)) {
  levels_.push_back(std::make_unique<Level>());
}
Refolder::~Refolder() = default;

void Refolder::put(std::size_t height, ByteView bytes) {
  if (bytes.empty()) return;
  levels_[height]->bytes += bytes.size();
  if (height == 0) out_(bytes);
  else layers_[height - 1]->add(bytes);
}

std::unique_ptr<Refolder::OpenLayer> Refolder::opened(const RecipeStep& step,
                                                      deflate::Decisions& decisions) {
  const std::size_t height = layers_.size();
  ByteSink below = [this, height](ByteView bytes) { put(height, bytes); };
  if (step.layer == Layer::chunks) return std::make_unique<ChunkLayer>(step.size, std::move(below));
  if (step.layer == Layer::rows)
    return std::make_unique<RowLayer>(step, decisions, std::move(below));
  Level& level = *levels_[height];
  if (step.layer == Layer::entry)
    return std::make_unique<EntryLayer>(level.entries, level.bytes, std::move(below));
  if (step.layer == Layer::directory)
    return std::make_unique<DirectoryLayer>(level.entries, std::move(below));
  return std::make_unique<StreamLayer>(step.layer, decisions, std::move(below));
}

void Refolder::follow(const RecipeStep& step, ByteView content) {
  using enum RecipeStep::What;
  const std::size_t channel =
      is_stream(step.layer) ? std::min(open_.streams(), most_streams - 1) : row_channel;
  open_.follow(step);
  if (step.what == open) {
    layers_.push_back(opened(step, *decisions_[channel]));
    levels_.push_back(std::make_unique<Level>());
  }
  if (step.what == bytes || step.what == rasters) put(layers_.size(), content);
  if (step.what == close) layers_.back()->finish();
  if (step.what == close || step.what == stop) {
    layers_.pop_back();
    levels_.pop_back();
  }
}

}  // namespace logpx::archive
