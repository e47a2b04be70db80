//===- LaneArithmetic.h - Arithmetic on scalars or vectors ----------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_TRANSFORMS_LANEARITHMETIC_H
#define DELTANET_TRANSFORMS_LANEARITHMETIC_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mlir::deltanet {

/// Creates operations whose values have the shape of one given type: scalars,
/// or vectors of any rank.
class LaneArithmetic {
public:
  LaneArithmetic(OpBuilder &builder, Location loc, Type shape)
      : builder(builder), loc(loc), shape(dyn_cast<VectorType>(shape)) {}

  /// This shape of `element`.
  Type of(Type element) const {
    return shape ? Type(VectorType::get(shape.getShape(), element)) : element;
  }
  Type i16() const { return of(builder.getI16Type()); }
  Type i32() const { return of(builder.getI32Type()); }
  Type f32() const { return of(builder.getF32Type()); }

  Value real(float value) const {
    return splat(builder.getF32FloatAttr(value));
  }
  Value integer(uint32_t value) const {
    return splat(builder.getI32IntegerAttr(static_cast<int32_t>(value)));
  }

  template <typename OpTy, typename... Args>
  Value create(Args &&...args) const {
    return OpTy::create(builder, loc, std::forward<Args>(args)...);
  }
  Value bitcast(Type type, Value value) const {
    return create<arith::BitcastOp>(type, value);
  }
  Value shiftLeft(Value a, unsigned bits) const {
    return create<arith::ShLIOp>(a, integer(bits));
  }
  Value shiftRight(Value a, unsigned bits) const {
    return create<arith::ShRUIOp>(a, integer(bits));
  }
  Value add(Value a, Value b) const { return create<arith::AddIOp>(a, b); }
  Value bitAnd(Value a, uint32_t mask) const {
    return create<arith::AndIOp>(a, integer(mask));
  }
  Value bitOr(Value a, Value b) const { return create<arith::OrIOp>(a, b); }
  Value less(Value a, uint32_t b) const {
    return create<arith::CmpIOp>(arith::CmpIPredicate::ult, a, integer(b));
  }
  Value compare(arith::CmpFPredicate predicate, Value a, Value b) const {
    return create<arith::CmpFOp>(predicate, a, b);
  }
  Value select(Value condition, Value a, Value b) const {
    return create<arith::SelectOp>(condition, a, b);
  }

private:
  Value splat(TypedAttr value) const {
    if (shape)
      value = DenseElementsAttr::get(cast<ShapedType>(of(value.getType())),
                                     Attribute(value));
    return create<arith::ConstantOp>(value);
  }

  OpBuilder &builder;
  Location loc;
  VectorType shape; // null: scalars
};

} // namespace mlir::deltanet

#endif // DELTANET_TRANSFORMS_LANEARITHMETIC_H
