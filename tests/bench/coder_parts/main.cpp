// coder-parts ROUNDS FILE...: what the adaptive coder is without each of its parts, for
// scripts/ablate-coder. Lines of part, file, bytes and CPU seconds with it, bytes and seconds
// without it, between tabs. The parts take turns, once a round; the least seconds of all count.
#include "libcore/base/clock.hpp"
#include "libcore/base/error.hpp"
#include "libcore/codec/adaptive/adaptive.hpp"
#include "libcore/codec/adaptive/first_text.hpp"
#include "libcore/codec/adaptive/likely_form.hpp"
#include "libcore/codec/adaptive/block_order.hpp"
#include "tests/bench/coder_parts/variants.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>

using namespace logpx;
using namespace logpx::codec::adaptive;

namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::size_t head = 4096;  // of a file, with and without the first text

struct Trial {
  std::string without;
  std::function<std::size_t()> code;  // gives its bytes
  std::size_t beside = 0;             // the number of the trial that has the part
  std::size_t bytes = 0;
  double seconds = std::numeric_limits<double>::infinity();
};

Bytes content_of(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  if (!file) fail(ErrorKind::io, name, "cannot be read");
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<Variant> variants_for(Kind kind) {
  switch (kind) {
    case Kind::records: return record_variants();
    case Kind::grey: return grey_variants();
    case Kind::rgb: return rgb_variants();
    case Kind::planar: return planar_variants();
    case Kind::bits: return bit_variants();
    case Kind::molecules: return molecule_variants();
    case Kind::samples: return sample_variants();
    case Kind::x86_code: return x86_variants();
    case Kind::dna: return dna_variants();
    case Kind::arm_code: return arm_variants();
    case Kind::rgba: return rgba_variants();
    case Kind::drawn_rgb: return drawn_rgb_variants();
    default: return text_variants();
  }
}

// Forms that know less of the data.
std::vector<std::pair<std::string, Form>> simpler_forms(const Form& form) {
  std::vector<std::pair<std::string, Form>> simpler;
  const bool code = form.kind == Kind::x86_code || form.kind == Kind::arm_code;
  const bool raster = form.row > 0 && form.kind != Kind::records && form.kind != Kind::samples;
  if (raster) simpler.push_back({"rasters", {Kind::records, form.row, 0}});
  if (form.kind == Kind::samples)
    simpler.push_back({"samples", {Kind::records, std::max(form.row, form.samples.frame()), 0}});
  if (code) simpler.push_back({"addresses", {Kind::records, 4, 0}});
  if (form.row > 0) simpler.push_back({"rows", {Kind::records, 0, 0}});
  if (form.kind != Kind::text) simpler.push_back({"kinds", {}});
  return simpler;
}

std::vector<Trial> trials_of(const Bytes& data, const Form& form) {
  const auto coded_as = [&data](const Form& seen) {
    return [&data, seen] { return encode(data, seen, Level::normal).size(); };
  };
  std::vector<Trial> trials = {{"", coded_as(form)}};
  for (const Variant& variant : variants_for(form.kind))
    trials.push_back({variant.without, [&data, form, encode_without = variant.encode] {
                        Canvas canvas(form, {}, data.size());
                        Bytes block = data;
                        order_block(block, form);
                        return encode_without(block, canvas, form, no_limit).size();
                      }});
  for (const auto& [without, simpler] : simpler_forms(form))
    if (fits(simpler, data.size())) trials.push_back({without, coded_as(simpler)});
  const std::span begin = std::span(data).first(std::min(head, data.size()));
  const auto coded_after = [begin](std::span<const std::uint8_t> text) {
    return [begin, form = likely_form(begin, {}), text] {
      return encode(begin, form, Start(Level::normal, text)).size();
    };
  };
  trials.push_back({"", coded_after(first_text())});
  trials.push_back({"first text", coded_after({}), trials.size() - 1});
  return trials;
}

void measure(Trial& trial) {
  const double start = cpu_seconds();
  trial.bytes = trial.code();
  trial.seconds = std::min(trial.seconds, cpu_seconds() - start);
}

void run(int rounds, const std::string& file) {
  const Bytes data = content_of(file);
  std::vector<Trial> trials = trials_of(data, likely_form(data, {}));
  for (int round = 0; round < rounds; ++round)
    for (Trial& trial : trials) measure(trial);
  for (const Trial& trial : trials) {
    const Trial& with = trials[trial.beside];
    if (!trial.without.empty())
      std::printf("%s\t%s\t%zu\t%.3f\t%zu\t%.3f\n", trial.without.c_str(),
                  std::filesystem::path(file).filename().c_str(), with.bytes, with.seconds,
                  trial.bytes, trial.seconds);
  }
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 3) fail(ErrorKind::usage, "", "usage: coder-parts ROUNDS FILE...");
  for (int i = 2; i < argc; ++i) run(std::stoi(argv[1]), argv[i]);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "coder-parts: error: %s\n", error.what());
  return 2;
}
