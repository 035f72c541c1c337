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

}  // namespace

Refolder::Refolder(const ChannelDecisions& decisions, ByteSink out)
    : decisions_(decisions), out_(std::move(out)) {}
Refolder::~Refolder() = default;

void Refolder::put(std::size_t height, ByteView bytes) {
  if (bytes.empty()) return;
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
  return std::make_unique<StreamLayer>(step.layer, decisions, std::move(below));
}

void Refolder::follow(const RecipeStep& step, ByteView content) {
  using enum RecipeStep::What;
  const std::size_t channel = step.layer == Layer::rows ? row_channel : open_.streams();
  open_.follow(step);
  if (step.what == open) layers_.push_back(opened(step, *decisions_[channel]));
  if (step.what == bytes || step.what == rasters) put(layers_.size(), content);
  if (step.what == close) layers_.back()->finish();
  if (step.what == close || step.what == stop) layers_.pop_back();
}

}  // namespace logpx::archive
