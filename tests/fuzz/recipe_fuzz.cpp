// Fuzz target of recipes. Any bytes come back when they are unfolded; any recipe, content and
// decisions make some file, or are an error of data.
#include "formats/archive/refolder.hpp"
#include "formats/archive/unfolder.hpp"
#include "libcore/base/error.hpp"
#include "tools/archives/decision_coder.hpp"

#include <algorithm>

using namespace logpx;
using namespace logpx::archive;

namespace {

constexpr std::size_t most_output = 64u << 20;

void require(bool holds) {
  if (!holds) __builtin_trap();
}

void unfold_any(ByteView bytes, std::size_t piece) {
  std::array<DecisionRepeater, channels> repeaters;
  ChannelDecisions decisions{};
  for (std::size_t i = 0; i < channels; ++i) decisions[i] = &repeaters[i];
  ByteVector file;
  Refolder refolder(decisions,
                    [&](ByteView more) { file.insert(file.end(), more.begin(), more.end()); });
  UnfoldBudget budget;
  Unfolder unfolder(0, budget, [&](Unfolded part) {
    repeaters[part.channel].add(part.decisions);
    if (part.step) refolder.follow(*part.step, part.content);
  });
  for (std::size_t at = 0; at < bytes.size(); at += piece)
    unfolder.add(bytes.subspan(at).first(std::min(piece, bytes.size() - at)));
  require(unfolder.finish());
  require(std::ranges::equal(file, bytes));
}

// What follows the recipe is content and decisions alike.
void fold_any(ByteView bytes) {
  try {
    WireReader in(bytes, "recipe");
    std::uint64_t steps = 1 << 12;
    const Recipe recipe = read_recipe(in, steps);
    const ByteVector rest(in.rest().begin(), in.rest().end());
    std::vector<std::unique_ptr<DecisionReader>> readers;
    ChannelDecisions decisions{};
    for (auto& channel : decisions)
      channel = readers.emplace_back(std::make_unique<DecisionReader>(rest)).get();
    std::size_t made = 0;
    Refolder refolder(decisions, [&](ByteView more) {
      made += more.size();
      if (made > most_output) fail(ErrorKind::data, "recipe", "makes too much");
    });
    for (const RecipeStep& step : recipe.steps) {
      if (step.bytes > rest.size()) return;
      refolder.follow(step, ByteView(rest).first(step.bytes));
    }
  } catch (const Error& error) {
    require(error.kind() == ErrorKind::data);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t head = 2;
  if (size < head) return 0;
  const ByteView bytes = std::as_bytes(std::span(data + head, size - head));
  const std::size_t piece = data[1] < 128 ? 1u + data[1] : 100000;
  if (data[0] % 2 == 0) unfold_any(bytes, piece);
  else fold_any(bytes);
  return 0;
}
