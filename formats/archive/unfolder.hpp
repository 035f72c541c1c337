// Takes a file, or the content of a stream, and gives out what it is made of: DEFLATE streams
// become their content, pictures their pixels, all else stays as it is. What comes out, in this
// order, makes the file again (Refolder).
//
//   UnfoldBudget budget;
//   Unfolder file(0, budget, [&](Unfolded unfolded) { keep(unfolded); });
//   file.add(bytes);  // piece by piece
//   (void)file.finish();
#pragma once

#include "formats/archive/stream_places.hpp"
#include "formats/archive/stream_trial.hpp"
#include "formats/archive/zip_entries.hpp"

#include <memory>

namespace logpx::archive {

class Unfolder final : public ContentTaker {
 public:
  // `depth`: in how many streams the bytes lie.
  Unfolder(std::size_t depth, UnfoldBudget& budget, UnfoldedSink sink)
      : depth_(depth), budget_(budget), sink_(std::move(sink)) {}

  void add(ByteView bytes) override;
  [[nodiscard]] bool finish() override;

 private:
  enum class Input { goes_on, ended };
  // Each does one thing, and says whether there is more to do with the bytes that are here.
  [[nodiscard]] bool search(Input input);
  [[nodiscard]] bool feed(Input input);
  [[nodiscard]] bool settle(Input input);
  [[nodiscard]] bool take_picture(Input input);
  [[nodiscard]] bool take_directory(Input input);
  void work(Input input);
  void begin_trial(const StreamPlace& place);
  void settle_stream(std::size_t check);
  void settle_entry(std::size_t check);
  void keep(std::size_t behind);
  void keep_entry(std::size_t behind);
  void begin_keeping();
  void drop();
  void stop();
  void give(std::size_t count);
  void pass(std::size_t count);
  [[nodiscard]] ByteView rest() const { return ByteView(bytes_).subspan(at_); }

  std::size_t depth_;
  UnfoldBudget& budget_;
  UnfoldedSink sink_;
  ByteVector bytes_;
  std::size_t at_ = 0;        // of what is not given out yet
  std::uint64_t given_ = 0;   // bytes before that
  std::size_t searched_ = 0;  // bytes behind that in which nothing begins
  std::unique_ptr<StreamTrial> trial_;
  Layer layer_ = Layer::deflate;
  std::size_t fed_ = 0;     // bytes behind at_ that the trial has taken
  bool kept_ = false;       // the trial's stream, before its end is known
  bool picture_ = false;    // one begins at at_
  bool directory_ = false;  // of a zip file: its headers are being given out
  std::size_t entry_ = 0;   // bytes of an entry's header between at_ and the trial's stream
  ZipEntries entries_;
  std::size_t wanted_ = 0;  // bytes, before it is looked at again
};

}  // namespace logpx::archive
