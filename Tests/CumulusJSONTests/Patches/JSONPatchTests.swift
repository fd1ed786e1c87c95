// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import CumulusJSON

/// JSON Patch (RFC 6902), with the RFC's own examples, and JSON Merge Patch (RFC 7396), with its table.
@Suite struct JSONPatchTests {
    private func json(_ text: String) throws -> JSON { try JSON(parsing: text) }

    @Test(
        arguments: [
            (#"{"foo":"bar"}"#, #"[{"op":"add","path":"/baz","value":"qux"}]"#, #"{"baz":"qux","foo":"bar"}"#),
            (
                #"{"foo":["bar","baz"]}"#, #"[{"op":"add","path":"/foo/1","value":"qux"}]"#,
                #"{"foo":["bar","qux","baz"]}"#
            ),
            (#"{"baz":"qux","foo":"bar"}"#, #"[{"op":"remove","path":"/baz"}]"#, #"{"foo":"bar"}"#),
            (#"{"foo":["bar","qux","baz"]}"#, #"[{"op":"remove","path":"/foo/1"}]"#, #"{"foo":["bar","baz"]}"#),
            (#"{"baz":"qux"}"#, #"[{"op":"replace","path":"/baz","value":"boo"}]"#, #"{"baz":"boo"}"#),
            (
                #"{"foo":{"bar":"baz","waldo":"fred"},"qux":{"corge":"grault"}}"#,
                #"[{"op":"move","from":"/foo/waldo","path":"/qux/thud"}]"#,
                #"{"foo":{"bar":"baz"},"qux":{"corge":"grault","thud":"fred"}}"#
            ),
            (
                #"{"foo":["all","grass","cows","eat"]}"#, #"[{"op":"move","from":"/foo/1","path":"/foo/3"}]"#,
                #"{"foo":["all","cows","eat","grass"]}"#
            ),
            (
                #"{"baz":"qux","foo":["a",2,"c"]}"#,
                #"[{"op":"test","path":"/baz","value":"qux"},{"op":"test","path":"/foo/1","value":2}]"#,
                #"{"baz":"qux","foo":["a",2,"c"]}"#
            ),
            (
                #"{"foo":"bar"}"#, #"[{"op":"add","path":"/child","value":{"g":{}},"xyz":123}]"#,
                #"{"foo":"bar","child":{"g":{}}}"#
            ),
            (#"{"/":9,"~1":10}"#, #"[{"op":"test","path":"/~01","value":10}]"#, #"{"/":9,"~1":10}"#),
            (#"{"foo":["bar"]}"#, #"[{"op":"add","path":"/foo/-","value":["a"]}]"#, #"{"foo":["bar",["a"]]}"#),
            (#"{"a":{"b":1}}"#, #"[{"op":"copy","from":"/a","path":"/c"}]"#, #"{"a":{"b":1},"c":{"b":1}}"#),
            (#"[1]"#, #"[{"op":"replace","path":"","value":{"x":1}}]"#, #"{"x":1}"#),
        ]
    )
    func operationsAreCarriedOut(document: String, patch: String, result: String) throws {
        #expect(try json(document).applying(patch: json(patch)) == json(result))
    }

    @Test(
        arguments: [
            #"[{"op":"test","path":"/baz","value":"bar"}]"#, #"[{"op":"add","path":"/x/y","value":1}]"#,
            #"[{"op":"remove","path":"/x"}]"#, #"[{"op":"replace","path":"/x","value":1}]"#,
            #"[{"op":"add","path":"/list/5","value":1}]"#, #"[{"op":"add","path":"/list/01","value":1}]"#,
            #"[{"op":"remove","path":"/list/-"}]"#, #"[{"op":"move","from":"/o","path":"/o/p"}]"#,
            #"[{"op":"jump","path":"/baz"}]"#, #"[{"op":"add","path":"baz","value":1}]"#,
            #"[{"op":"add","path":"/q"}]"#,
            #"{}"#, #"[7]"#, #"[{"op":"remove","path":""}]"#, #"[{"op":"add","path":"/baz/q","value":1}]"#,
            #"[{"op":"test","path":"/~01","value":"10"}]"#,
        ]
    )
    func whatCanNotBeCarriedOutIsRefused(patch: String) throws {
        let document = try json(#"{"baz":"qux","list":[1,2],"o":{},"~1":10}"#)
        #expect(throws: JSONPatchProblem.self) { try document.applying(patch: json(patch)) }
    }

    @Test(
        arguments: [
            (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#), (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
            (#"{"a":"b"}"#, #"{"a":null}"#, #"{}"#), (#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#),
            (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#), (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
            (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
            (#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#), (#"["a","b"]"#, #"["c","d"]"#, #"["c","d"]"#),
            (#"{"a":"b"}"#, #"["c"]"#, #"["c"]"#), (#"{"a":"foo"}"#, "null", "null"),
            (#"{"a":"foo"}"#, #""bar""#, #""bar""#),
            (#"{"e":null}"#, #"{"a":1}"#, #"{"e":null,"a":1}"#), ("[1,2]", #"{"a":"b","c":null}"#, #"{"a":"b"}"#),
            ("{}", #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
        ]
    )
    func mergePatchesAreApplied(document: String, patch: String, result: String) throws {
        #expect(try json(document).applying(mergePatch: json(patch)) == json(result))
    }

    @Test(arguments: 0..<200)
    func aMergePatchLeadsFromOneValueToTheOther(seed: Int) throws {
        var numbers = SeededNumbers(UInt64(seed))
        let (old, new) = (Self.object(&numbers), Self.object(&numbers))
        if let patch = try? old.mergePatch(to: new) { #expect(old.applying(mergePatch: patch) == new) }
        #expect(try old.mergePatch(to: old) == [:])
    }

    private static func object(_ numbers: inout SeededNumbers) -> JSON {
        while true {
            let value = value(&numbers, depth: 3)
            if value.object != nil { return value }
        }
    }

    private static func value(_ numbers: inout SeededNumbers, depth: Int) -> JSON {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 4), using: &numbers) {
        case 0: return .number(.init(Int.random(in: 0...3, using: &numbers)))
        case 1: return .bool(true)
        case 2: return .string(["", "a", "~/é"][Int.random(in: 0...2, using: &numbers)])
        case 3: return .null
        case 4, 5:
            return .array((0..<Int.random(in: 0...5, using: &numbers)).map { _ in value(&numbers, depth: depth - 1) })
        default:
            var members = JSON.Object()
            for name in ["a", "b/c", "~", "0"] where Bool.random(using: &numbers) {
                members[name] = value(&numbers, depth: depth - 1)
            }
            return .object(members)
        }
    }

    @Test func aMergePatchSaysNoMoreThanWhatDiffers() throws {
        let old: JSON = ["a": 1, "b": ["x", "y", "z"], "c": ["d": 1, "e": 2], "g": 1]
        let new: JSON = ["a": 1, "b": ["x", "z"], "c": ["d": 1, "e": 3], "f": nil]
        #expect(throws: JSONPatchProblem.self) { try old.mergePatch(to: new) }
        let mergeable: JSON = ["a": 1, "b": ["x", nil], "c": ["d": 1, "e": 3]]
        #expect(try old.mergePatch(to: mergeable) == ["g": nil, "b": ["x", nil], "c": ["e": 3]])
    }

    /// The operations carried out one by one on plain values, as the RFC says: slow, and short enough to be seen right.
    private static func plain(_ value: JSON, _ operation: JSON) -> JSON? {
        guard let path = operation["path"].string.flatMap(JSONPointer.names), let op = operation["op"].string else {
            return nil
        }
        func at(_ value: JSON, _ path: [String]) -> JSON? {
            var value = value
            for name in path {
                if let member = value.object?[name] {
                    value = member
                } else if let elements = value.array, let index = JSONPointer.index(name), index < elements.count {
                    value = elements[index]
                } else {
                    return Optional.none
                }
            }
            return value
        }
        func edit(_ value: JSON, _ path: [String], _ new: JSON?) -> JSON? {
            guard let name = path.first else { return new }
            let rest = Array(path.dropFirst())
            if case .object(var members) = value {
                if rest.isEmpty {
                    if new == nil, members[name] == nil { return nil }
                    members[name] = new
                } else {
                    guard let inner = members[name].flatMap({ edit($0, rest, new) }) else { return nil }
                    members[name] = inner
                }
                return .object(members)
            }
            guard case .array(var elements) = value else { return nil }
            let end = rest.isEmpty && new != nil
            guard let index = name == "-" && end ? elements.count : JSONPointer.index(name),
                index < elements.count + (end ? 1 : 0)
            else { return nil }
            if !rest.isEmpty {
                guard let inner = edit(elements[index], rest, new) else { return nil }
                elements[index] = inner
            } else if let new {
                elements.insert(new, at: index)
            } else {
                elements.remove(at: index)
            }
            return .array(elements)
        }
        let from = operation["from"].string.flatMap(JSONPointer.names) ?? []
        switch op {
        case "add": return edit(value, path, operation["value"])
        case "remove": return path.isEmpty ? Optional.none : edit(value, path, Optional.none)
        case "copy": return at(value, from).flatMap { edit(value, path, $0) }
        case "move":
            if from.isEmpty || path.count > from.count && path.starts(with: from) { return nil }
            return at(value, from).flatMap { moved in edit(value, from, Optional.none).flatMap { edit($0, path, moved) }
            }
        default:
            guard let found = at(value, path), found == operation["value"] else { return Optional.none }
            return value
        }
    }

    @Test(
        "any series of operations has the result of carrying them out one by one",
        arguments: 0..<UInt64(SlowTests.rounds(100, of: 300))
    )
    func series(seed: UInt64) throws {
        var numbers = SeededNumbers(seed)
        var expected = Self.value(&numbers, depth: 4)
        let start = expected
        var patch: [JSON] = []
        let names = ["a", "b~1c", "~0", "0", "1", "2", "-", "x"]
        for _ in 0..<40 {
            let path = (0..<Int.random(in: 0...3, using: &numbers)).map { _ in
                "/" + (names.randomElement(using: &numbers) ?? "")
            }
            let from = (0..<Int.random(in: 0...2, using: &numbers)).map { _ in
                "/" + (names.randomElement(using: &numbers) ?? "")
            }
            let operation: JSON = [
                "op": .string(
                    ["add", "remove", "copy", "move", "add", "test"].randomElement(using: &numbers) ?? "add"
                ),
                "path": .string(path.joined()), "from": .string(from.joined()),
                "value": Self.value(&numbers, depth: 2),
            ]
            guard expected.textLength(upTo: 20_000) < 10_000 else { break }
            if let next = Self.plain(expected, operation) {
                expected = next
                patch.append(operation)
            } else {
                #expect(throws: JSONPatchProblem.self) { try start.applying(patch: .array(patch + [operation])) }
            }
        }
        let result = try start.applying(patch: .array(patch))
        #expect(result == expected)
        #expect("\(result)" == "\(expected)", "the order of members is the same")
    }

    @Test("copies that double a document end, whatever their number")
    func copiesAreBounded() throws {
        let document: JSON = ["a": .string(String(repeating: "x", count: 100))]
        var patch: [JSON] = []
        for number in 0..<30 { patch.append(["op": "copy", "from": "", "path": .string("/\(number)")]) }
        let problem = #expect(throws: JSONPatchProblem.self) { try document.applying(patch: .array(patch)) }
        #expect(problem?.description.contains("too long") == true)
        let fine = try document.applying(patch: .array(Array(patch.prefix(8))))
        #expect(fine.textLength(upTo: .max) > 20_000)
    }

    @Test("a document can't be nested deeper than it could be read")
    func depthIsBounded() throws {
        var patch: [JSON] = []
        var path = "/a"
        for _ in 0..<12 {
            patch.append(["op": "copy", "from": "", "path": .string(path)])
            path += path
        }
        let problem = #expect(throws: JSONPatchProblem.self) { try (["a": 1] as JSON).applying(patch: .array(patch)) }
        #expect(problem?.description.contains("deeper than 512") == true)
        let long: JSON = [["op": "test", "path": .string(String(repeating: "/a", count: 100_000)), "value": 1]]
        #expect(throws: JSONPatchProblem.self) { try (["a": 1] as JSON).applying(patch: long) }
    }
}
