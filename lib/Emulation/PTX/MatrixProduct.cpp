//===- MatrixProduct.cpp - Products of matrices by a warp -----------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "HalfFloats.h"
#include "MatrixFragments.h"

using namespace mlir::deltanet::ptx;

namespace {

/// The elements of a register.
template <typename Number> struct Pairs {
  static constexpr unsigned perRegister = 2;
  DELTANET_PTX_INLINE static float element(uint32_t bits, unsigned number) {
    return Number::toFloat(uint16_t(bits >> (16 * number)));
  }
};
/// Of a TF32 the last 13 bits mean nothing.
struct Singles {
  static constexpr unsigned perRegister = 1;
  DELTANET_PTX_INLINE static float element(uint32_t bits, unsigned) {
    return bitCast<float>(bits & ~uint32_t(0x1FFF));
  }
};

using Accumulators = float[kRows][kColumns];

/// Accumulators of four floats a lane.
struct Floats {
  static constexpr unsigned registers = 4;

  DELTANET_PTX_INLINE static void gather(Warp &warp, const Register *regs,
                                         Accumulators &c) {
    for (unsigned element = 0; element < registers; ++element) {
      const Lanes<float> values = load<float>(warp, regs[element]);
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        Element place = elementOfC(lane, element);
        c[place.row][place.column] = values[lane];
      }
    }
  }
  DELTANET_PTX_INLINE static void scatter(Warp &warp, const Register *regs,
                                          const Accumulators &c) {
    for (unsigned element = 0; element < registers; ++element) {
      Lanes<float> values;
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        Element place = elementOfC(lane, element);
        values[lane] = c[place.row][place.column];
      }
      store(warp, regs[element], kAllLanes, values);
    }
  }
};

/// Accumulators of four halves a lane. The sum is rounded to them once.
struct Halves {
  static constexpr unsigned registers = 2;

  DELTANET_PTX_INLINE static void gather(Warp &warp, const Register *regs,
                                         Accumulators &c) {
    for (unsigned reg = 0; reg < registers; ++reg) {
      const Lanes<uint32_t> values = load<uint32_t>(warp, regs[reg]);
      for (unsigned lane = 0; lane < kLanes; ++lane)
        for (unsigned half = 0; half < 2; ++half) {
          Element place = elementOfC(lane, 2 * reg + half);
          c[place.row][place.column] = Pairs<F16>::element(values[lane], half);
        }
    }
  }
  DELTANET_PTX_INLINE static void scatter(Warp &warp, const Register *regs,
                                          const Accumulators &c) {
    for (unsigned reg = 0; reg < registers; ++reg) {
      Lanes<uint32_t> values;
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        Element place = elementOfC(lane, 2 * reg);
        const float *pair = &c[place.row][place.column];
        values[lane] =
            uint32_t(F16::fromFloat(pair[1])) << 16 | F16::fromFloat(pair[0]);
      }
      store(warp, regs[reg], kAllLanes, values);
    }
  }
};

