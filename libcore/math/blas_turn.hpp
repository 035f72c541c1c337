// OpenBLAS takes 128 MiB for each product that is under way, and where they are not to be had it
// asks for them again and again, for ever. Under a limit of memory (ulimit -v) a call therefore
// waits for its turn: as many are under way as found room once. Where none does, memory is out.
//
//   const BlasTurn turn(take_buffer);
//   multiply(a, b);   // by OpenBLAS
#pragma once

namespace logpx {

class BlasTurn {
 public:
  // The function makes a call that takes such a buffer, which OpenBLAS then keeps for others;
  // std::bad_alloc where there is no room for one.
  explicit BlasTurn(void (*take_buffer)());
  ~BlasTurn();
  BlasTurn(const BlasTurn&) = delete;
  BlasTurn& operator=(const BlasTurn&) = delete;
};

}  // namespace logpx
