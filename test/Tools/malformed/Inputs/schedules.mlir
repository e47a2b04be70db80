// min_tokens above max_tokens
func.func private @f() attributes {
  // error: expected 0 <= min_tokens <= max_tokens, got 9 and 8
  a = #deltanet.schedule<recurrent, min_tokens = 9, max_tokens = 8>}
// -----
// unknown algorithm
func.func private @f() attributes {
  // error: to be one of: recurrent, chunked
  a = #deltanet.schedule<scan>}
// -----
// unknown field
func.func private @f() attributes {
  // error: duplicate or unknown struct parameter name: unroll
  a = #deltanet.schedule<recurrent, unroll = 2>}
// -----
// no field at all
func.func private @f() attributes {
  // error: expected valid keyword or string
  a = #deltanet.schedule<>}
// -----
// a chunk of 8
func.func private @f() attributes {
  // error: expected a chunk of 16, 32, 64 or 128 tokens, got 8
  a = #deltanet.schedule<chunked, chunk = 8>}
// -----
// negative tokens
func.func private @f() attributes {
  // error: expected 1 to 8 tokens a pass, got -9223372036854775808
  a = #deltanet.schedule<recurrent, tokens = -9223372036854775808>}
// -----
// columns that do not divide V
func.func @f(%q: !x, %k: !x, %v: !x, %b: !b) -> !x {
  // error: expected columns to divide V (16), got 24
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%b) {schedules = [#deltanet.schedule<recurrent, columns = 24>]} : (!x, !x, !x, !b) -> !x
  return %o : !x
}
// -----
// a value slice beyond V
func.func @f(%q: !x, %k: !x, %v: !x, %b: !b) -> !x {
  // error: expected value_slice to divide V (16), got 32
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%b) {schedules = [#deltanet.schedule<recurrent, value_slice = 32>]} : (!x, !x, !x, !b) -> !x
  return %o : !x
}
// -----
// overlapping lengths
func.func @f(%q: !x, %k: !x, %v: !x, %b: !b) -> !x {
  // error: expected schedules of ascending, disjoint lengths, got min_tokens = 1 after max_tokens = 1
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%b) {schedules = [#deltanet.schedule<recurrent, max_tokens = 1>, #deltanet.schedule<recurrent, min_tokens = 1>]} : (!x, !x, !x, !b) -> !x
  return %o : !x
}
// -----
// a schedule after an unbounded one
func.func @f(%q: !x, %k: !x, %v: !x, %b: !b) -> !x {
  // error: expected no schedule after one without max_tokens
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%b) {schedules = [#deltanet.schedule<recurrent>, #deltanet.schedule<recurrent, min_tokens = 9223372036854775807>]} : (!x, !x, !x, !b) -> !x
  return %o : !x
}
// -----
// no schedule
func.func @f(%q: !x, %k: !x, %v: !x, %b: !b) -> !x {
  // error: expected at least one schedule, got none
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%b) {schedules = []} : (!x, !x, !x, !b) -> !x
  return %o : !x
}
// -----
// schedules that are numbers
func.func @f(%q: !x, %k: !x, %v: !x, %b: !b) -> !x {
  // error: attribute 'schedules' failed to satisfy constraint: array of schedules
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%b) {schedules = [64]} : (!x, !x, !x, !b) -> !x
  return %o : !x
}
// -----
// the state in memory for long sequences
module attributes {deltanet.target = #avx2} {
func.func @f(%q: !x, %k: !x, %v: !x, %b: !b) -> !x {
  // error: expected max_tokens of at most 1 with state = memory, got 64
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%b) {schedules = [#deltanet.schedule<recurrent, max_tokens = 64, state = memory>, #deltanet.schedule<recurrent, min_tokens = 65>]} : (!x, !x, !x, !b) -> !x
  return %o : !x
}
}
// -----
// two tokens a pass with the state in memory
func.func private @f() attributes {
  // error: expected one token a pass with state = memory, got 2
  a = #deltanet.schedule<recurrent, max_tokens = 1, tokens = 2, state = memory>}
