//===- LocalArray.cu - A stack machine with its stack in local memory -----===//
//
// Part of the Delta-Net project.
//
// Each thread runs the same program, of bytes, on its own number.
//
//===----------------------------------------------------------------------===//

enum Operation {
  PushInput,
  PushOne,
  Add,
  Subtract,
  Multiply,
  Duplicate,
  Swap,
  Pick, // the element as far below the top as the input's last two bits say
  ShiftRight,
  SkipIfOdd // the next operation
};

extern "C" __global__ void stack_machine(const unsigned char *program,
                                         int length, const int *inputs,
                                         int *results) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int input = inputs[i];
  int stack[16], top = -1;
  for (int step = 0; step < length; ++step) {
    switch (program[step]) {
    case PushInput:
      stack[++top] = input;
      break;
    case PushOne:
      stack[++top] = 1;
      break;
    case Add:
      --top;
      stack[top] += stack[top + 1];
      break;
    case Subtract:
      --top;
      stack[top] -= stack[top + 1];
      break;
    case Multiply:
      --top;
      stack[top] *= stack[top + 1];
      break;
    case Duplicate:
      ++top;
      stack[top] = stack[top - 1];
      break;
    case Swap: {
      const int upper = stack[top];
      stack[top] = stack[top - 1];
      stack[top - 1] = upper;
      break;
    }
    case Pick:
      stack[top + 1] = stack[top - (input & 3)];
      ++top;
      break;
    case ShiftRight:
      stack[top] >>= 1;
      break;
    case SkipIfOdd:
      step += stack[top] & 1;
      break;
    }
  }
  results[i] = stack[top];
}
