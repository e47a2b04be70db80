//===- FragmentOps.td - All operations of the dialect -------*- tablegen -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef FRAGMENT_OPS
#define FRAGMENT_OPS

include "fragment/FragmentMatrixOps.td"
include "fragment/FragmentMemoryOps.td"
include "fragment/FragmentRegisterOps.td"
include "fragment/FragmentSharedOps.td"

#endif // FRAGMENT_OPS
