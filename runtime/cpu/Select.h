//===- Select.h - Choice of a variant, with its inputs made explicit ------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_RUNTIME_SELECT_H
#define DELTANET_RUNTIME_SELECT_H

#include "CpuFeatures.h"

/// dn_select on a given CPU under a given value of DELTANET_ISA; null or empty
/// means no cap.
dn_status dn_select_on(const dn_cpu_source *cpu, const char *cap,
                       const dn_kernel_set *set, dn_selection *out);

/// dn_isa_check on a given CPU under a given value of DELTANET_ISA.
dn_status dn_isa_check_on(const dn_cpu_source *cpu, const char *cap,
                          uint32_t isa, dn_message message);

#endif // DELTANET_RUNTIME_SELECT_H
