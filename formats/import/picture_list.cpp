#include "formats/import/picture_list.hpp"

#include "formats/import/container.hpp"
#include "libcore/base/error.hpp"

#include <algorithm>
#include <filesystem>

namespace logpx {
namespace fs = std::filesystem;
namespace {

std::vector<PictureFile> walk(const std::string& root, std::size_t input, std::int64_t& skipped) {
  std::vector<PictureFile> files;
  std::error_code failed;
  fs::recursive_directory_iterator entry(root, failed);
  for (; !failed && entry != fs::recursive_directory_iterator(); entry.increment(failed)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with('.') || name == "__MACOSX") {
      ++skipped;
      entry.disable_recursion_pending();
    } else if (!entry->is_directory()) {
      const fs::path relative = entry->path().lexically_relative(root);
      files.push_back(
          {input, relative.string(), relative.parent_path().string(), entry->path().string()});
    }
  }
  if (failed) fail_errno(root, failed.value());
  std::sort(files.begin(), files.end(),
            [](const PictureFile& a, const PictureFile& b) { return a.relative < b.relative; });
  if (files.empty()) fail(ErrorKind::data, root, "no images");
  return files;
}

std::string first_folder(const std::string& path) { return path.substr(0, path.find('/') + 1); }

// An archive of the folder `faces` holds faces/ann/1.png, where the folder itself has ann/1.png:
// one folder around all is left out, unless pictures that have a class would lose it.
void leave_outer_folder(std::vector<PictureFile>& files) {
  const std::string outer = first_folder(files.front().relative);
  const bool around =
      !outer.empty() && std::all_of(files.begin(), files.end(), [&](const auto& file) {
        return file.relative.starts_with(outer);
      });
  const bool inner = std::any_of(files.begin(), files.end(), [&](const auto& file) {
    return file.relative.find('/', outer.size()) != std::string::npos;
  });
  if (!around || !inner) return;
  for (PictureFile& file : files) {
    file.relative.erase(0, outer.size());
    file.folder = fs::path(file.relative).parent_path().string();
  }
}

std::vector<PictureFile> list_members(Input& input, std::size_t number,
                                      const std::string& pattern) {
  const Container& archive = *input.unpack();
  std::vector<PictureFile> files;
  for (const std::size_t i : archive.chosen(pattern)) {
    const Container::Member& member = archive.members()[i];
    files.push_back({number, member.name, fs::path(member.name).parent_path().string(),
                     archive.shown(member), i});
  }
  leave_outer_folder(files);
  return files;
}

}  // namespace

PictureList list_pictures(Inputs& inputs, const std::string& members) {
  PictureList list;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::string& name = inputs[i].name();
    if (inputs[i].is_container()) {
      std::vector<PictureFile> files = list_members(inputs[i], i, members);
      std::move(files.begin(), files.end(), std::back_inserter(list.files));
      continue;
    }
    if (!inputs[i].is_folder()) {
      list.files.push_back({i, name, fs::path(name).parent_path().filename().string(), name});
      continue;
    }
    std::vector<PictureFile> files = walk(name, i, list.skipped);
    std::move(files.begin(), files.end(), std::back_inserter(list.files));
  }
  return list;
}

}  // namespace logpx
