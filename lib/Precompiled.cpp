//===- Precompiled.cpp - Owner of the precompiled headers -----------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
