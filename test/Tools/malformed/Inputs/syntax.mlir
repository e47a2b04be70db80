// missing brace at the end
module {
func.func @f(%q: !x, %k: !x, %v: !x, %b: !b) -> !x {
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%b) : (!x, !x, !x, !b) -> !x
  return %o : !x
// error@6: expected operation name in quotes
// -----
// a value that nothing defines
func.func @f(%q: !x, %k: !x, %v: !x) -> !x {
  // error: use of undeclared SSA value name
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%b) : (!x, !x, !x, !b) -> !x
  return %o : !x
}
// -----
// operands out of order
func.func @f(%q: !x, %k: !x, %v: !x, %b: !b) -> !x {
  // error: expected 'q'
  %o = deltanet.delta_rule delta, grouped, kv k(%k) q(%q) v(%v) beta(%b) : (!x, !x, !x, !b) -> !x
  return %o : !x
}
// -----
// no beta
func.func @f(%q: !x, %k: !x, %v: !x) -> !x {
  // error: expected 'beta'
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) : (!x, !x, !x) -> !x
  return %o : !x
}
// -----
// fewer types than operands
func.func @f(%q: !x, %k: !x, %v: !x, %b: !b) -> !x {
  // error: got 4 operands and 3 types
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%b) : (!x, !x, !x) -> !x
  return %o : !x
}
// -----
// types that are not those of the operands
func.func @f(%q: !x, %k: !x, %v: !x, %b: !b) -> !x {
  // error: use of value '%b' expects different type than prior uses
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%b) : (!x, !x, !x, !x) -> !x
  return %o : !x
}
// -----
// an operation that does not exist
func.func @f(%q: !x) -> !x {
  // error: deltanet.delta_rules
  %o = deltanet.delta_rules %q : !x
  return %o : !x
}
// -----
// a dialect that does not exist
func.func @f(%q: !x) -> !x {
  // error: unregistered dialect
  %o = "deltanets.delta_rule"(%q) : (!x) -> !x
  return %o : !x
}
// -----
// a dimension beyond 64 bits
// error: invalid dimension
func.func @f(%q: tensor<?x1x99999999999999999999xf32>) { return }
// -----
// a number beyond 64 bits in an attribute
// error: integer value too large
func.func private @f() attributes {a = #deltanet.schedule<recurrent, tokens = 99999999999999999999>}
// -----
// a redefined symbol
func.func @f(%q: !x, %k: !x, %v: !x, %b: !b) -> !x {
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%b) : (!x, !x, !x, !b) -> !x
  return %o : !x
}
// error: redefinition of symbol named 'f'
func.func @f(%q: !x, %k: !x, %v: !x, %b: !b) -> !x {
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%b) : (!x, !x, !x, !b) -> !x
  return %o : !x
}
// -----
// an attribute that does not exist
// error: unknown attribute
func.func private @f() attributes {a = #deltanet.schedules<recurrent>}
// -----
// an unterminated string
module {
  // error: expected '"' in string literal
  func.func @"f(%q: !x) { return }
}
// -----
// generic form with wrong segments
func.func @f(%q: !x, %k: !x, %v: !x, %b: !b) -> !x {
  // error: operandSegmentSizes
  %o = "deltanet.delta_rule"(%q, %k, %v, %b) <{rule = #deltanet<rule delta>, head_map = #deltanet<head_map grouped>, state_layout = #deltanet<state_layout kv>, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 0, 0, 0, 0>}> : (!x, !x, !x, !b) -> !x
  return %o : !x
}
// -----
// generic form with negative segments
func.func @f(%q: !x, %k: !x, %v: !x, %b: !b) -> !x {
  // error: operandSegmentSizes
  %o = "deltanet.delta_rule"(%q, %k, %v, %b) <{rule = #deltanet<rule delta>, head_map = #deltanet<head_map grouped>, state_layout = #deltanet<state_layout kv>, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, -1, 0, 0, 0, 0>}> : (!x, !x, !x, !b) -> !x
  return %o : !x
}
// -----
// generic form without its attributes
func.func @f(%q: !x, %k: !x, %v: !x, %b: !b) -> !x {
  // error: 'deltanet.delta_rule' op requires attribute
  %o = "deltanet.delta_rule"(%q, %k, %v, %b) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 0, 0, 0, 0, 0>}> : (!x, !x, !x, !b) -> !x
  return %o : !x
}
