// What undoes DEFLATE streams and makes them again, in bytes of content, beside a quarter of the
// time that coding the content takes.
#include "formats/archive/recorded_decisions.hpp"
#include "formats/deflate/redoer.hpp"
#include "formats/deflate/undoer.hpp"
#include "libcore/base/error.hpp"
#include "tests/bench/bench.hpp"

#include <zlib.h>

#include <span>
#include <string>
#include <vector>

namespace logpx::bench {
namespace {

using Stream = std::vector<std::byte>;

constexpr double least_rate = 4;  // MB/s; text is coded at about one

// Lines that repeat in parts.
std::string report_of_lines() {
  std::string text;
  for (int i = 0; text.size() < 1 << 20; ++i)
    text += "message " + std::to_string(i * i % 10'007) + (i % 3 == 0 ? " has arrived" : " waits") +
            " after " + std::to_string(i * 17 % 997) + " days and nights\n";
  return text;
}

Stream deflated_by_zlib(const std::string& text, int level) {
  z_stream state{};
  if (deflateInit2(&state, level, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    fail(ErrorKind::io, "", "zlib does not begin");
  Stream stream(deflateBound(&state, text.size()));
  state.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  state.avail_in = static_cast<uInt>(text.size());
  state.next_out = reinterpret_cast<Bytef*>(stream.data());
  state.avail_out = static_cast<uInt>(stream.size());
  (void)::deflate(&state, Z_FINISH);
  stream.resize(state.total_out);
  (void)deflateEnd(&state);
  return stream;
}

}  // namespace

void bench_deflate(Bench& bench) {
  const std::string text = report_of_lines();
  for (const int level : {6, 9}) {
    const Stream stream = deflated_by_zlib(text, level);
    archive::RecordedDecisions decisions;
    const auto undo = [&] {
      archive::DecisionRecorder recorder;
      logpx::deflate::Undoer undoer(recorder, [](logpx::deflate::ByteView) {});
      (void)undoer.add(stream);
      decisions = recorder.take();
    };
    const auto redo = [&] {
      archive::DecisionRepeater repeater;
      repeater.add(decisions);
      logpx::deflate::Redoer redoer(repeater, [](logpx::deflate::ByteView) {});
      redoer.add(std::as_bytes(std::span(text)));
      redoer.finish();
    };
    const std::vector<double> seconds = bench.seconds({undo, redo});
    for (const std::size_t i : {0, 1}) {
      const double rate = static_cast<double>(text.size()) / seconds[i] / 1e6;
      bench.add({.name = "level " + std::to_string(level) + (i == 0 ? ", undone" : ", made again"),
                 .value = rate,
                 .unit = "MB/s",
                 .share = rate / least_rate,
                 .floor = 1,
                 .of = "4 MB/s"});
    }
  }
}

}  // namespace logpx::bench
