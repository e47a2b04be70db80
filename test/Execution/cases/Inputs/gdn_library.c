// The table of a library that holds the kernel gdn, for code that delta-compile
// did not link.
#include "deltanet-c/kernel_abi.h"

extern const dn_kernel_set dn_gdn;
static const dn_kernel_set *const kernels[] = {&dn_gdn};
static const dn_library library = {
    sizeof(dn_library), DN_ABI_MAJOR, DN_ABI_MINOR, 1, 0, kernels, "a test"};

const dn_library *dn_query(void) { return &library; }
