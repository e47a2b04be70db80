//===- Atomic.cpp - Atomic changes of memory ------------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "CacheHints.h"
#include "Decoder.h"
#include "HalfFloats.h"
#include "MemoryAccess.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>

using namespace mlir::deltanet::ptx;

namespace {
// What an operation makes of the old value: apply(old, operand, second).
struct Add {
  template <typename T> static T apply(T old, T operand, T) {
    return old + operand;
  }
};
struct Min {
  template <typename T> static T apply(T old, T operand, T) {
    return std::min(old, operand);
  }
};
struct Max {
  template <typename T> static T apply(T old, T operand, T) {
    return std::max(old, operand);
  }
};
struct Exchange {
  template <typename T> static T apply(T, T operand, T) { return operand; }
};
struct CompareAndSwap {
  template <typename T> static T apply(T old, T expected, T value) {
    return old == expected ? value : old;
  }
};
struct And {
  template <typename T> static T apply(T old, T operand, T) {
    return old & operand;
  }
};
struct Or {
  template <typename T> static T apply(T old, T operand, T) {
    return old | operand;
  }
};
struct Xor {
  template <typename T> static T apply(T old, T operand, T) {
    return old ^ operand;
  }
};
struct Increment {
  template <typename T> static T apply(T old, T last, T) {
    return old >= last ? 0 : old + 1;
  }
};
struct Decrement {
  template <typename T> static T apply(T old, T first, T) {
    return old == 0 || old > first ? first : old - 1;
  }
};

template <typename T> T fromBits(uint64_t bits) {
  T value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
template <typename T> uint64_t toBits(T value) {
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}

/// Additions of f32 to global memory flush subnormal numbers, those to shared
/// memory do not (PTX ISA, "atom").
struct FlushingAdd {
  static float flush(float value) {
    return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0f, value)
                                                  : value;
  }
  static float apply(float old, float operand, float) {
    return flush(flush(old) + flush(operand));
  }
};

/// Additions of 16-bit floats, and of pairs of them: a pair is
/// accessed at once here, though the ISA promises that of its halves alone.
template <typename Number> struct HalfAdd {
  static uint16_t apply(uint16_t old, uint16_t operand, uint16_t) {
    return fromDouble<Number>(
        addToOdd(Number::toFloat(old), Number::toFloat(operand)));
  }
  static uint32_t apply(uint32_t old, uint32_t operand, uint32_t) {
    auto half = [&](unsigned shift) {
      return uint32_t(apply(uint16_t(old >> shift), uint16_t(operand >> shift),
                            uint16_t()))
             << shift;
    };
    return half(16) | half(0);
  }
};

template <typename Operation, typename T>
void change(Warp &warp, const Instruction &instruction, LaneMask mask,
            const Lanes<char *> &pointers) {
  forEachLane(mask, [&](unsigned lane) {
    auto operand = [&](unsigned number) {
      return number < instruction.sources.size()
                 ? fromBits<T>(warp.value(instruction.sources[number], lane))
                 : T();
    };
    T old;
    std::memcpy(&old, pointers[lane], sizeof old);
    T value = Operation::apply(old, operand(1), operand(2));
    std::memcpy(pointers[lane], &value, sizeof value);
    if (instruction.results.empty())
      return;
    Register result = instruction.results[0];
    if (result.file == RegisterFile::Bits64)
      warp.bits64(result)[lane] = toBits(old);
    else
      warp.bits32(result)[lane] = uint32_t(toBits(old));
  });
}

template <typename Operation, typename T>
Step execute(Warp &warp, const Instruction &instruction, LaneMask mask) {
  MemoryAccess access{
      instruction.space, AccessKind::Atomic, sizeof(T), mask,
      addressesOf(warp, instruction.sources[0], instruction.offset)};
  Lanes<char *> pointers;
  if (!resolve(warp, access, pointers))
    return Step::Faulted;
  if constexpr (std::is_same_v<Operation, Add> && std::is_same_v<T, float>) {
    LaneMask shared = instruction.space == Space::Shared ? mask : 0;
    if (instruction.space == Space::Generic)
      forEachLane(mask, [&](unsigned lane) {
        shared |= LaneMask(isInWindow(access.addresses[lane], kSharedWindow))
                  << lane;
      });
    change<FlushingAdd, T>(warp, instruction, mask & ~shared, pointers);
    mask = shared;
  }
  change<Operation, T>(warp, instruction, mask, pointers);
  return Step::Next;
}

Execute findAdd(Type type) {
  switch (type) {
  case Type::U32:
  case Type::S32:
    return execute<Add, uint32_t>;
  case Type::U64:
    return execute<Add, uint64_t>;
  case Type::F32:
    return execute<Add, float>;
  case Type::F64:
    return execute<Add, double>;
  default:
    return nullptr;
  }
}

/// Those that keep subnormal numbers.
Execute findHalfAdd(Type type) {
  switch (type) {
  case Type::F16:
    return execute<HalfAdd<F16>, uint16_t>;
  case Type::BF16:
    return execute<HalfAdd<BF16>, uint16_t>;
  case Type::F16x2:
    return execute<HalfAdd<F16>, uint32_t>;
  case Type::BF16x2:
    return execute<HalfAdd<BF16>, uint32_t>;
  default:
    return nullptr;
  }
}

template <typename Operation> Execute findOrder(Type type) {
  switch (type) {
  case Type::U32:
    return execute<Operation, uint32_t>;
  case Type::S32:
    return execute<Operation, int32_t>;
  case Type::U64:
    return execute<Operation, uint64_t>;
  case Type::S64:
    return execute<Operation, int64_t>;
  default:
    return nullptr;
  }
}

template <typename Operation> Execute findBits(Type type) {
  return type == Type::B32   ? execute<Operation, uint32_t>
         : type == Type::B64 ? execute<Operation, uint64_t>
                             : nullptr;
}

template <typename Operation> Execute findCounting(Type type) {
  return type == Type::U32 ? execute<Operation, uint32_t> : nullptr;
}

struct OperationName {
  llvm::StringRef word;
  Execute (*find)(Type);
};
constexpr OperationName kOperations[] = {
    {"add", findAdd},
    {"min", findOrder<Min>},
    {"max", findOrder<Max>},
    {"exch", findBits<Exchange>},
    {"cas", findBits<CompareAndSwap>},
    {"and", findBits<And>},
    {"or", findBits<Or>},
    {"xor", findBits<Xor>},
    {"inc", findCounting<Increment>},
    {"dec", findCounting<Decrement>},
};
} // namespace

