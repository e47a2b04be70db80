//===- SequenceDomain.cpp - Sequences and heads of a delta rule -----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "SequenceDomain.h"

using namespace mlir;
using namespace mlir::deltanet;

static Value constantIndex(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

Value SequenceDomain::getSequenceCount(OpBuilder &builder) {
  Location loc = rule.getLoc();
  Value one = constantIndex(builder, loc, 1);
  Value cu = rule.getCuSeqlens();
  if (!cu)
    return one;
  Value entries = tensor::DimOp::create(builder, loc, cu, 0);
  return arith::SubIOp::create(builder, loc, entries, one);
}

Value SequenceDomain::getTokenCount(OpBuilder &builder) {
  return tensor::DimOp::create(builder, rule.getLoc(), rule.getQ(), 0);
}

SequenceTokens SequenceDomain::getTokens(OpBuilder &builder, Value n) {
  Location loc = rule.getLoc();
  Value cu = rule.getCuSeqlens();
  if (!cu)
    return {constantIndex(builder, loc, 0), getTokenCount(builder)};
  Value next =
      arith::AddIOp::create(builder, loc, n, constantIndex(builder, loc, 1));
  auto load = [&](Value position) -> Value {
    Value entry = tensor::ExtractOp::create(builder, loc, cu, position);
    return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                      entry);
  };
  Value begin = load(n), end = load(next);
  return {begin, arith::SubIOp::create(builder, loc, end, begin)};
}

Value SequenceDomain::isServed(OpBuilder &builder, ScheduleAttr schedule,
                               Value length) {
  Location loc = rule.getLoc();
  Value served;
  auto require = [&](arith::CmpIPredicate predicate, int64_t bound) {
    Value test = arith::CmpIOp::create(builder, loc, predicate, length,
                                       constantIndex(builder, loc, bound));
    served = served ? arith::AndIOp::create(builder, loc, served, test) : test;
  };
  if (schedule.getMinTokens() > 0)
    require(arith::CmpIPredicate::sge, schedule.getMinTokens());
  if (schedule.getMaxTokens() != ScheduleAttr::kUnbounded)
    require(arith::CmpIPredicate::sle, schedule.getMaxTokens());
  return served;
}

Value SequenceDomain::getValueHead(OpBuilder &builder, Value h, Value x) {
  Location loc = rule.getLoc();
  auto [first, distance] = getGroup(builder, h);
  Value offset = arith::MulIOp::create(builder, loc, x,
                                       constantIndex(builder, loc, distance));
  return arith::AddIOp::create(builder, loc, first, offset);
}

std::pair<Value, int64_t> SequenceDomain::getGroup(OpBuilder &builder,
                                                   Value h) {
  if (rule.getHeadMap() == HeadMap::Tiled)
    return {h, rule.getH()};
  Location loc = rule.getLoc();
  Value size = constantIndex(builder, loc, rule.getGroupSize());
  return {arith::MulIOp::create(builder, loc, h, size), 1};
}