template <typename Operand, typename Sums, unsigned depth> struct Product {
  static constexpr unsigned perRegister = Operand::perRegister;
  static constexpr unsigned registersOfA = kRows * depth / kLanes / perRegister;
  static constexpr unsigned registersOfB =
      kColumns * depth / kLanes / perRegister;

  DELTANET_PTX_INLINE static Step
  run(Warp &warp, const Instruction &instruction, LaneMask mask) {
    if (!warp.isConverged(mask, "product of matrices"))
      return warp.whileApart;
    if (mask != kAllLanes)
      return warp.fault(FindingKind::Divergence, __builtin_ctz(mask),
                        "product of matrices by a warp without some threads");
    const Register *sources = instruction.sources.data();
    float a[kRows][depth], b[depth][kColumns];
    Accumulators c;
    for (unsigned reg = 0; reg < registersOfA; ++reg) {
      const Lanes<uint32_t> bits = load<uint32_t>(warp, sources[reg]);
      for (unsigned number = 0; number < perRegister; ++number)
        for (unsigned lane = 0; lane < kLanes; ++lane) {
          Element place =
              elementOfA(lane, reg * perRegister + number, perRegister);
          a[place.row][place.column] = Operand::element(bits[lane], number);
        }
    }
    sources += registersOfA;
    for (unsigned reg = 0; reg < registersOfB; ++reg) {
      const Lanes<uint32_t> bits = load<uint32_t>(warp, sources[reg]);
      for (unsigned number = 0; number < perRegister; ++number)
        for (unsigned lane = 0; lane < kLanes; ++lane) {
          Element place =
              elementOfB(lane, reg * perRegister + number, perRegister);
          b[place.row][place.column] = Operand::element(bits[lane], number);
        }
    }
    Sums::gather(warp, sources + registersOfB, c);
    // In which order tensor cores add, and how they round, is not documented:
    // here each product is added by a fused operation, one after the other.
    for (unsigned row = 0; row < kRows; ++row)
      for (unsigned k = 0; k < depth; ++k)
        for (unsigned column = 0; column < kColumns; ++column)
          c[row][column] =
              __builtin_fmaf(a[row][k], b[k][column], c[row][column]);
    Sums::scatter(warp, instruction.results.data(), c);
    return Step::Next;
  }
};

struct Form {
  Type operands, sums;
  unsigned depth;
  unsigned registersOfA, registersOfB, registersOfC;
  Execute execute;
};

template <typename Operand, typename Sums, unsigned depth>
Form makeForm(Type operands, Type sums) {
  using Own = Product<Operand, Sums, depth>;
  return {operands,
          sums,
          depth,
          Own::registersOfA,
          Own::registersOfB,
          Sums::registers,
          fastest<Own>()};
}

const Form *findForm(Type operands, Type sums, unsigned depth) {
  static const Form forms[] = {
      makeForm<Pairs<BF16>, Floats, 16>(Type::BF16, Type::F32),
      makeForm<Pairs<BF16>, Floats, 8>(Type::BF16, Type::F32),
      makeForm<Pairs<F16>, Floats, 16>(Type::F16, Type::F32),
      makeForm<Pairs<F16>, Floats, 8>(Type::F16, Type::F32),
      makeForm<Pairs<F16>, Halves, 16>(Type::F16, Type::F16),
      makeForm<Pairs<F16>, Halves, 8>(Type::F16, Type::F16),
      makeForm<Singles, Floats, 8>(Type::TF32, Type::F32),
      makeForm<Singles, Floats, 4>(Type::TF32, Type::F32),
  };
  for (const Form &form : forms)
    if (form.operands == operands && form.sums == sums && form.depth == depth)
      return &form;
  return nullptr;
}

} // namespace

void mlir::deltanet::ptx::decodeMatrixProduct(Decoder &decoder) {
  constexpr unsigned depths[] = {16, 8, 4, 0};
  if (!decoder.take("sync") || !decoder.take("aligned") ||
      !decoder.take("row") || !decoder.take("col"))
    return decoder.failUnknown();
  unsigned depth =
      depths[decoder.takeOneOf({"m16n8k16", "m16n8k8", "m16n8k4"}, 3)];
  Type c = decoder.takeType(), b = decoder.takeType();
  Type a = decoder.takeType(), d = decoder.takeType();
  const Form *form = a == b && c == d ? findForm(a, c, depth) : nullptr;
  if (!form)
    return decoder.failUnknown();
  Type sums = c == Type::F16 ? Type::B32 : Type::F32;
  unsigned results = decoder.addResults(sums);
  unsigned ofA = decoder.addSources(Type::B32);
  unsigned ofB = decoder.addSources(Type::B32);
  unsigned ofC = decoder.addSources(sums);
  if (results != form->registersOfC || ofA != form->registersOfA ||
      ofB != form->registersOfB || ofC != form->registersOfC)
    return decoder.fail("expected fragments of " +
                        llvm::Twine(form->registersOfC) + ", " +
                        llvm::Twine(form->registersOfA) + ", " +
                        llvm::Twine(form->registersOfB) + " and " +
                        llvm::Twine(form->registersOfC) + " registers");
  decoder.setExecute(form->execute);
}
