#include "tools/frame/settings.hpp"

#include "formats/artifact.hpp"
#include "formats/file/input.hpp"
#include "formats/file/signature.hpp"
#include "formats/json/fields_json.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/base/shell_word.hpp"

#include <filesystem>
#include <system_error>

namespace logpx {
namespace {

bool starts_with_magic(const std::string& file) {
  std::string start(hdf5_magic.size(), '\0');
  ByteReader reader(file);
  return reader.read(std::as_writable_bytes(std::span(start))) == start.size() &&
         start == hdf5_magic;
}

// A report, or the provenance of an artifact, is a recipe of one tool.
Json settings_of_recipe(const Json& recipe, const std::string& file, const std::string& tool) {
  const std::string made_by = recipe.at("tool").string();
  if (made_by != tool)
    fail(ErrorKind::usage, file, "holds settings of " + made_by + ", not of " + tool,
         made_by + " --config " + file + " ...");
  return recipe.at("config");
}

// Whoever leaves out the word that comes first has named a file or folder in its place.
std::string command_for_input(const Field& field, const std::string& value,
                              const std::string& tool) {
  if (std::filesystem::is_regular_file(value)) {
    std::string start(signature_bytes, '\0');
    ByteReader reader(value);
    start.resize(reader.read(std::as_writable_bytes(std::span(start))));
    const Signature* const found = find_signature(std::as_bytes(std::span(start)));
    if (found != nullptr && !found->command.empty()) return command_for(*found, value);
  }
  if (std::filesystem::is_directory(value)) return command_for_folder(value);
  return tool + ' ' + field.metavar() + ' ' + shell_word(value) + " ...";
}

void read_positional(Field& field, const std::vector<std::string>& values,
                     const std::string& tool) {
  try {
    field.read_repeated(values, field.metavar(), Origin::option);
  } catch (const Error& error) {
    const std::filesystem::path value = values.front();
    std::error_code unknown;
    const bool there = std::filesystem::exists(value, unknown);
    if (!error.hint().empty() || field.type() != FieldType::word ||
        (!there && !value.has_extension()))
      throw;
    const char* const is = !there                                          ? "is no file here, nor"
                           : std::filesystem::is_directory(value, unknown) ? "is a folder, not"
                                                                           : "is a file, not";
    fail(ErrorKind::usage, field.metavar(),
         "'" + value.string() + "' " + is + " one of: " + join_text(field.words(), ", "),
         there ? command_for_input(field, value.string(), tool) : "", error.where());
  }
}

void read_given(const Arguments& arguments, bool external, const std::string& tool) {
  for (const auto& [field, values] : arguments.given) {
    if (field->is_external() != external) continue;
    if (field->is_positional()) read_positional(*field, values, tool);
    else field->read_repeated(values, field->option(), Origin::option);
  }
}

// A foreign file in the place of an artifact is what a person has to hear of first.
void refuse_foreign(const Field& field) {
  if (field.files().starts_with("*.h5 of ") && std::filesystem::is_regular_file(field.text()))
    static_cast<void>(ArtifactFile(field.text()));
}

// The command with what it lacks: train-pc rows.h5 -o OUT.h5
std::string completed(const Fields& fields, const std::string& tool) {
  std::string operands, options, others;
  for (const Field& field : fields.all()) {
    const bool lacks = field.is_required() && field.text().empty();
    if (field.is_positional()) {
      for (const std::string& item :
           field.repeats() ? field.items() : std::vector<std::string>{field.text()})
        if (!item.empty()) operands += ' ' + shell_word(item);
      if (lacks) operands += ' ' + field.metavar();
    } else if (lacks) {
      options +=
          ' ' + (field.short_name() == 0 ? field.option() : std::string{'-', field.short_name()});
      options +=
          ' ' + (field.formats().empty() ? field.metavar() : "OUT." + field.formats().front());
    } else if (field.given()) {
      others = " ...";
    }
  }
  return tool + operands + options + others;
}

}  // namespace

void read_external(const Arguments& arguments, const std::string& tool) {
  read_given(arguments, true, tool);
}

Json load_settings(const std::string& file, const std::string& tool) {
  if (file != "-" && starts_with_magic(file))
    return settings_of_recipe(ArtifactFile(file).provenance(), file, tool);
  const std::string text = read_text_file(file);
  const std::string name = file == "-" ? "stdin" : file;
  if (const auto bytes = std::as_bytes(std::span(text)); !may_be_json(bytes))
    fail_as_foreign(
        bytes, name, "settings (JSON)",
        "-c reads settings, as --print-config prints them; -o - writes to standard output");
  const Json json = Json::parse(text, name);
  const Json* schema = json.find("schema");
  const bool recipe = schema != nullptr && schema->is_string() && json.find("config") != nullptr;
  return recipe ? settings_of_recipe(json, file, tool) : json;
}

void resolve_settings(Fields& fields, const SettingsSources& sources) {
  if (const Field* preset = fields.find_key("preset");
      preset != nullptr && sources.hooks.apply_preset && !preset->text().empty())
    sources.hooks.apply_preset(preset->text());
  for (const std::string& file : sources.common.config)
    read_settings(fields, load_settings(file, sources.spec.name), file, Origin::config);
  read_given(sources.arguments, false, sources.spec.name);
  for (const std::string& assignment : sources.common.set) fields.set(assignment, Origin::option);
}

void check_required(const Fields& fields, const std::string& tool) {
  for (const Field& field : fields.all())
    if (field.lifts_requirements()) return;
  for (const Field& field : fields.all()) {
    if (!field.is_required() || !field.text().empty()) continue;
    for (const Field& operand : fields.all())
      if (operand.is_positional()) refuse_foreign(operand);
    const std::string name =
        field.is_positional() ? field.metavar() : field.option() + ' ' + field.metavar();
    fail(ErrorKind::usage, "", "missing " + name + ": " + field.help(), completed(fields, tool));
  }
}

}  // namespace logpx
