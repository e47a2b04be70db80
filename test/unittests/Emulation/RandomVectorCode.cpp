//===- RandomVectorCode.cpp - Functions of random vector operations -------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "RandomVectorCode.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include <random>

using namespace mlir::deltanet::emulation;
using llvm::Value;
using llvm::Intrinsic::ID;

namespace {
/// Makes one function of operations on the values made so far, which begin as
/// the inputs.
class FunctionMaker {
public:
  FunctionMaker(llvm::Function &function, std::mt19937 &random)
      : builder(llvm::BasicBlock::Create(function.getContext(), "", &function)),
        random(random), in(function.getArg(0)), out(function.getArg(1)),
        count(function.getArg(2)) {
    llvm::Type *scalars[] = {builder.getFloatTy(), builder.getDoubleTy(),
                             builder.getHalfTy(),  builder.getInt32Ty(),
                             builder.getInt64Ty(), builder.getInt16Ty(),
                             builder.getInt8Ty()};
    for (llvm::Type *scalar : scalars)
      types.push_back(llvm::FixedVectorType::get(
          scalar, RandomVectorCode::lineBytes * 8 /
                      unsigned(scalar->getPrimitiveSizeInBits())));
    values.resize(types.size());
    for (unsigned i = 0; i < RandomVectorCode::elements; ++i)
      for (unsigned j = 0; j < RandomVectorCode::linesPerElement; ++j)
        values[i].push_back(builder.CreateAlignedLoad(
            types[i], lineAt(in, i * RandomVectorCode::linesPerElement + j),
            llvm::Align(1)));
  }

  void make(unsigned operations) {
    for (unsigned i = 0; i < operations; ++i) {
      unsigned element = pick(RandomVectorCode::elements);
      if (element <= RandomVectorCode::F16)
        addFloatOperation(element);
      else
        addIntegerOperation(element);
      addMovement(pick(RandomVectorCode::elements));
    }
    for (unsigned i = 0; i < RandomVectorCode::elements; ++i)
      for (unsigned j = 0; j < RandomVectorCode::linesPerElement; ++j)
        builder.CreateAlignedStore(
            values[i][values[i].size() - 1 - j],
            lineAt(out, i * RandomVectorCode::linesPerElement + j),
            llvm::Align(1));
    builder.CreateRetVoid();
  }

private:
  unsigned pick(unsigned below) { return random() % below; }
  Value *any(unsigned element) {
    return values[element][pick(values[element].size())];
  }
  void add(unsigned element, Value *value) { values[element].push_back(value); }

  Value *lineAt(Value *base, unsigned line) {
    return builder.CreateConstGEP1_32(builder.getInt8Ty(), base,
                                      line * RandomVectorCode::lineBytes);
  }

  Value *call(ID intrinsic, std::initializer_list<Value *> operands) {
    return builder.CreateIntrinsic((*operands.begin())->getType(), intrinsic,
                                   operands);
  }

  void addFloatOperation(unsigned element) {
    Value *a = any(element), *b = any(element), *c = any(element);
    switch (pick(12)) {
    case 0:
      return add(element, builder.CreateFAdd(a, b));
    case 1:
      return add(element, builder.CreateFSub(a, b));
    case 2:
      return add(element, builder.CreateFMul(a, b));
    case 3:
      return add(element, builder.CreateFDiv(a, b));
    case 4:
    case 5:
      // Half precision has no fused instruction on the other side.
      return element == RandomVectorCode::F16
                 ? add(element, builder.CreateFNeg(a))
                 : add(element, call(llvm::Intrinsic::fma, {a, b, c}));
    case 6:
      return add(element, call(llvm::Intrinsic::sqrt,
                               {call(llvm::Intrinsic::fabs, {a})}));
    case 7: {
      const ID kinds[] = {llvm::Intrinsic::floor, llvm::Intrinsic::ceil,
                          llvm::Intrinsic::trunc, llvm::Intrinsic::rint};
      return add(element, call(kinds[pick(4)], {a}));
    }
    case 8: {
      auto predicate = llvm::CmpInst::Predicate(
          llvm::CmpInst::FIRST_FCMP_PREDICATE + 1 + pick(14));
      return add(element, builder.CreateSelect(
                              builder.CreateFCmp(predicate, a, b), a, c));
    }
    case 9:
      return add(element, call(llvm::Intrinsic::copysign, {a, b}));
    default:
      return addConversion(element);
    }
  }

