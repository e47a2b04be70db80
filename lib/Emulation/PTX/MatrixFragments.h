//===- MatrixFragments.h - Which lane holds which element -----------------===//
//
// Part of the Delta-Net project.
//
// PTX ISA, "Matrix Fragments for mma.m16n8k16 with floating point type" and the
// like. Lanes are in groups of four: a group has a row of A, C and D, and a
// column of B. All matrices have 16 rows or 8 columns in common:
// D (16 x 8) = A (16 x k) * B (k x 8) + C.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_EMULATION_PTX_MATRIXFRAGMENTS_H
#define DELTANET_LIB_EMULATION_PTX_MATRIXFRAGMENTS_H

namespace mlir::deltanet::ptx {

constexpr unsigned kRows = 16, kColumns = 8;

struct Element {
  unsigned row, column;
};

/// A lane's elements are numbered through its registers, lower halves first.
/// `perRegister` is 2 for elements of 16 bits and 1 for those of 32.
constexpr unsigned depthOf(unsigned lane, unsigned element,
                           unsigned perRegister, unsigned reg) {
  return lane % 4 * perRegister + element % perRegister + 4 * perRegister * reg;
}

/// Registers of A alternate between the upper and the lower eight rows.
constexpr Element elementOfA(unsigned lane, unsigned element,
                             unsigned perRegister) {
  unsigned reg = element / perRegister;
  return {lane / 4 + 8 * (reg % 2),
          depthOf(lane, element, perRegister, reg / 2)};
}

constexpr Element elementOfB(unsigned lane, unsigned element,
                             unsigned perRegister) {
  return {depthOf(lane, element, perRegister, element / perRegister), lane / 4};
}

/// C and D: four elements a lane, two of each row, whatever their size.
constexpr Element elementOfC(unsigned lane, unsigned element) {
  return {lane / 4 + 8 * (element / 2), lane % 4 * 2 + element % 2};
}

} // namespace mlir::deltanet::ptx

#endif // DELTANET_LIB_EMULATION_PTX_MATRIXFRAGMENTS_H
