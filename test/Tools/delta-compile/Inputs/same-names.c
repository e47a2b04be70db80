/* Defines names that kernels might have used, and looks at three kernels. */
#include "one.h"
#include "two.h"
#include <stdio.h>

int text = 1, library = 2, plain = 3, gated = 4, memset_pattern = 5;
int run(void) { return text; }
int items(void) { return library; }
int workspace(void) { return plain + gated + memset_pattern; }

int main(void) {
  const dn_kernel_set *sets[] = {&dn_plain, &dn_gated, &dn_gdn};
  for (int i = 0; i < 3; ++i) {
    if (sets[i]->variant_count != 5)
      return 1;
    for (int j = 1; j < 5; ++j)
      if (sets[i]->variants[j - 1]->isa <= sets[i]->variants[j]->isa)
        return 1;
    printf("%s ", sets[i]->name);
  }
  return run() + items() + workspace() == 15 ? 0 : 1;
}
