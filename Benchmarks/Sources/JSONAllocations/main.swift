// SPDX-License-Identifier: Apache-2.0

import AllocationCount
import CumulusCore
import Foundation

// Checks that reading JSON asks for memory only where a value can't do without: once for each string of more than 15
// bytes and each container that isn't empty. Unlike times, the count is the same on each run.

/// The allocations that a value can't do without.
func needed(_ json: JSON) -> Int {
    switch json {
    case .string(let string): string.utf8.count > 15 ? 1 : 0
    case .array(let array): array.reduce(array.isEmpty ? 0 : 1) { $0 + needed($1) }
    case .object(let object): object.values.reduce(object.isEmpty ? 0 : 1) { $0 + needed($1) }
    default: 0
    }
}

func record(_ number: Int) -> String {
    #"{"id":\#(number),"title":"short","text":"a text of more than fifteen bytes","tags":["x","y"],"none":[],"#
        + #""owner":{"name":"n\#(number)","verified":true},"score":-1e2}"#
}

let text = Array("[\((0..<1000).map(record).joined(separator: ","))]".utf8)
guard let json = try? JSON(parsing: text), allocation_count() > 0 else {
    print("reading JSON: allocations can't be counted here")
    exit(0)
}
let before = allocation_count()
let again = try? JSON(parsing: text)
let counted = Int(allocation_count() - before)
let expected = needed(json)
// The parser's stacks and the two shapes don't depend on the number of values.
let spare = 64
let holds = again == json && counted <= expected + spare
print("reading JSON: \(counted) allocations for \(expected) long strings and containers: \(holds ? "yes" : "NO")")
exit(holds ? 0 : 1)
