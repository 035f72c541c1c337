#include "formats/dataset_file.hpp"
#include "tools/library/inside.hpp"
#include "tools/library/numbers.hpp"

namespace logpx::v0 {

Failure::Failure(Trouble trouble, const std::string& what, std::string hint)
    : std::runtime_error(what), trouble_(trouble), hint_(std::move(hint)) {}

Rows::Rows(const std::string& dataset)
    : inside_(told([&] {
        const DatasetName name = parse_dataset_name(dataset);
        auto file = std::make_shared<DatasetFile>(name.path);
        const RowSelection chosen = select_rows(file->info(), name, "", {});
        return std::make_shared<const Inside>(
            Inside{std::move(file), dataset, chosen.begin, chosen.end});
      })) {}

std::int64_t Rows::count() const { return inside_->end - inside_->begin; }

std::vector<std::int64_t> Rows::shape() const { return inside_->source->info().shape; }

std::vector<float> Rows::values() const {
  return told([&] {
    RowSource& source = *inside_->source;
    return numbers_of(source.info(), source.read(inside_->begin, inside_->end));
  });
}

}  // namespace logpx::v0
