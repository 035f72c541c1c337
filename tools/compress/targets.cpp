#include "tools/compress/targets.hpp"

#include "formats/file/output.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/base/given_options.hpp"
#include "tools/archives/names.hpp"
#include "tools/frame/app.hpp"

#include <sys/stat.h>

namespace logpx::compress {

Targets::Targets(const App& app) {
  const std::string report = app.fields().find_option("--report")->text();
  if (!report.empty() && !is_stream(report)) report_ = place_of(report);
  has_folder_ = is_given(app.fields(), "--output-dir");
}

void Targets::protect(const std::string& input) {
  struct stat status {};
  if (input != "-" && stat(input.c_str(), &status) == 0)
    inputs_.emplace(status.st_dev, status.st_ino);
}

void Targets::claim(const std::string& target) {
  if (is_stream(target)) return;
  struct stat status {};
  if (stat(target.c_str(), &status) == 0 && inputs_.contains({status.st_dev, status.st_ino}))
    fail(ErrorKind::refused, shown(target), "is also an input; an input is never replaced",
         "choose another name");
  const std::filesystem::path place = place_of(target);
  if (place == report_)
    fail(ErrorKind::usage, "--report", "is also the output " + shown(target),
         "choose another name");
  if (!claimed_.insert(place).second)
    fail(ErrorKind::refused, shown(target), "is the output of two inputs",
         has_folder_ ? "give each input once, or each an --output-dir of its own"
                     : "--output-dir keeps them apart");
}

}  // namespace logpx::compress