void mlir::deltanet::ptx::decodeAtomic(Decoder &decoder) {
  Instruction &own = *decoder.instruction;
  own.space = takeSpace(decoder);
  if (own.space == Space::Local)
    return decoder.failUnknown();
  takeOrder(decoder);
  bool hasPolicy = takeCacheHints(decoder);
  const OperationName *operation =
      llvm::find_if(kOperations, [&](const OperationName &each) {
        return decoder.take(each.word);
      });
  if (operation == std::end(kOperations))
    return decoder.failUnknown();
  Type type = decoder.takeType();
  Execute execute = decoder.take("noftz")
                        ? operation->word == "add" ? findHalfAdd(type) : nullptr
                        : operation->find(type);
  bool hasResult = decoder.is("atom");
  bool isSwap = operation->word == "cas",
       isExchange = operation->word == "exch";
  if (!execute || (!hasResult && (isSwap || isExchange)))
    return decoder.failUnknown();
  own.elementBytes = bitsOf(type) / 8;
  if (hasResult)
    decoder.addResult(type);
  decoder.addAddress(own.offset);
  decoder.addSource(type);
  if (isSwap)
    decoder.addSource(type);
  if (hasPolicy)
    decoder.addSource(Type::B64);
  decoder.setExecute(execute);
}
