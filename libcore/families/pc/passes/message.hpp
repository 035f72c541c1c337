// Messages that a block sends up, and slopes that come back down, for a batch of columns: states
// are rows and columns lie along them, [size, columns].
//
// A column stands for y 2^exponent, where max y lies between 1/2 and 1 after every product. Scales
// are powers of two, so scaling is exact and needs neither logarithms nor exponentials.
// [pc/README 5]
#pragma once

#include "libcore/families/pc/circuit/columns.hpp"
#include "libcore/families/pc/passes/plan.hpp"
#include "libcore/math/repeatable.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx::pc {

template <typename T>
struct Message {
  T* y = nullptr;                       // [size, columns]: in `own`, or what a chain carries
  std::int64_t* exponent = nullptr;     // [columns]
  std::vector<T> own = {}, slope = {};  // slope: d log p / d y, exponents held fixed
  std::vector<std::int64_t> own_exponent = {};
  bool sloped = false;  // something was added to slope
  // What the way back needs: for a sum its children one behind the other and the vectors between
  // its layers, for a product its partial products; and the factors of each scaling.
  std::vector<T> input = {}, inner = {}, factors = {};
  std::vector<std::int64_t> input_exponent = {};
};

template <typename T>
class FewColumns;
template <typename T>
class PrunedStates;

// Values that are not observed are summed out, or replaced by the most probable ones.
enum class Over { sums, largest };

// Whether the parts that the root sums learn what the whole is to learn, or each by itself.
enum class Parts { mixed, alone };

// What the blocks of one pass work with.
template <typename T>
struct Work {
  const PassPlan& plan;
  std::span<const T> theta;
  std::span<T> slopes;  // d log p / d theta, summed over columns; empty: not wanted
  std::int64_t columns = 0;
  std::vector<Message<T>>& messages;
  std::span<T> room;     // scratch of the sums' maps
  std::span<T> scratch;  // slopes of a block's inputs, [PassPlan::widest, columns]
  Over over = Over::sums;
  Parts parts = Parts::mixed;
  const std::int32_t* styles = nullptr;  // by column; null where there are none
  // Columns of a row, one for each style where it is not known, and the share of each:
  // p(style | x), or, for Over::largest, p over that of the most probable style.
  std::int64_t columns_of_row = 1;
  std::span<const double> shares = {};
  // Computes once what columns have in common; null if every column is computed by itself.
  FewColumns<T>* few = nullptr;
  // Leaves out small states; null if all count.
  PrunedStates<T>* pruned = nullptr;

  [[nodiscard]] Message<T>& of(int b) const { return messages[static_cast<std::size_t>(b)]; }
  [[nodiscard]] const T* parameters(int b, std::size_t tensor = 0) const {
    return plan.values(b, tensor, theta);
  }
  [[nodiscard]] T* parameter_slopes(int b, std::size_t tensor = 0) const {
    return plan.values(b, tensor, slopes);
  }
  // Distance between the parameters of a leaf in one style and the next; 0: it has no styles.
  [[nodiscard]] std::int64_t style_stride(int b) const {
    const BlockRange all = plan.range(b, 0);
    return plan.block(b).styled ? (all.end - all.begin) / plan.circuit().styles : 0;
  }
};

// Upper limit of slopes: larger ones belong to states that vanish beside the column's largest.
template <typename T>
inline constexpr T largest_slope = sizeof(T) == sizeof(float) ? static_cast<T>(1e30) : T(1e290);

// Scales the columns of y [rows, columns] by powers of two, stores these in factors [columns], and
// adds what they take out to the exponents. Columns of zeros stay.
template <typename T>
void rescale(std::span<T> y, std::span<T> factors, std::int64_t* exponent);

// Messages go up from the children's to the block's. Slopes go down: the block's slope adds to
// those of its children and to the slopes of its parameters.
template <typename T>
void indicator_message(const Work<T>& work, int b, const ColumnValues& values);
template <typename T>
void leaf_message(const Work<T>& work, int b, const ColumnValues& values);
template <typename T>
void leaf_slopes(const Work<T>& work, int b, const std::int32_t* x);
// The same for leaves that are not tables; their slopes are expected statistics of nodes.
template <typename T>
void density_message(const Work<T>& work, int b, const ColumnValues& values);
template <typename T>
void density_slopes(const Work<T>& work, int b, const ColumnValues& values);
template <typename T>
void sum_message(const Work<T>& work, int b);
// Calls the one of these three that fits the block.
template <typename T>
void leaf_or_sum_message(const Work<T>& work, int b, const ColumnValues& values);
template <typename T>
void sum_slopes(const Work<T>& work, int b);
template <typename T>
void mixing_message(const Work<T>& work, int b);
template <typename T>
void mixing_slopes(const Work<T>& work, int b);
template <typename T>
void product_message(const Work<T>& work, int b);
template <typename T>
void product_slopes(const Work<T>& work, int b);

// The same for leaves of one variable whose region is known.
template <typename T>
void region_message(const Work<T>& work, int b, const ColumnValues& values);

// The same for leaves of several variables.
template <typename T>
void joint_message(const Work<T>& work, int b, const StepColumns& values);
template <typename T>
void joint_slopes(const Work<T>& work, int b, const StepColumns& values);
// From log-densities of some columns under each node, [nodes, some], what a leaf says there: the
// largest of a column gives its exponent.
template <typename T>
void scale_logs(std::span<const std::int64_t> some, std::span<const double> nats,
                std::int64_t nodes, std::int64_t columns, Message<T>& message);
// Probabilities of all categories under the nodes of a leaf, [size, categories], for each style if
// it is styled; empty for a real variable.
template <typename T>
[[nodiscard]] std::vector<double> leaf_tables(const Work<T>& work, int b);

// Makes room for a message and never shrinks it: the same memory serves batch after batch.
struct MessageSize {
  std::int64_t columns = 0;
  bool keeps = false;  // also what a way back needs
};
template <typename T>
void size_message(const PassPlan& plan, int b, const MessageSize& size, Message<T>& message);
// A block's slope, set to zero when nothing has been added to it yet.
template <typename T>
[[nodiscard]] T* slope_of(Message<T>& message);

}  // namespace logpx::pc
