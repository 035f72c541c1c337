#include "libcore/families/arm/networks/net_options.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/nn/unet.hpp"

#include <algorithm>

namespace logpx::arm {
namespace {

constexpr std::int64_t most_table_dims = 6, most_table_levels = 4, most_width = 65536,
                       most_choice_layers = 4, tiny_side = 8;

bool is_picture(const DatasetInfo& data) {
  return data.content == Content::image && data.shape.size() == 3;
}

std::vector<std::int64_t> usual_multipliers(const std::string& size, std::int64_t height,
                                            std::int64_t width) {
  if (size == "tiny") return multipliers_to(tiny_side, height, width);
  std::vector<std::int64_t> multipliers = {1};
  for (std::int64_t side = 2; height % side == 0 && width % side == 0 && side <= 4; side *= 2)
    if (std::min(height, width) / side >= 4) multipliers.push_back(2);
  return multipliers;
}

void require_widths(const std::string& option, const std::vector<std::int64_t>& widths) {
  for (const std::int64_t width : widths)
    if (width < 1 || width > most_width)
      fail(ErrorKind::usage, option,
           "are widths from 1 to " + std::to_string(most_width) + ", not " + std::to_string(width));
}

void describe_graph(Fields& f, NetOptions& o) {
  const Condition graph{[&o] { return o.kind == NetKind::graph; }, "--net graph"};
  f.add("layers", o.layers, "layers; 0: by preset").range(0, 1024).when(graph).rank(Rank::manual);
  f.add("heads", o.heads, "heads of attention; 0: by preset")
      .range(0, 1024)
      .when(graph)
      .rank(Rank::manual);
  f.add("widths", o.widths, "channels of atoms, of pairs and of the whole molecule")
      .metavar("X,E,Y")
      .shows_default("by preset")
      .when(graph)
      .rank(Rank::manual);
  f.add("ff-widths", o.ff_widths, "the same inside of the dense parts of its layers")
      .metavar("X,E,Y")
      .shows_default("as --widths")
      .when(graph)
      .rank(Rank::manual);
  f.add("io-widths", o.io_widths, "the same inside of what reads molecules and what answers")
      .metavar("X,E,Y")
      .shows_default("as --widths")
      .when(graph)
      .rank(Rank::manual);
  f.add("extra-features", o.counts,
        {{"none", GraphCounts::none, "atoms and bonds alone"},
         {"cycles", GraphCounts::cycles, "rings and valences, too"},
         {"all", GraphCounts::all, "rings, valences and the spectrum of the graph"}},
        "what it is told of the graph that is seen: rings and valences; all: its spectrum, too")
      .when(graph)
      .rank(Rank::manual);
}

}  // namespace

void NetOptions::describe(Fields& f) {
  const Condition mlp{[this] { return kind == NetKind::mlp; }, "--net mlp"},
      unet{[this] { return kind == NetKind::unet; }, "--net unet"};
  f.group("network");
  f.add("net", kind,
        {{"auto", NetKind::automatic, "graph for molecules, unet for pictures, else mlp"},
         {"mlp", NetKind::mlp, "dense layers with residual blocks"},
         {"unet", NetKind::unet, "convolutions at several resolutions"},
         {"graph", NetKind::graph, "attention between atoms and their bonds"},
         {"tabular", NetKind::tabular, "a row for every state: a few dims of a few values"}},
        "the network")
      .about(
          "unet sees which pixels are neighbours, graph takes molecules of any number of atoms; "
          "mlp takes any row. tabular learns every state apart, so it is exact and only for a few "
          "values, to compare with.");
  f.add_word("size", size,
             {{"small", "what one machine trains in minutes"},
              {"tiny", "what trains in a second, for tests"}},
             "network size where no width or depth is given")
      .rank(Rank::set_only);
  f.add("hidden", hidden, "width of the first layer, then widths inside of residual blocks")
      .metavar("N,...")
      .shows_default("by preset")
      .when(mlp)
      .rank(Rank::manual);
  f.add("activation", activation,
        {{"silu", Activation::silu, "x sigmoid(x), smooth"},
         {"tanh", Activation::tanh, "between -1 and 1"},
         {"relu", Activation::relu, "max(0, x)"}},
        "activation of hidden units")
      .when(mlp)
      .rank(Rank::manual);
  f.add("channels", channels, "channels at the first resolution; 0: by preset")
      .range(0, 4096)
      .when(unet)
      .rank(Rank::manual);
  f.add("multipliers", multipliers, "factors on the channels, one for each resolution")
      .metavar("N,...")
      .shows_default("by preset and picture")
      .when(unet)
      .rank(Rank::manual);
  describe_graph(f, *this);
}

void NetOptions::settle(const DatasetInfo& data, std::int64_t levels) {
  const bool molecules = data.content == Content::molecules;
  if (kind == NetKind::automatic)
    kind = molecules ? NetKind::graph : is_picture(data) ? NetKind::unet : NetKind::mlp;
  if (molecules != (kind == NetKind::graph))
    fail(ErrorKind::usage, "--net",
         molecules ? "has to be graph for rows of molecules" : "graph needs rows of molecules",
         molecules ? "--net graph" : "--net auto");
  if (kind == NetKind::unet) settle_unet(data);
  if (kind == NetKind::graph) settle_graph();
  if (kind == NetKind::mlp) settle_mlp();
  if (kind == NetKind::tabular && (data.dims() > most_table_dims || levels > most_table_levels))
    fail(ErrorKind::usage, "--net tabular",
         "has a row for every state: up to " + std::to_string(most_table_dims) +
             " dims with up to " + std::to_string(most_table_levels) + " values, not " +
             std::to_string(data.dims()) + " with " + std::to_string(levels),
         "--net mlp");
}

void NetOptions::settle_mlp() {
  const std::int64_t usual = size == "tiny" ? 64 : 256;
  if (hidden.empty()) hidden = {usual, usual};
  require_widths("--hidden", hidden);
}

void NetOptions::settle_graph() {
  const bool tiny = size == "tiny";
  if (layers == 0) layers = tiny ? 1 : 3;
  if (heads == 0) heads = tiny ? 2 : 4;
  if (widths.empty())
    widths = tiny ? std::vector<std::int64_t>{16, 8, 8} : std::vector<std::int64_t>{48, 24, 24};
  if (ff_widths.empty()) ff_widths = widths;
  if (io_widths.empty()) io_widths = widths;
  for (const auto& [option, list] :
       {std::pair("--widths", &widths), std::pair("--ff-widths", &ff_widths),
        std::pair("--io-widths", &io_widths)}) {
    require_widths(option, *list);
    if (list->size() != 3)
      fail(ErrorKind::usage, option,
           "are three, of atoms, of pairs and of the whole molecule, not " +
               std::to_string(list->size()),
           std::string(option) + " 48,24,24");
  }
  if (widths[0] % heads != 0)
    fail(ErrorKind::usage, "--heads",
         "is " + std::to_string(heads) + ", and " + std::to_string(widths[0]) +
             " channels of atoms are no multiple of that");
}

void NetOptions::settle_unet(const DatasetInfo& data) {
  if (!is_picture(data)) fail(ErrorKind::usage, "--net unet", "needs pictures", "--net mlp");
  const std::int64_t height = data.shape[0], width = data.shape[1];
  if (channels == 0) channels = size == "tiny" ? 8 : 16;
  if (multipliers.empty()) multipliers = usual_multipliers(size, height, width);
  if (std::ssize(multipliers) > most_resolutions)
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
  for (auto* list : {&half.widths, &half.ff_widths, &half.io_widths})
    for (std::int64_t& width : *list) width = (width + 1) / 2;
  if (kind != NetKind::graph) return half;
  half.layers = std::min(most_choice_layers, (layers + 1) / 2);
  half.widths[0] = (half.widths[0] + heads - 1) / heads * heads;
  return half;
}

}  // namespace logpx::arm
