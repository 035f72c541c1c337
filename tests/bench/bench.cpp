#include "tests/bench/bench.hpp"

#include "formats/json/value.hpp"
#include "libcore/det/isa.hpp"
#include "libcore/math/blas.hpp"
#include "libcore/math/vector_math.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <limits>

namespace logpx::bench {

namespace {

double seconds_of(const std::function<void()>& call, long times) {
  const double start = thread_seconds();
  for (long i = 0; i < times; ++i) call();
  return (thread_seconds() - start) / static_cast<double>(times);
}

std::string cpu_name() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("model name"))
      return line.substr(std::min(line.size(), line.find(':') + 2));
  return "unknown";
}

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value ? value : "";
}

}  // namespace

double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double Bench::seconds(const std::function<void()>& call) const {
  return seconds(std::vector{call}).front();
}

std::vector<double> Bench::seconds(const std::vector<std::function<void()>>& calls) const {
  // Stretches too short to be interrupted often, and many of them.
  constexpr double stretch = 0.001, all_stretches = 0.2;
  std::vector<long> times;
  double round = 0;
  for (const auto& call : calls) {
    const double once = std::min(seconds_of(call, 1), seconds_of(call, 1));
    times.push_back(std::max(1L, static_cast<long>(stretch / once)));
    round += once * static_cast<double>(times.back());
  }
  const long rounds = std::clamp(
      static_cast<long>(all_stretches * static_cast<double>(calls.size()) / round), 5L, 500L);
  std::vector<double> best(calls.size(), std::numeric_limits<double>::infinity());
  for (long r = 0; r < rounds; ++r)
    for (std::size_t i = 0; i < calls.size(); ++i)
      best[i] = std::min(best[i], seconds_of(calls[i], times[i]));
  return best;
}

double Bench::peak() {
  if (peak_ == 0) {
    constexpr std::int64_t n = 1024;
    const std::vector<float> a(n * n, 0.5f), b(n * n, 0.25f);
    std::vector<float> c(n * n);
    const Gemm<float> call{.m = n,
                           .n = n,
                           .k = n,
                           .a = a.data(),
                           .lda = n,
                           .b = b.data(),
                           .ldb = n,
                           .c = c.data(),
                           .ldc = n};
    peak_ = 2.0 * n * n * n / seconds([&] { gemm(call); });
  }
  return peak_;
}

void Bench::begin(const std::string& section) {
  sections_.push_back({section, {}});
  std::printf("\n%s\n", section.c_str());
}

void Bench::add(const Row& row) {
  sections_.back().rows.push_back(row);
  std::printf("  %-52s %9.4g %-8s", row.name.c_str(), row.value, row.unit.c_str());
  if (row.share) std::printf(" %5.1f %% of %s", 100 * *row.share, row.of.c_str());
  if (row.floor)
    std::printf(" (floor %.0f %%: %s)", 100 * *row.floor, row.met() ? "met" : "NOT MET");
  std::printf("\n");
  std::fflush(stdout);
}

void Bench::add_repeatable(const std::string& name, const std::function<void()>& fast,
                           const std::function<void()>& repeatable) {
  const std::vector<double> each = seconds({fast, repeatable});
  add({.name = name,
       .value = 1e3 * each[1],
       .unit = "ms",
       .share = each[0] / each[1],
       .floor = 0.4,
       .of = "the fast one"});
}

void Bench::summary() const {
  int floors = 0, met = 0;
  for (const Section& section : sections_)
    for (const Row& row : section.rows) {
      floors += row.floor.has_value();
      met += row.floor && row.met();
    }
  std::printf("\nfloors: %d of %d met\n", met, floors);
}

std::string Bench::json() const {
  Json sections = Json::object();
  for (const Section& section : sections_) {
    Json rows = Json::array();
    for (const Row& row : section.rows) {
      Json item = Json::object();
      item.set("name", row.name).set("value", row.value).set("unit", row.unit);
      if (row.share) item.set("share", *row.share).set("of", row.of);
      if (row.floor) item.set("floor", *row.floor).set("met", row.met());
      rows.push(item);
    }
    sections.set(section.name, rows);
  }
  Json all = Json::object();
  all.set("cpu", cpu_name())
      .set("blas", blas_name())
      .set("blas_kernel", blas_kernel())
      .set("openblas_coretype", environment("OPENBLAS_CORETYPE"))
      .set("isa", isa_name(active_isa()))
      .set("vector_math", vec::backend())
      .set("sections", sections);
  return all.dump() + "\n";
}

}  // namespace logpx::bench
