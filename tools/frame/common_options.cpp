#include "tools/frame/common_options.hpp"

#include <cstdlib>

#include <unistd.h>

namespace logpx {
namespace {

constexpr WordsOf<When> when_words = {{"auto", When::auto_, "on a terminal"},
                                      {"always", When::always, "in any case"},
                                      {"never", When::never, "in no case"}};

}  // namespace

void CommonOptions::describe(Fields& f) {
  f.group("output");
  f.add("force", force, "replace outputs that exist").short_name('f').external();
  f.group("common");
  f.add("seed", seed, "seed of all randomness; 0 is a seed like any other")
      .about(
          "The same command with the same seed writes the same bytes, whatever the number of "
          "threads; another seed gives another run of the same settings.")
      .short_name('s')
      .range(0, 0x1p64);
  f.add("threads", threads, "threads; 0 means all cores; never changes a result")
      .about(
          "Work is cut into blocks that do not depend on the number of threads, and so a result "
          "does not either.")
      .short_name('j')
      .range(0, 1024)
      .external();
  f.add("config", config, "settings from a JSON file, a report or an artifact; may repeat")
      .about(
          "A report or an artifact holds the settings that it was made with, and --config takes "
          "them from there; options beside it change single ones.")
      .short_name('c')
      .metavar("FILE")
      .whole_items()
      .files("*.{json,h5}")
      .external();
  f.add("set", set, "any setting by its JSON path; may repeat")
      .about(
          "Every setting that --print-config prints has its name here, also those that are no "
          "options. A list is replaced as a whole.")
      .metavar("KEY=VALUE")
      .whole_items()
      .external();
  f.add("report", report, "also write the report here").metavar("FILE").output().writes({"json"});
  f.add("json", json, "print the report on stdout").external();
  f.add("dry-run", dry_run, "check everything, write nothing").external();
  f.add("print-config", print_config, "print the resolved settings as JSON and stop")
      .rank(Rank::manual)
      .external();
  f.add("memory", memory, "memory that the tool may plan for")
      .about(
          "Jobs are cut so that they stay below it where that is possible; it is a plan, and no "
          "limit that the system would enforce.")
      .shows_default("60 % of RAM")
      .rank(Rank::manual)
      .external();
  f.add_count("verbose", verbose, "say more; may repeat").short_name('v').external();
  f.add("quiet", quiet, "only warnings and errors").short_name('q').external();
  f.add("progress", progress, when_words, "show how far the run is").rank(Rank::manual).external();
  f.add("color", color, when_words, "colour in messages").rank(Rank::manual).external();
  f.add_word("generate", generate,
             {{"man", "the options, as the manual has them"},
              {"complete-bash", "a completion for bash"},
              {"complete-zsh", "a completion for zsh"},
              {"complete-fish", "a completion for fish"},
              {"describe", "all options as JSON"}},
             "print the manual's options, a completion, or all options as JSON, and stop")
      .rank(Rank::manual)
      .external();
}

std::uint64_t CommonOptions::planned_memory() const {
  if (memory.value > 0) return memory.value;
  const auto pages = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES));
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGE_SIZE));
  return pages * page / 10 * 6;
}

}  // namespace logpx
