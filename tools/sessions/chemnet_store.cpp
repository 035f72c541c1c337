#include "tools/sessions/chemnet_store.hpp"

#include "formats/basis_file.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "tools/frame/app.hpp"
#include "tools/frame/progress.hpp"
#include "tools/store/model_store.hpp"

#include <algorithm>
#include <span>

namespace logpx {

ChemNetStore::ChemNetStore(App& app, const std::string& path) : app_(app) {
  const BasisFile file(path);
  file.check();
  app.add_input({.role = "chemnet",
                 .path = path,
                 .kind = "basis",
                 .content_hash = file.content_hash(),
                 .provenance = file.provenance()});
  if (file.extractor() != chemnet_name)
    fail(ErrorKind::data, file.name(), "is of extractor " + file.extractor() + ", not of ChemNet",
         "scripts/convert-chemnet WHEEL -o chemnet.h5 makes the file of the wheel fcd_torch 1.0.7");
  hash_ = file.content_hash();
  std::vector<NamedTensor> tensors = file.tensors();
  try {
    net_.emplace(refs_of(tensors, file.name()));
  } catch (const Error& error) {
    throw error.within(file.name());
  }
}

std::vector<float> ChemNetStore::features(const std::vector<std::string>& smiles) const {
  constexpr std::int64_t at_once = 8 * ChemNet::block;
  const std::int64_t n = std::ssize(smiles);
  const auto progress = app_.progress("molecules through ChemNet", static_cast<double>(n));
  std::vector<float> made;
  made.reserve(at(n * width()));
  for (std::int64_t begin = 0; begin < n; begin += at_once) {
    const std::int64_t count = std::min(at_once, n - begin);
    const std::vector<float> part =
        net_->features(std::span(smiles).subspan(at(begin), at(count)), app_.workers());
    made.insert(made.end(), part.begin(), part.end());
    progress->update(static_cast<double>(begin + count));
  }
  return made;
}

}  // namespace logpx
