#include "tools/sessions/doctor.hpp"

#include "formats/draw/gnuplot.hpp"
#include "formats/file/output.hpp"
#include "libcore/base/clock.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/base/parallel.hpp"
#include "libcore/codec/self_test.hpp"
#include "libcore/det/isa.hpp"
#include "libcore/math/blas.hpp"
#include "libcore/math/onednn.hpp"
#include "tools/frame/version.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <vector>

#include <unistd.h>

namespace logpx {
namespace {

enum class Verdict { ok, warn, fail };
constexpr const char* verdict_words[] = {"ok", "warn", "fail"};

struct Finding {
  Verdict verdict = Verdict::ok;
  std::string name, text, advice = {};
};

Finding program() {
  return {Verdict::ok, "logpx",
          std::string(version()) + ", commit " + commit() + ", " + compiler()};
}

Finding library_versions(const Json& host) {
  std::string with, without;
  for (const auto& [name, number] : host.at("libraries").members()) {
    std::string& list = number.is_null() ? without : with;
    list += (list.empty() ? "" : ", ") + name;
    if (!number.is_null()) list += ' ' + number.string();
  }
  return {Verdict::ok, "libraries", with + (without.empty() ? "" : "; left out: " + without)};
}

Finding processor(const Json& host) {
  const Isa used = active_isa();
  Isa best = Isa::baseline;
  for (const Isa isa : {Isa::v3, Isa::v4})
    if (isa_available(isa)) best = isa;
  Finding finding{Verdict::ok, "processor",
                  host.at("cpu").string() + ", instruction set " + isa_name(used)};
  if (used == best) return finding;
  finding.verdict = Verdict::warn;
  finding.text += ", where " + isa_name(best) + " would be faster";
  finding.advice = "unset LOGPX_ISA";
  return finding;
}

// Operations a second of a square product: the best of several, as other programs may interfere.
template <typename Product>
double rate_of(Product product) {
  constexpr std::int64_t side = 384;
  const std::vector<float> a(side * side, 0.5F), b(side * side, 0.25F);
  std::vector<float> c(side * side);
  const Gemm<float> call = {.m = side,
                            .n = side,
                            .k = side,
                            .a = a.data(),
                            .lda = side,
                            .b = b.data(),
                            .ldb = side,
                            .c = c.data(),
                            .ldc = side};
  double best = HUGE_VAL;
  for (int i = 0; i < 12; ++i) {
    const double start = wall_seconds();
    product(call);
    best = std::min(best, wall_seconds() - start);
  }
  return 2.0 * side * side * side / best;
}

// Both products do the same work, and the coder's own nearly reaches OpenBLAS at its best.
Finding matrix_products() {
  constexpr double much_slower = 0.6;
  single_threaded_kernels();
  const double blas = rate_of([](const Gemm<float>& call) { gemm(call); });
  const double own = rate_of([](const Gemm<float>& call) { gemm_ordered(call); });
  const char* kernel = std::getenv("OPENBLAS_CORETYPE");
  const bool pinned = kernel != nullptr && *kernel != '\0';
  Finding finding{Verdict::ok, "blas",
                  fmt::format("{}, kernel {}{}, {:.0f} GFLOP/s on one thread", blas_name(),
                              blas_kernel(), pinned ? " by OPENBLAS_CORETYPE" : "", blas / 1e9)};
  if (blas > much_slower * own) return finding;
  finding.verdict = Verdict::warn;
  finding.text += fmt::format(", where {:.0f} are possible", own / 1e9);
  finding.advice = pinned ? std::string("unset OPENBLAS_CORETYPE: it slows training down")
                          : "this OpenBLAS does not know the processor: OPENBLAS_CORETYPE=Haswell "
                            "(or SkylakeX, with AVX-512) may be faster";
  return finding;
}

Finding half_precision() {
  const std::string kernels = bf16_kernels();
  if (kernels.empty())
    return {Verdict::ok, "bf16",
            onednn_version().empty()
                ? "needs oneDNN, which this build leaves out: trainings are f32"
                : "not multiplied by this processor: trainings are f32"};
  const double rate = rate_of([](const Gemm<float>& call) { gemm_bf16(call); });
  return {Verdict::ok, "bf16",
          fmt::format("multiplied by {}, {:.0f} GFLOP/s on one thread, for --precision bf16",
                      kernels, rate / 1e9)};
}

Finding threads() {
  const auto memory = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
                      static_cast<std::uint64_t>(sysconf(_SC_PAGE_SIZE));
  const int count = available_threads();
  return {Verdict::ok, "threads",
          std::to_string(count) + (count == 1 ? " is" : " are") + " used by default, " +
              human_bytes(memory) + " of memory"};
}

// A whole picture of each kind, as plot-report draws it.
Finding charts() {
  const draw::Chart chart = {.title = "doctor",
                             .panels = {{.curves = {{.label = "line", .x = {0, 1}, .y = {0, 1}}}}}};
  Finding finding{Verdict::ok, "gnuplot", ""};
  try {
    finding.text = draw::gnuplot_version() + " draws SVG, PNG and PDF";
    for (const auto format :
         {draw::ChartFormat::svg, draw::ChartFormat::png, draw::ChartFormat::pdf})
      (void)draw::draw_chart(chart, format);
  } catch (const Error& error) {
    finding.verdict = Verdict::warn;
    finding.text = error.what();
    finding.advice = error.hint();
  }
  return finding;
}

Finding temporary_folder() {
  constexpr std::uint64_t little = std::uint64_t{1} << 30;
  const std::filesystem::path folder = spool_folder();
  Finding finding{Verdict::ok, "temporary", folder.string()};
  std::string name = (folder / "logpx-doctor-XXXXXX").string();
  const int descriptor = mkstemp(name.data());
  if (descriptor < 0) {
    finding.verdict = Verdict::fail;
    finding.text += std::string(" cannot be written to: ") + std::generic_category().message(errno);
    finding.advice = "TMPDIR=FOLDER names another";
    return finding;
  }
  close(descriptor);
  unlink(name.c_str());
  std::error_code ignored;
  const std::uint64_t room = std::filesystem::space(folder, ignored).available;
  finding.text += ", " + human_bytes(room) + " free";
  if (room >= little) return finding;
  finding.verdict = Verdict::warn;
  finding.advice = "what goes through a pipe is kept there whole: TMPDIR=FOLDER names another";
  return finding;
}

Finding numerics() {
  const codec::SelfTest test = codec::det_selftest();
  if (test.passed()) return {Verdict::ok, "numerics", "as archives need them, " + test.hash};
  return {Verdict::fail, "numerics", "differ from what archives are coded with, " + test.hash,
          "this build can neither write nor read archives: please report it, with these lines"};
}

std::string lines_of(const Finding& finding) {
  std::string text =
      fmt::format("{:<6}{:<11}{}\n", verdict_words[static_cast<int>(finding.verdict)], finding.name,
                  finding.text);
  if (!finding.advice.empty()) text += std::string(17, ' ') + finding.advice + '\n';
  return text;
}

}  // namespace

void examine_machine(App& app, const ToolSpec& spec) {
  const Json facts = host(spec);
  const std::vector<Finding> findings = {
      program(),         library_versions(facts), processor(facts),
      matrix_products(), half_precision(),        threads(),
      charts(),          temporary_folder(),      numerics()};
  Json checks = Json::array();
  for (const Finding& finding : findings) {
    app.print(lines_of(finding));
    checks.push(Json::object()
                    .set("name", finding.name)
                    .set("verdict", verdict_words[static_cast<int>(finding.verdict)])
                    .set("text", finding.text)
                    .set("advice", finding.advice.empty() ? Json() : Json(finding.advice)));
    if (finding.verdict == Verdict::fail)
      app.failed(Error(ErrorKind::io, finding.name, finding.text, finding.advice));
  }
  app.result().set("checks", std::move(checks));
}

}  // namespace logpx
