#include "libcore/families/vdm/networks/net_options.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/nn/unet.hpp"

#include <algorithm>
#include <bit>

namespace logpx::vdm {
namespace {

constexpr std::int64_t most_exponent = 24, most_gauss_dims = 2048, tiny_side = 8;

bool is_picture(const DatasetInfo& data) {
  return data.content == Content::image && data.shape.size() == 3;
}

struct UnetSize {
  std::int64_t channels, depth, groups;
  std::vector<std::int64_t> multipliers;
};

UnetSize usual_size(const std::string& size, const DatasetInfo& data) {
  const std::int64_t height = data.shape[0], width = data.shape[1], side = std::max(height, width);
  if (size == "tiny")
    return {side <= tiny_side ? 16 : 6, 1, 32, multipliers_to(tiny_side, height, width)};
  if (side <= 8) return {32, 2, 8, {1}};
  if (side <= 16) return {32, 3, 32, {1}};
  if (side <= 28 && height % 4 == 0 && width % 4 == 0) return {16, 1, 8, {1, 2, 4}};
  return {48, 4, 32, {1}};
}

void describe_unet(NetOptions& o, Fields& f, const Condition& unet) {
  f.add("channels", o.channels, "channels at the first resolution; 0: by preset and picture")
      .range(0, 4096)
      .when(unet)
      .rank(Rank::manual);
  f.add("depth", o.depth, "blocks at each resolution; 0: by preset and picture")
      .range(0, 256)
      .when(unet)
      .rank(Rank::manual);
  f.add("groups", o.groups, "groups of the normalisation; 0: by preset and picture")
      .range(0, 4096)
      .when(unet)
      .rank(Rank::manual);
  f.add("multipliers", o.multipliers, "factors on the channels, one for each resolution")
      .metavar("N,...")
      .shows_default("by preset and picture")
      .when(unet)
      .rank(Rank::manual);
  f.add("attention", o.attention,
        {{"mid", AttentionPlaces::middle, "in the middle block alone"},
         {"all", AttentionPlaces::all, "in every block, which costs most"},
         {"none", AttentionPlaces::none, "nowhere"}},
        "where pixels attend to each other")
      .when(unet)
      .rank(Rank::manual);
  f.add("dropout", o.dropout, "share of activations that training drops")
      .range(0, 0.99)
      .when(unet)
      .rank(Rank::manual);
  f.add("embedding", o.embedding, "numbers that gamma is embedded as; 0: as many as channels")
      .range(0, 65536)
      .when(unet)
      .rank(Rank::manual);
}

}  // namespace

void NetOptions::describe(Fields& f) {
  const auto is = [this](NetKind net) { return [this, net] { return kind == net; }; };
  const Condition unet{is(NetKind::unet), "--net unet"}, mlp{is(NetKind::mlp), "--net mlp"},
      linear{is(NetKind::linear_gauss), "--net linear-gauss"};
  f.group("network");
  f.add("net", kind,
        {{"auto", NetKind::automatic, "unet for pictures, else mlp"},
         {"unet", NetKind::unet, "convolutions at one or several resolutions"},
         {"mlp", NetKind::mlp, "dense layers, for vectors"},
         {"linear-gauss", NetKind::linear_gauss,
          "no network: exact where x is Gaussian, for comparison"}},
        "what predicts noise")
      .about(
          "Nearly all time goes into this network. unet sees which pixels are neighbours, mlp "
          "takes x as so many numbers, and linear-gauss knows the answer for Gaussian data, to "
          "hold bounds against it.");
  f.add_word("size", size,
             {{"small", "what one machine trains in minutes"},
              {"tiny", "what trains in a second, for tests"}},
             "network size where no width or depth is given")
      .rank(Rank::set_only);
  describe_unet(*this, f, unet);
  f.add("width", width, "units of a layer; 0: by preset")
      .range(0, 65536)
      .when(mlp)
      .rank(Rank::manual);
  f.add("layers", layers, "hidden layers; 0: by preset").range(0, 256).when(mlp).rank(Rank::manual);
  f.add("fourier", fourier, "Fourier features of z: auto, none, or n of sin(2^n pi z)")
      .metavar("N,...")
      .source("VDM app. C")
      .unless(linear)
      .rank(Rank::manual);
}

void NetOptions::settle(const DatasetInfo& data, std::int64_t levels) {
  if (kind == NetKind::automatic) kind = is_picture(data) ? NetKind::unet : NetKind::mlp;
  static_cast<void>(exponents(levels));
  if (kind == NetKind::unet) settle_unet(data);
  if (kind == NetKind::mlp) {
    if (width == 0) width = size == "tiny" ? 32 : 128;
    if (layers == 0) layers = 2;
  }
  if (kind == NetKind::linear_gauss && data.dims() > most_gauss_dims)
    fail(ErrorKind::usage, "--net linear-gauss",
         "knows the covariance of up to " + std::to_string(most_gauss_dims) + " dimensions, not " +
             std::to_string(data.dims()));
}

void NetOptions::settle_unet(const DatasetInfo& data) {
  if (!is_picture(data)) fail(ErrorKind::usage, "--net unet", "needs pictures", "--net mlp");
  const UnetSize usual = usual_size(size, data);
  if (multipliers.empty())
    multipliers = channels == 0 && depth == 0 ? usual.multipliers : std::vector<std::int64_t>{1};
  if (channels == 0) channels = usual.channels;
  if (depth == 0) depth = usual.depth;
  if (groups == 0) groups = usual.groups;
  if (embedding == 0) embedding = std::max<std::int64_t>(4, channels + channels % 2);
  if (embedding < 4 || embedding % 2 != 0)
    fail(ErrorKind::usage, "--embedding",
         "is " + std::to_string(embedding) + ", and must be even and at least 4");
  if (std::ssize(multipliers) > most_resolutions)
    fail(ErrorKind::usage, "--multipliers", "are more than 8 resolutions");
  for (const std::int64_t factor : multipliers)
    if (factor < 1 || factor > 64)
      fail(ErrorKind::usage, "--multipliers",
           "are factors from 1 to 64, not " + std::to_string(factor));
  const std::int64_t halves = std::int64_t{1} << (multipliers.size() - 1);
  for (const std::int64_t side : {data.shape[0], data.shape[1]})
    if (side % halves != 0)
      fail(ErrorKind::usage, "--multipliers",
           "halve the picture " + std::to_string(multipliers.size() - 1) +
               " times, and its side of " + std::to_string(side) + " is no multiple of " +
               std::to_string(halves));
}

std::vector<int> NetOptions::exponents(std::int64_t levels) const {
  if (fourier == "none" || (fourier == "auto" && levels == 0)) return {};
  if (fourier == "auto") {
    const auto last = static_cast<std::uint64_t>(std::max<std::int64_t>(levels, 2) - 1);
    const auto top = static_cast<int>(std::bit_width(last));
    return {top - 1, top};
  }
  std::vector<int> chosen;
  for (const std::string& word : split_text(fourier, ',')) {
    const auto n = parse_integer(word);
    if (!n || *n < 0 || *n > most_exponent)
      fail(ErrorKind::usage, "--fourier",
           "is '" + fourier + "', expected auto, none or numbers from 0 to " +
               std::to_string(most_exponent));
    chosen.push_back(static_cast<int>(*n));
  }
  return chosen;
}

}  // namespace logpx::vdm
