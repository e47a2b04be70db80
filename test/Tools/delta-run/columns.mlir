// Register blocks of 24 columns are three vectors of AVX2 and six of SSE: legal
// widths are not only powers of two.

// RUN: delta-compile %s -o %t.so
// RUN: delta-run %t.so --kernel wide --shape T=37 | FileCheck %s
// RUN: delta-run %t.so --kernel wide --shape T=37 --isa=generic | FileCheck %s
// CHECK: o reference {{.*}} pass
func.func @wide(%q: tensor<?x1x48xbf16>, %k: tensor<?x1x48xbf16>,
                %v: tensor<?x1x48xbf16>, %b: tensor<?x1xf32>)
    -> tensor<?x1x48xbf16> {
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%b)
      {schedules = [#deltanet.schedule<chunked, columns = 24, chunk = 16>]}
      : (tensor<?x1x48xbf16>, tensor<?x1x48xbf16>, tensor<?x1x48xbf16>,
         tensor<?x1xf32>) -> tensor<?x1x48xbf16>
  return %o : tensor<?x1x48xbf16>
}
