//===- Syntax.h - A PTX module as it is written ---------------------------===//
//
// Part of the Delta-Net project.
//
// What the parser makes of the text: names of registers and labels are
// resolved, instructions are words and operands whose meaning is not yet known.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_EMULATION_PTX_SYNTAX_H
#define DELTANET_LIB_EMULATION_PTX_SYNTAX_H

#include "deltanet/Emulation/PTX/InstructionReport.h"
#include "deltanet/Emulation/PTX/Program.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace mlir::deltanet::ptx {

struct Location {
  unsigned line = 0, column = 0; ///< from 1
};

/// Registers of 8 and 16 bits lie in those of 32.
enum class RegisterFile : uint8_t { Predicate, Bits32, Bits64 };

struct Register {
  RegisterFile file = RegisterFile::Bits32;
  uint8_t bits = 32; ///< 1, 8, 16, 32 or 64, as declared
  uint32_t index = 0;
};

struct OperandSyntax {
  enum class Kind {
    Register,
    Special,  ///< name: "%tid.x"
    Variable, ///< name of a variable or parameter
    Label,    ///< value: index of the instruction that it stands before
    Integer,  ///< value
    Float,    ///< value: the bits, of which there are floatBits
    Sink,     ///< _
    Vector,   ///< {elements}
    Pair,     ///< first|second, the elements
    Address   ///< [first element + value]; without elements: [value]
  };
  Kind kind = Kind::Sink;
  Location location;
  std::string text; ///< as written
  Register reg;
  bool negated = false; ///< !%p
  std::string name;
  uint64_t value = 0;
  unsigned floatBits = 0;
  std::vector<OperandSyntax> elements;
};

struct InstructionSyntax {
  Location location;
  std::string text;                        ///< without guard and semicolon
  std::optional<OperandSyntax> guard;      ///< @%p or @!%p
  llvm::SmallVector<std::string, 8> words; ///< "ld", "global", "v4", "f32"
  llvm::SmallVector<OperandSyntax, 4> operands;
};

/// A variable of a state space, and where it lies in it.
struct VariableSyntax {
  std::string name;
  Space space;
  Location location;
  uint64_t offset = 0, bytes = 0, alignment = 1;
  bool isDynamic = false; ///< .extern .shared x[]: begins after the others
};

struct KernelSyntax {
  KernelInfo info;
  Location location;
  std::vector<InstructionSyntax> code;
  /// Registers of each file, by RegisterFile.
  std::array<uint32_t, 3> registers = {};
  /// Those of the module are in each kernel, too, if it names them.
  std::vector<VariableSyntax> variables;
  uint64_t localBytes = 0; ///< of one thread

  const VariableSyntax *findVariable(llvm::StringRef name) const;
};

struct ModuleSyntax {
  std::string fileName;
  std::string target;   ///< "sm_90a"
  unsigned version = 0; ///< 83 for 8.3
  std::vector<KernelSyntax> kernels;
};

/// "file:line:column: message" as an error.
llvm::Error errorAt(llvm::StringRef fileName, Location location,
                    const llvm::Twine &message);

/// Parses the text of a module.
llvm::Expected<ModuleSyntax> parseModule(llvm::StringRef text,
                                         llvm::StringRef fileName);

} // namespace mlir::deltanet::ptx

#endif // DELTANET_LIB_EMULATION_PTX_SYNTAX_H
