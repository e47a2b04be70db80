//===- Image.h - A variant's code as a module of a context ----------------===//
//
// Part of the Delta-Net project.
//
// A module, not a library of the driver (cuLibraryLoadData): a library belongs
// to all contexts, those of devices for which this image is none included, and
// may load its code into one as late as at the first launch there, which fails
// under capture. A module is loaded into the current context, its data at once
// and each function when it is asked for, so what a launch needs is there, or
// the error is, before the first one.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_RUNTIME_CUDA_IMAGE_H
#define DELTANET_RUNTIME_CUDA_IMAGE_H

#include "Context.h"

typedef struct dn_cuda_module {
  cu_module handle;
  char origin[160]; ///< which image it is of, and why that one
} dn_cuda_module;

/// Loads the cubin if there is one for the device and the driver takes it, else
/// the PTX. The device is that of the current context and runs the kernel.
dn_status dn_cuda_load_module(const cu_driver *driver,
                              const dn_cuda_device *device,
                              const dn_kernel *kernel, dn_cuda_module *out,
                              dn_message message);

#endif // DELTANET_RUNTIME_CUDA_IMAGE_H
