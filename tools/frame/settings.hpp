// Defaults <- preset <- settings files, left to right <- options and --set.
#pragma once

#include "tools/frame/app.hpp"
#include "tools/frame/cli.hpp"
#include "tools/frame/common_options.hpp"

namespace logpx {

// Reads options that cannot change a result (paths, threads, --config, --set ...) and are needed
// first.
void read_external(const Arguments& arguments, const std::string& tool);

struct SettingsSources {
  const ToolSpec& spec;
  const ToolHooks& hooks;
  const CommonOptions& common;
  const Arguments& arguments;
};
void resolve_settings(Fields& fields, const SettingsSources& sources);

// A usage error for the first required field that has no value.
void check_required(const Fields& fields, const std::string& tool);

// The settings inside a JSON file, a report or an artifact ("-" is stdin).
[[nodiscard]] Json load_settings(const std::string& file, const std::string& tool);

}  // namespace logpx
