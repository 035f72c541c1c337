#include "libcore/families/arm/networks/order_net.hpp"

#include "libcore/base/error.hpp"

namespace logpx::arm {

std::unique_ptr<const OrderNet> make_net(const Site& site, const NetForm& form) {
  switch (form.options.kind) {
    case NetKind::mlp: return dense_net(site, form);
    case NetKind::unet: return picture_net(site, form);
    case NetKind::tabular: return table_net(site, form);
    case NetKind::automatic: break;
  }
  LOGPX_ASSERT(false);
  return nullptr;
}

}  // namespace logpx::arm