  /// From and to single precision and integers of its size.
  void addConversion(unsigned element) {
    using RVC = RandomVectorCode;
    llvm::Type *f32 = types[RVC::F32], *i32 = types[RVC::I32];
    Value *x = any(RVC::F32);
    switch (element) {
    case RVC::F32:
      switch (pick(3)) {
      case 0:
        return add(RVC::F32, builder.CreateSIToFP(any(RVC::I32), f32));
      case 1:
        return add(RVC::I32, builder.CreateIntrinsic(
                                 llvm::Intrinsic::fptosi_sat, {i32, f32}, {x}));
      default: {
        auto *bf16 = llvm::FixedVectorType::get(builder.getBFloatTy(), 16);
        return add(RVC::F32,
                   builder.CreateFPExt(builder.CreateFPTrunc(x, bf16), f32));
      }
      }
    case RVC::F64: {
      auto *eight = llvm::FixedVectorType::get(builder.getFloatTy(), 8);
      return add(RVC::F64, builder.CreateFPExt(
                               builder.CreateFPTrunc(any(RVC::F64), eight),
                               types[RVC::F64]));
    }
    default: {
      auto *f16 = llvm::FixedVectorType::get(builder.getHalfTy(), 16);
      return add(RVC::F32,
                 builder.CreateFPExt(builder.CreateFPTrunc(x, f16), f32));
    }
    }
  }

  void addIntegerOperation(unsigned element) {
    Value *a = any(element), *b = any(element), *c = any(element);
    unsigned bits = types[element]->getScalarSizeInBits();
    Value *amount =
        builder.CreateAnd(b, llvm::ConstantInt::get(types[element], bits - 1));
    switch (pick(14)) {
    case 0:
      return add(element, builder.CreateAdd(a, b));
    case 1:
      return add(element, builder.CreateSub(a, b));
    case 2:
      return add(element, builder.CreateMul(a, b));
    case 3:
      return add(element, builder.CreateAnd(builder.CreateNot(a), b));
    case 4:
      return add(element, builder.CreateXor(builder.CreateOr(a, b), c));
    case 5:
      return add(element, builder.CreateShl(a, amount));
    case 6:
      return add(element, builder.CreateLShr(a, amount));
    case 7:
      return add(element, builder.CreateAShr(a, amount));
    case 8: {
      auto predicate = llvm::CmpInst::Predicate(
          llvm::CmpInst::FIRST_ICMP_PREDICATE + pick(10));
      return add(element, builder.CreateSelect(
                              builder.CreateICmp(predicate, a, b), a, c));
    }
    case 9: {
      const ID kinds[] = {llvm::Intrinsic::smin,     llvm::Intrinsic::smax,
                          llvm::Intrinsic::umin,     llvm::Intrinsic::umax,
                          llvm::Intrinsic::sadd_sat, llvm::Intrinsic::usub_sat};
      return add(element, call(kinds[pick(6)], {a, b}));
    }
    case 10:
      return add(element, call(llvm::Intrinsic::ctpop, {a}));
    case 11:
      return add(element, call(llvm::Intrinsic::fshl, {a, a, amount}));
    case 12: {
      const ID kinds[] = {llvm::Intrinsic::vector_reduce_add,
                          llvm::Intrinsic::vector_reduce_xor,
                          llvm::Intrinsic::vector_reduce_smax};
      Value *sum =
          builder.CreateIntrinsic(kinds[pick(3)], {types[element]}, {a});
      return add(element, builder.CreateInsertElement(b, sum, uint64_t(1)));
    }
    default: {
      auto *narrow = llvm::FixedVectorType::get(builder.getInt8Ty(), 16);
      Value *truncated =
          builder.CreateTrunc(any(RandomVectorCode::I32), narrow);
      llvm::Type *wide = types[RandomVectorCode::I32];
      return add(RandomVectorCode::I32,
                 pick(2) ? builder.CreateSExt(truncated, wide)
                         : builder.CreateZExt(truncated, wide));
    }
    }
  }

