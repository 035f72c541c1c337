#include "formats/density_file.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <string>

namespace logpx {
namespace {

// Beyond these, products of widths with counts and densities leave the range of a double.
constexpr double narrowest = 1e-280, widest = 1e300;

// What the columns hold, for messages.
struct DensityHeader {
  const char *z, *density;
};
DensityHeader column_words(DensityColumn column) {
  if (column == DensityColumn::counts) return {"edge", "count"};
  return {"z", column == DensityColumn::logarithm ? "log density" : "density"};
}

std::int64_t named(const NumberTable& table, std::initializer_list<const char*> names) {
  for (const char* name : names)
    for (std::int64_t j = 0; j < table.columns; ++j)
      if (table.column_names[static_cast<std::size_t>(j)] == name) return j;
  fail(ErrorKind::data, table.name,
       std::string("has no column ") + *names.begin() +
           " (columns: " + join_text(table.column_names, ", ") + ")");
}

class DensityReader {
 public:
  DensityReader(const NumberTable& table, DensityColumn column)
      : table_(table), column_(column), words_(column_words(column)) {
    if (table_.rows < 2)
      fail(ErrorKind::data, table_.name,
           "has " + counted(table_.rows, "row") + ", expected at least two");
    if (table.columns > 2 && !table.column_names.empty()) {
      z_ = column == DensityColumn::counts ? named(table, {"edge"}) : named(table, {"z"});
      density_ = column == DensityColumn::counts      ? named(table, {"count"})
                 : column == DensityColumn::logarithm ? named(table, {"log_density", "density"})
                                                      : named(table, {"density"});
    } else if (table.columns != 2) {
      fail(ErrorKind::data, table.name,
           "has shape " + table.shape_text() + ", expected two columns, " + words_.z + " and " +
               words_.density);
    }
  }

  [[nodiscard]] DensityTable read() {
    DensityTable read;
    for (std::int64_t i = 0; i < table_.rows; ++i) {
      read.z.push_back(checked_z(i));
      if (column_ == DensityColumn::counts && i + 1 == table_.rows) check_after_last(i);
      else read.density.push_back(checked_density(i));
    }
    const double width = read.z.back() - read.z.front();
    if (!(width >= narrowest && width <= widest))
      fail(ErrorKind::data, table_.name,
           std::string(words_.z) + " goes from " + to_text(read.z.front()) + " to " +
               to_text(read.z.back()) + ": too " + (width < 1 ? "narrow" : "wide") +
               " an interval");
    scale(read.density);
    return read;
  }

 private:
  [[nodiscard]] double checked_z(std::int64_t row) const {
    const double z = table_.at(row, z_);
    if (!std::isfinite(z)) refuse(row, words_.z, z, "finite");
    if (row > 0 && !(z > table_.at(row - 1, z_)))
      refuse(row, words_.z, z, "above " + to_text(table_.at(row - 1, z_)) + " of the row before");
    return z;
  }
  [[nodiscard]] double checked_density(std::int64_t row) const {
    const double value = table_.at(row, density_);
    const bool nothing =
        column_ == DensityColumn::logarithm && value == -std::numeric_limits<double>::infinity();
    if (!std::isfinite(value) && !nothing) refuse(row, words_.density, value, "finite");
    if (value < 0 && column_ != DensityColumn::logarithm)
      refuse(row, words_.density, value, "at least 0");
    return value;
  }
  void check_after_last(std::int64_t row) const {
    const double value = table_.at(row, density_);
    if (!std::isnan(value) && value != 0)
      fail(ErrorKind::data, table_.place(row),
           "count is " + to_text(value) + " beside the last edge, where no bar begins",
           "add the edge where that bar ends, or leave the field empty");
  }
  [[noreturn]] void refuse(std::int64_t row, const std::string& what, double value,
                           const std::string& expected) const {
    fail(ErrorKind::data, table_.place(row),
         what + (std::isnan(value) ? " is missing" : " is " + to_text(value)) + ", expected " +
             expected);
  }

  void scale(std::vector<double>& density) const {
    const double largest = *std::max_element(density.begin(), density.end());
    const bool logarithm = column_ == DensityColumn::logarithm;
    if (logarithm ? !std::isfinite(largest) : largest == 0)
      fail(
          ErrorKind::data, table_.name,
          "has no mass: every " + std::string(words_.density) + (logarithm ? " is -inf" : " is 0"));
    for (double& value : density) value = logarithm ? std::exp(value - largest) : value / largest;
  }

  const NumberTable& table_;
  DensityColumn column_;
  DensityHeader words_;
  std::int64_t z_ = 0, density_ = 1;
};

}  // namespace

DensityTable density_of(const NumberTable& table, DensityColumn column) {
  return DensityReader(table, column).read();
}

}  // namespace logpx
