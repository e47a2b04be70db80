// The public headers are strict C11 and C++11, each on its own, and the kernel
// ABI needs no C library.
// RUN: %cc -std=c11 -pedantic -Wall -Wextra -Werror -fsyntax-only -I%include %s
// RUN: %cc -std=c11 -ffreestanding -pedantic -Werror -fsyntax-only \
// RUN:   -I%include -DABI_ONLY %s
// RUN: %cxx -x c++ -std=c++11 -pedantic -Wall -Wextra -Werror -fsyntax-only \
// RUN:   -I%include %s
#include "deltanet-c/kernel_abi.h"
#ifndef ABI_ONLY
#include "deltanet-c/cuda.h"
#include "deltanet-c/runtime.h"
#endif

int main(void) { return 0; }
