//===- Decoder.h - From the words of an instruction to its meaning --------===//
//
// Part of the Delta-Net project.
//
// The decoder of a family of instructions takes the words after the mnemonic,
// asks for operands and gives the function that executes them. Words and
// operands that nobody took are errors: nothing is skipped. Only the first
// error of a module is reported, so families need not look for errors.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_EMULATION_PTX_DECODER_H
#define DELTANET_LIB_EMULATION_PTX_DECODER_H

#include "Instruction.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Twine.h"

namespace mlir::deltanet::ptx {

/// Types of operands. B: bits without a meaning.
enum class Type : uint8_t {
  None,
  Pred,
  B8,
  B16,
  B32,
  B64,
  U8,
  U16,
  U32,
  U64,
  S8,
  S16,
  S32,
  S64,
  F16,
  BF16,
  TF32,
  F32,
  F64,
  F16x2,
  BF16x2
};

/// 1 for Pred, 32 for TF32 and the pairs, 0 for None.
unsigned bitsOf(Type type);
bool isSigned(Type type);
bool isFloat(Type type);

class Decoder {
public:
  Decoder(Kernel &kernel, llvm::StringRef fileName);

  /// Decodes one more instruction of the kernel. False after an error.
  bool decode(const InstructionSyntax &syntax);
  llvm::Error takeError();

  /// Whether this is the mnemonic.
  bool is(llvm::StringRef mnemonic) const {
    return syntax->words[0] == mnemonic;
  }

  /// Words after the mnemonic, in any order. take() is true, and the word is
  /// taken, if it is there and was not taken.
  bool take(llvm::StringRef word);
  /// The first of these words that is there: its index, or `absent`.
  unsigned takeOneOf(llvm::ArrayRef<llvm::StringRef> words, unsigned absent);
  /// The last word that was not taken, which must be a type.
  Type takeType();

  /// Operands from left to right. A result or source lies in the register file
  /// of its type; a source may be a constant.
  void addResult(Type type);
  void addSource(Type type);
  /// Of conversions, loads and stores: a register may have more bits than the
  /// type, so that its own file tells where it lies.
  void addWideResult(Type type);
  void addWideSource(Type type);
  /// All elements of {…}, or the one operand; how many there were.
  unsigned addResults(Type type, bool isWide = false);
  unsigned addSources(Type type, bool isWide = false);
  /// a|%p: a result and then a predicate, for which a fresh register stands
  /// where it is not written.
  void addResultAndPredicate(Type type);
  /// [base + offset]: adds the base, of 64 bits or, in shared memory, 32, to
  /// the sources and sets `offset`. Addresses of variables are constants.
  void addAddress(int64_t &offset);
  void addLabel();
  uint64_t takeImmediate(); ///< an integer that is no source
  bool hasOperand() const { return nextOperand < syntax->operands.size(); }

  void setExecute(Execute execute) { instruction->execute = execute; }
  /// Rejects the module. `what` follows the position.
  void fail(const llvm::Twine &what);
  /// That the words name no instruction known here.
  void failUnknown();

  Instruction *instruction = nullptr;

private:
  const OperandSyntax &next();
  void add(const OperandSyntax &operand, Type type, bool isResult, bool isWide);
  unsigned addAll(Type type, bool isResult, bool isWide);
  Register resolve(const OperandSyntax &operand, Type type, bool isResult,
                   bool isWide);
  Register immediate(const OperandSyntax &operand, Type type);
  Register constant(uint64_t value, RegisterFile file, uint8_t bits);
  Register special(const OperandSyntax &operand);
  Register fresh(RegisterFile file, uint8_t bits);

  Kernel &kernel;
  std::string fileName;
  const InstructionSyntax *syntax = nullptr;
  llvm::SmallVector<bool, 8> taken; ///< of the words
  unsigned nextOperand = 0;
  llvm::DenseMap<std::pair<uint64_t, unsigned>, Register> constants;
  std::string error; ///< the first, with its position
};

/// A family of instructions by the first word, such as "ld" or "mma".
using Decode = void (*)(Decoder &);

/// The family of an instruction, by its first word and, for arithmetic, its
/// type. Null if nothing decodes it.
Decode findDecode(const InstructionSyntax &syntax);

// The families, each in the file of its name.
void decodeMove(Decoder &);        // mov cvta selp prmt
void decodeInteger(Decoder &);     // add sub mul mad div rem min max abs neg …
void decodeBits(Decoder &);        // and or xor not shl shr shf bfe bfi lop3 …
void decodeFloat(Decoder &);       // add sub mul fma div min max of f32, f64
void decodeHalf(Decoder &);        // the same of f16, bf16 and pairs of them
void decodeApproximate(Decoder &); // ex2 lg2 rcp rsqrt sqrt tanh
void decodeConvert(Decoder &);     // cvt
void decodeCompare(Decoder &);     // setp set
void decodeControl(Decoder &);     // bra ret exit trap
void decodeBarrier(Decoder &);     // bar barrier bar.warp.sync membar fence
void decodeCollective(Decoder &);  // shfl vote redux match activemask
void decodeMemory(Decoder &);      // ld st prefetch
void decodeAtomic(Decoder &);      // atom red
void decodeAsyncCopy(Decoder &);   // cp.async …
void decodeMatrixLoad(Decoder &);  // ldmatrix stmatrix
void decodeMatrixProduct(Decoder &); // mma

} // namespace mlir::deltanet::ptx

#endif // DELTANET_LIB_EMULATION_PTX_DECODER_H
