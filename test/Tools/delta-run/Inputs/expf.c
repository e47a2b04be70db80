//===- expf.c - The exponential of the fake kernels -----------------------===//
//
// Part of the Delta-Net project.
//
// In the emulator kernels have no libraries to call.
//
//===----------------------------------------------------------------------===//

float expf(float x) {
  if (x < -100)
    return 0;
  // A Taylor series of x / 2^10, squared ten times.
  double y = (double)x / 1024;
  double power = 1 + y * (1 + y / 2 * (1 + y / 3 * (1 + y / 4)));
  for (int i = 0; i < 10; ++i)
    power *= power;
  return (float)power;
}
