#include "formats/import/picture_list.hpp"

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

}  // namespace

PictureList list_pictures(const Inputs& inputs) {
  PictureList list;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::string& name = inputs[i].name();
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
