#include "libcore/families/arm/networks/net_options.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"

#include <algorithm>

namespace logpx::arm {
namespace {

constexpr std::int64_t most_table_dims = 6, most_table_levels = 4, most_width = 65536;

bool is_picture(const DatasetInfo& data) {
  return data.content == Content::image && data.shape.size() == 3;
}

}  // namespace

void NetOptions::describe(Fields& f) {
  f.group("network");
  f.add("net", kind,
        {{"auto", NetKind::automatic},
         {"mlp", NetKind::mlp},
         {"unet", NetKind::unet},
         {"tabular", NetKind::tabular}},
        "the network");
  f.add_word("size", size, {"small", "tiny"}, "how large a network is whose size is not said")
      .rank(Rank::set_only);
  f.add("hidden", hidden, "widths of the mlp and of its residual blocks")
      .metavar("N,...")
      .shows_default("by preset");
  f.add("activation", activation,
        {{"silu", Activation::silu}, {"tanh", Activation::tanh}, {"relu", Activation::relu}},
        "of the mlp")
      .rank(Rank::manual);
  f.add("channels", channels, "channels of the unet; 0: by preset")
      .range(0, 4096)
      .rank(Rank::manual);
  f.add("multipliers", multipliers,
        "its resolutions, each half the one before: factors on channels")
      .metavar("N,...")
      .shows_default("by preset and picture")
      .rank(Rank::manual);
}

void NetOptions::settle(const DatasetInfo& data, std::int64_t levels) {
  if (kind == NetKind::automatic) kind = is_picture(data) ? NetKind::unet : NetKind::mlp;
  if (kind == NetKind::unet) settle_unet(data);
  if (kind == NetKind::mlp) {
    const std::int64_t usual = size == "tiny" ? 64 : 256;
    if (hidden.empty()) hidden = {usual, usual};
    for (const std::int64_t width : hidden)
      if (width < 1 || width > most_width)
        fail(ErrorKind::usage, "--hidden",
             "are widths from 1 to " + std::to_string(most_width) + ", not " +
                 std::to_string(width));
  }
  if (kind == NetKind::tabular && (data.dims() > most_table_dims || levels > most_table_levels))
    fail(ErrorKind::usage, "--net tabular",
         "has a row for every state: up to " + std::to_string(most_table_dims) +
             " dims with up to " + std::to_string(most_table_levels) + " values, not " +
             std::to_string(data.dims()) + " with " + std::to_string(levels),
         "--net mlp");
}

void NetOptions::settle_unet(const DatasetInfo& data) {
  if (!is_picture(data)) fail(ErrorKind::usage, "--net unet", "needs pictures", "--net mlp");
  const std::int64_t height = data.shape[0], width = data.shape[1];
  if (channels == 0) channels = size == "tiny" ? 8 : 16;
  if (multipliers.empty()) {
    multipliers = {1};
    if (size != "tiny")
      for (std::int64_t side = 2; height % side == 0 && width % side == 0 && side <= 4; side *= 2)
        if (std::min(height, width) / side >= 4) multipliers.push_back(2);
  }
  if (multipliers.size() > 8)
    fail(ErrorKind::usage, "--multipliers", "are more than 8 resolutions");
  for (const std::int64_t factor : multipliers)
    if (factor < 1 || factor > 64)
      fail(ErrorKind::usage, "--multipliers",
           "are factors from 1 to 64, not " + std::to_string(factor));
  const std::int64_t halves = std::int64_t{1} << (multipliers.size() - 1);
  for (const std::int64_t side : {height, width})
    if (side % halves != 0)
      fail(ErrorKind::usage, "--multipliers",
           "halve the picture " + std::to_string(multipliers.size() - 1) +
               " times, and its side of " + std::to_string(side) + " is no multiple of " +
               std::to_string(halves));
}

NetOptions NetOptions::smaller() const {
  NetOptions half = *this;
  for (std::int64_t& width : half.hidden) width = (width + 1) / 2;
  half.channels = std::max<std::int64_t>(half.channels / 2, 4);
  return half;
}

}  // namespace logpx::arm
