// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Measure

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The most that a patch of a megabyte may take, in nanoseconds, whatever it does.
let bound = 50_000_000.0

/// Keeps the optimizer from dropping a result.
@inline(never)
func consume<Value>(_ value: Value) {}

/// Operations of one kind, about a megabyte of them.
func operations(_ make: (Int) -> JSON) -> JSON {
    var (list, length) = ([JSON](), 0)
    while length < 1_000_000 {
        let operation = make(list.count)
        length += operation.description.utf8.count + 1
        list.append(operation)
    }
    return .array(list)
}

func nested(_ depth: Int, in value: JSON) -> JSON { (0..<depth).reduce(value) { inner, _ in ["a": inner] } }

func benchmarkPatches() throws -> Bool {
    let measure = Measure(rounds: 5)
    var isFast = true
    let wide = JSON.object(JSON.Object((0..<60_000).map { ("k\($0)", JSON.string("v")) }))
    let list = JSON.array((0..<60_000).map { JSON.string("v\($0)") })
    let deep = nested(250, in: 0)
    let patches: [(String, JSON, JSON)] = [
        ("remove members", wide, operations { ["op": "remove", "path": .string("/k\($0)")] }),
        ("add members", [:], operations { ["op": "add", "path": .string("/k\($0)"), "value": "v"] }),
        ("insert at the front", list, operations { _ in ["op": "add", "path": "/0", "value": 1] }),
        (
            "insert anywhere", list,
            operations { ["op": "add", "path": .string("/\($0 * 7_919 % 60_000)"), "value": 1] }
        ),
        (
            "replace deep down", deep,
            operations {
                ["op": "replace", "path": .string(String(repeating: "/a", count: 250)), "value": .number(.init($0))]
            }
        ),
        (
            "move members", wide,
            operations { ["op": "move", "from": .string("/k\($0)"), "path": .string("/m\($0)")] }
        ),
    ]
    for (name, document, patch) in patches {
        let result = measure.run("JSON Patch: \(name)", times: 1) { consume(try? document.applying(patch: patch)) }
        _ = try document.applying(patch: patch)
        isFast = isFast && result.nanoseconds <= bound
    }
    let merges: [(String, JSON, JSON)] = [
        ("remove members", wide, .object(JSON.Object((0..<60_000).map { ("k\($0)", JSON.null) }))),
        ("change members", wide, .object(JSON.Object((0..<60_000).map { ("k\($0)", JSON.string("w")) }))),
        ("deep objects", deep, nested(250, in: .string(String(repeating: "x", count: 1_000_000)))),
    ]
    for (name, document, patch) in merges {
        let result = measure.run("merge patch: \(name)", times: 1) { consume(document.applying(mergePatch: patch)) }
        isFast = isFast && result.nanoseconds <= bound
    }
    let filler = JSON.array((0..<500).map { JSON.string("v\($0)") })
    let deepFiller = { (innermost: JSON) in (0..<250).reduce(innermost) { inner, _ in ["b": filler, "a": inner] } }
    let (changed, other) = (deepFiller(1), deepFiller(2))
    let merged = measure.run("the merge patch between deep documents", times: 1) {
        consume(try? changed.mergePatch(to: other))
    }
    return isFast && merged.nanoseconds <= bound
}

if try !benchmarkPatches() {
    print("a patch of a megabyte takes more than 50 ms")
    exit(1)
}
