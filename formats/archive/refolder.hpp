// Makes a file of what lies in it, step by step of its recipe: the opposite of an Unfolder.
//
//   Refolder file(decisions, [&](ByteView bytes) { keep(bytes); });
//   for (const RecipeStep& step : recipe.steps) file.follow(step, content_of(step));
//
// It stays between runs for a member that goes on.
#pragma once

#include "formats/archive/recipe.hpp"
#include "formats/archive/zip_entries.hpp"
#include "formats/deflate/decisions.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace logpx::archive {

// Where each channel's decisions come from, or go to.
using ChannelDecisions = std::array<deflate::Decisions*, channels>;

class Refolder {
 public:
  Refolder(const ChannelDecisions& decisions, ByteSink out);
  ~Refolder();

  // `content` is what the step puts. A data error where decisions and content do not fit.
  void follow(const RecipeStep& step, ByteView content);

  class OpenLayer;  // one that makes bytes of what is put

 private:
  void put(std::size_t height, ByteView bytes);
  [[nodiscard]] std::unique_ptr<OpenLayer> opened(const RecipeStep& step,
                                                  deflate::Decisions& decisions);

  // The bytes of a layer, or of the file: how many there are, and what zip files say in them.
  struct Level {
    std::uint64_t bytes = 0;
    ZipEntries entries = {};
  };
  ChannelDecisions decisions_;
  ByteSink out_;
  OpenLayers open_;
  std::vector<std::unique_ptr<OpenLayer>> layers_;  // the innermost last
  std::vector<std::unique_ptr<Level>> levels_;      // below each of them, and above the last
};

}  // namespace logpx::archive
