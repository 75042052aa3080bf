// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/hdf5_handle.h"

#include <hdf5.h>
#include <type_traits>

namespace firstbad::core {

static_assert(std::is_same_v<hid_t, Hdf5Handle::Id> && std::is_same_v<herr_t, int>);

std::string hdf5Reason()
{
    std::string reason = "no reason given";
    H5Ewalk2(
        H5E_DEFAULT, H5E_WALK_DOWNWARD,
        [](unsigned, const H5E_error2_t* error, void* out) -> herr_t {
            if (error->desc != nullptr)
                *static_cast<std::string*>(out) = error->desc;
            return 0;
        },
        &reason);
    return reason;
}

}  // namespace firstbad::core
