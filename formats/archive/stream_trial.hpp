// One DEFLATE stream that is being undone: its content goes to a taker, and a Redoer beside it must
// make the very bytes again. What comes of it is held until it is known whether the stream is kept.
#pragma once

#include "formats/archive/stream_check.hpp"
#include "formats/archive/unfolded.hpp"
#include "formats/deflate/undoer.hpp"

#include <memory>
#include <vector>

namespace logpx::archive {

class StreamTrial {
 public:
  using TakerMaker = std::function<std::unique_ptr<ContentTaker>(UnfoldedSink)>;
  StreamTrial(std::size_t channel, UnfoldBudget& budget, const TakerMaker& make_taker);
  ~StreamTrial();

  // Takes bytes up to the end of the stream and says how many.
  [[nodiscard]] std::size_t add(ByteView bytes);
  // Refused, too, where what comes out is not the stream, or unfolds to too much.
  [[nodiscard]] deflate::StreamState state() const;
  // Once the stream has ended: false if it is not remade, or its content not taken.
  [[nodiscard]] bool finish();
  [[nodiscard]] bool pays() const;
  [[nodiscard]] std::uint64_t held() const { return held_bytes_; }
  // The step that opens it.
  [[nodiscard]] Unfolded opened(Layer layer) const;
  [[nodiscard]] ByteVector check_bytes(Layer layer) const;

  // Hands out what is held; what follows goes there at once.
  void release(UnfoldedSink sink);
  // To be kept, although it ends within the stream; the bytes that were taken and not remade.
  [[nodiscard]] ByteVector stop();
  void drop();

 private:
  struct Proof;  // begins with the first content
  void take(ByteView content);
  void prove(ByteView content);
  void prove_end();
  void compare(ByteView stream);
  void put(Unfolded unfolded);

  std::size_t channel_;
  UnfoldBudget& budget_;
  const UnfoldBudget begun_;  // what the budget was
  DecisionRecorder recorder_;
  std::unique_ptr<ContentTaker> taker_;
  std::unique_ptr<Proof> proof_;
  std::vector<Unfolded> held_;
  UnfoldedSink sink_;  // once it is released
  std::uint64_t held_bytes_ = 0, taken_ = 0;
  ByteVector stream_;  // taken, and not remade yet
  bool wrong_ = false;
  deflate::Undoer undoer_;
};

}  // namespace logpx::archive
