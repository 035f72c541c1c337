#include "tools/frame/version.hpp"

#include "formats/h5/version.hpp"

#include <fmt/core.h>
#include <openssl/crypto.h>
#include <zlib.h>

#include <cstdio>
#include <cstring>
#include <memory>

#include <sys/utsname.h>

namespace logpx {
namespace {

std::string cpu_name() {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen("/proc/cpuinfo", "re"),
                                                             std::fclose);
  char line[512];
  while (file != nullptr && std::fgets(line, sizeof line, file.get()) != nullptr) {
    const char* colon = std::strchr(line, ':');
    if (std::strncmp(line, "model name", 10) != 0 || colon == nullptr) continue;
    std::string name = colon + 2;
    while (!name.empty() && name.back() <= ' ') name.pop_back();
    return name;
  }
  utsname system{};
  return uname(&system) == 0 ? system.machine : "unknown";
}

}  // namespace

std::string compiler() {
#ifdef __clang__
  return std::string("clang ") + __clang_version__;
#else
  return std::string("g++ ") + __VERSION__;
#endif
}

Json libraries(const ToolSpec& spec) {
  const auto three = [](int major, int minor, int patch) {
    return fmt::format("{}.{}.{}", major, minor, patch);
  };
  Json json = Json::object();
  json.set("hdf5", hdf5_version())
      .set("zlib", zlibVersion())
      .set("openssl", OpenSSL_version(OPENSSL_VERSION_STRING))
      .set("fmt", three(FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100))
      .set("nlohmann_json", json_library_version())
      .set("matio", LOGPX_HAVE_MATIO ? Json("with") : Json())
      .set("sentencepiece", LOGPX_HAVE_SENTENCEPIECE ? Json("with") : Json())
      .set("rdkit", LOGPX_HAVE_RDKIT ? Json("with") : Json());
  if (spec.compute_facts == nullptr) return json;
  const ComputeFacts facts = spec.compute_facts();
  json.set("blas", facts.blas).set("vector_math", facts.vector_math);
  return json.set("mpi", facts.mpi.empty() ? Json() : Json(facts.mpi));
}

Json host(const ToolSpec& spec) {
  const bool computes = spec.compute_facts != nullptr;
  const ComputeFacts facts = computes ? spec.compute_facts() : ComputeFacts{};
  return Json::object()
      .set("cpu", cpu_name())
      .set("blas", computes ? Json(facts.blas) : Json())
      .set("blas_kernel", computes ? Json(facts.blas_kernel) : Json())
      .set("compiler", compiler())
      .set("libraries", libraries(spec));
}

std::string version_text(const ToolSpec& spec) {
  std::string text =
      fmt::format("{} (logpx) {}\ncommit {}\n{}\n", spec.name, version(), commit(), compiler());
  const Json parts = libraries(spec);
  for (const auto& [name, value] : parts.members())
    text += fmt::format("{} {}\n", name, value.is_null() ? "left out" : value.string());
  return text;
}

}  // namespace logpx
