#include "tools/compress/targets.hpp"

#include "formats/file/output.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "tools/common/app.hpp"
#include "tools/compress/names.hpp"

namespace logpx::compress {

Targets::Targets(const App& app) {
  const std::string report = app.fields().find_option("--report")->text();
  if (!report.empty() && !is_stream(report)) report_ = place_of(report);
}

void Targets::claim(const std::string& target) {
  if (is_stream(target)) return;
  const std::filesystem::path place = place_of(target);
  if (place == report_)
    fail(ErrorKind::usage, "--report", "is also the output " + shown(target),
         "choose another name");
  if (!claimed_.insert(place).second)
    fail(ErrorKind::refused, shown(target), "is the output of two inputs",
         "--output-dir or --suffix tell them apart");
}

}  // namespace logpx::compress
