// Schedules given by the option replace those of the rule and the cost model.

// RUN: delta-opt %s '-deltanet-select-schedule=schedule={#deltanet.schedule<recurrent, max_tokens = 7> ; #deltanet.schedule<chunked, min_tokens = 8>}' \
// RUN:   -remarks-filter=deltanet-schedule 2>&1 | FileCheck %s
// RUN: delta-opt %s '-deltanet-to-rule=schedule={#deltanet.schedule<chunked, chunk = 32>}' | FileCheck %s --check-prefix=PIPELINE

// CHECK: Reason="given by the schedule option", Remark="chose #deltanet.schedule<recurrent, max_tokens = 7>"
// CHECK: Reason="given by the schedule option", Remark="chose #deltanet.schedule<chunked, min_tokens = 8>"
// CHECK: {schedules = [#deltanet.schedule<recurrent, max_tokens = 7>, #deltanet.schedule<chunked, min_tokens = 8>]}
// PIPELINE: {schedules = [#deltanet.schedule<chunked, chunk = 32>]}

// What is no schedule is an error at the module, with the parser's reason.

// RUN: not delta-opt %s '-deltanet-select-schedule=schedule={#deltanet.schedule<recurrent, tokens = 9>}' 2>&1 | FileCheck %s --check-prefix=VALUE
// VALUE: select-schedule-option.mlir:{{.*}}: error: schedule option: expected a #deltanet.schedule, got '#deltanet.schedule<recurrent, tokens = 9>': expected 1 to 8 tokens a pass, got 9

// RUN: not delta-opt %s '-deltanet-select-schedule=schedule={#deltanet.schedule<recurrent}' 2>&1 | FileCheck %s --check-prefix=SYNTAX
// SYNTAX: select-schedule-option.mlir:{{.*}}: error: schedule option: expected a #deltanet.schedule, got '#deltanet.schedule<recurrent': unbalanced '<' character

// RUN: not delta-opt %s '-deltanet-select-schedule=schedule=64' 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: select-schedule-option.mlir:{{.*}}: error: schedule option: expected a #deltanet.schedule, got '64'

// RUN: not delta-opt %s '-deltanet-select-schedule=schedule={#deltanet.schedule<recurrent>;}' 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: select-schedule-option.mlir:{{.*}}: error: schedule option: expected a #deltanet.schedule, got ''

// A schedule that does not suit the rule is an error at the rule.

// RUN: not delta-opt %s '-deltanet-select-schedule=schedule={#deltanet.schedule<recurrent, columns = 64>}' 2>&1 | FileCheck %s --check-prefix=RULE
// RULE: select-schedule-option.mlir:[[@LINE+15]]:8: error: 'deltanet.delta_rule' op expected columns to divide V (16), got 64

// Lengths that no schedule serves are worth a warning.

// RUN: delta-opt %s '-deltanet-select-schedule=schedule={#deltanet.schedule<recurrent, max_tokens = 1>}' -o /dev/null 2>&1 | FileCheck %s --check-prefix=LONG
// LONG: select-schedule-option.mlir:[[@LINE+10]]:8: warning: expected schedules for all lengths, got none for 2 or more tokens: outputs of such sequences are not written
// RUN: delta-opt %s '-deltanet-select-schedule=schedule={#deltanet.schedule<recurrent, min_tokens = 1>}' -o /dev/null 2>&1 | FileCheck %s --check-prefix=ZERO
// ZERO: warning: expected schedules for all lengths, got none for 0 tokens
// RUN: delta-opt %s '-deltanet-select-schedule=schedule={#deltanet.schedule<recurrent, max_tokens = 3>;#deltanet.schedule<recurrent, min_tokens = 5>}' -o /dev/null 2>&1 | FileCheck %s --check-prefix=GAP
// GAP: warning: expected schedules for all lengths, got none for 4 tokens
// RUN: delta-opt %s '-deltanet-select-schedule=schedule={#deltanet.schedule<recurrent, min_tokens = 1, max_tokens = 3>;#deltanet.schedule<recurrent, min_tokens = 7, max_tokens = 9>}' -o /dev/null 2>&1 | FileCheck %s --check-prefix=GAPS
// GAPS: warning: expected schedules for all lengths, got none for 0, 4 to 6, 10 or more tokens: outputs
func.func @f(%q: tensor<?x1x16xf32>, %k: tensor<?x1x16xf32>,
             %v: tensor<?x1x16xf32>, %b: tensor<?x1xf32>)
    -> tensor<?x1x16xf32> {
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%b)
      {schedules = [#deltanet.schedule<recurrent>]}
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>) -> tensor<?x1x16xf32>
  return %o : tensor<?x1x16xf32>
}
