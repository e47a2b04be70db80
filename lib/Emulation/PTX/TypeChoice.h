//===- TypeChoice.h - One operation for each of some types ----------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_EMULATION_PTX_TYPECHOICE_H
#define DELTANET_LIB_EMULATION_PTX_TYPECHOICE_H

#include "Elementwise.h"

namespace mlir::deltanet::ptx {

/// The integers that hold values of a type.
template <Type type> struct IntegerOf;
template <> struct IntegerOf<Type::B16> {
  using type = uint16_t;
};
template <> struct IntegerOf<Type::B32> {
  using type = uint32_t;
};
template <> struct IntegerOf<Type::B64> {
  using type = uint64_t;
};
template <> struct IntegerOf<Type::U16> {
  using type = uint16_t;
};
template <> struct IntegerOf<Type::U32> {
  using type = uint32_t;
};
template <> struct IntegerOf<Type::U64> {
  using type = uint64_t;
};
template <> struct IntegerOf<Type::S16> {
  using type = int16_t;
};
template <> struct IntegerOf<Type::S32> {
  using type = int32_t;
};
template <> struct IntegerOf<Type::S64> {
  using type = int64_t;
};

/// Operation<T>::apply for the integers T of `type`, or null if it is none of
/// `types`.
template <template <typename> class Operation, Type... types>
Execute chooseAmong(Type type) {
  Execute found = nullptr;
  auto choose = [&](bool isIt, Execute execute) {
    if (isIt)
      found = execute;
  };
  (choose(type == types,
          elementwise<Operation<typename IntegerOf<types>::type>::apply>()),
   ...);
  return found;
}

} // namespace mlir::deltanet::ptx

#endif // DELTANET_LIB_EMULATION_PTX_TYPECHOICE_H
