//===- Program.cpp - PTX that can be executed -----------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Emulation/PTX/Program.h"
#include "Decoder.h"
#include "InstructionOrder.h"

using namespace mlir::deltanet::ptx;

Program::Program(std::unique_ptr<State> state) : own(std::move(state)) {}
Program::Program(Program &&) = default;
Program &Program::operator=(Program &&) = default;
Program::~Program() = default;

llvm::Expected<Program> Program::parse(llvm::StringRef text,
                                       llvm::StringRef fileName) {
  auto state = std::make_unique<State>();
  llvm::Expected<ModuleSyntax> syntax = parseModule(text, fileName);
  if (!syntax)
    return syntax.takeError();
  state->syntax = std::move(*syntax);
  for (const KernelSyntax &written : state->syntax.kernels) {
    Kernel &kernel = state->kernels.emplace_back();
    kernel.syntax = &written;
    kernel.registers = written.registers;
    kernel.code.reserve(written.code.size());
    Decoder decoder(kernel, fileName);
    for (const InstructionSyntax &instruction : written.code)
      if (!decoder.decode(instruction))
        return decoder.takeError();
    rankInstructions(kernel.code);
  }
  return Program(std::move(state));
}

std::vector<KernelInfo> Program::kernels() const {
  std::vector<KernelInfo> infos;
  for (const KernelSyntax &kernel : own->syntax.kernels)
    infos.push_back(kernel.info);
  return infos;
}

const KernelInfo *Program::find(llvm::StringRef kernel) const {
  for (const KernelSyntax &syntax : own->syntax.kernels)
    if (syntax.info.name == kernel)
      return &syntax.info;
  return nullptr;
}

llvm::StringRef Program::target() const { return own->syntax.target; }
unsigned Program::version() const { return own->syntax.version; }