  /// Moves elements between lanes, or to and from memory.
  void addMovement(unsigned element) {
    llvm::FixedVectorType *type = types[element];
    unsigned lanes = type->getNumElements();
    Value *a = any(element), *b = any(element);
    switch (pick(6)) {
    case 0:
    case 1: {
      llvm::SmallVector<int> mask;
      for (unsigned i = 0; i < lanes; ++i)
        mask.push_back(int(pick(2 * lanes)));
      return add(element, builder.CreateShuffleVector(a, b, mask));
    }
    case 2: {
      // Neighbours, rotated: what has shorter instructions.
      llvm::SmallVector<int> mask;
      unsigned by = pick(2 * lanes);
      for (unsigned i = 0; i < lanes; ++i)
        mask.push_back(int((i + by) % (2 * lanes)));
      return add(element, builder.CreateShuffleVector(a, b, mask));
    }
    case 3: {
      Value *lane = builder.CreateExtractElement(a, uint64_t(pick(lanes)));
      return add(element, builder.CreateVectorSplat(lanes, lane));
    }
    case 4: {
      unsigned line =
          pick(RandomVectorCode::elements * RandomVectorCode::linesPerElement);
      return add(element, builder.CreateMaskedLoad(type, lineAt(in, line),
                                                   llvm::Align(1),
                                                   activeLanes(lanes), a));
    }
    default: {
      unsigned line =
          RandomVectorCode::elements * RandomVectorCode::linesPerElement +
          pick(RandomVectorCode::storedLines);
      builder.CreateMaskedStore(a, lineAt(out, line), llvm::Align(1),
                                activeLanes(lanes));
    }
    }
  }

  Value *activeLanes(unsigned lanes) {
    auto *type = llvm::FixedVectorType::get(builder.getInt1Ty(), lanes);
    return builder.CreateIntrinsic(llvm::Intrinsic::get_active_lane_mask,
                                   {type, builder.getInt64Ty()},
                                   {builder.getInt64(0), count});
  }

  llvm::IRBuilder<> builder;
  std::mt19937 &random;
  Value *in, *out, *count;
  std::vector<llvm::FixedVectorType *> types;
  std::vector<std::vector<Value *>> values; ///< by element
};
} // namespace

std::unique_ptr<llvm::Module> RandomVectorCode::make(llvm::LLVMContext &context,
                                                     uint32_t seed,
                                                     unsigned functions) {
  auto module = std::make_unique<llvm::Module>("random", context);
  std::mt19937 random(seed);
  auto *pointer = llvm::PointerType::get(context, 0);
  auto *type = llvm::FunctionType::get(
      llvm::Type::getVoidTy(context),
      {pointer, pointer, llvm::Type::getInt64Ty(context)}, /*isVarArg=*/false);
  for (unsigned i = 0; i < functions; ++i) {
    auto *function =
        llvm::Function::Create(type, llvm::Function::ExternalLinkage,
                               "f" + std::to_string(i), module.get());
    function->addFnAttr("prefer-vector-width", "512");
    // Results of masked accesses must not depend on what overlaps.
    function->addParamAttr(0, llvm::Attribute::NoAlias);
    function->addParamAttr(1, llvm::Attribute::NoAlias);
    FunctionMaker(*function, random).make(/*operations=*/14);
  }
  return module;
}
