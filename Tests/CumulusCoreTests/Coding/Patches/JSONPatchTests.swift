// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CumulusCore

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
    func patchesLeadFromOneValueToTheOther(seed: Int) throws {
        var numbers = SeededNumbers(UInt64(seed))
        let (old, new) = (Self.value(&numbers, depth: 3), Self.value(&numbers, depth: 3))
        #expect(try old.applying(patch: old.patch(to: new)) == new)
        #expect(old.patch(to: old) == [])
        if let patch = try? old.mergePatch(to: new) { #expect(old.applying(mergePatch: patch) == new) }
        #expect(try old.carrying(from: old, to: new) == new)
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

    @Test func patchesSayNoMoreThanWhatDiffers() throws {
        let old: JSON = ["a": 1, "b": ["x", "y", "z"], "c": ["d": 1, "e": 2], "g": 1]
        let new: JSON = ["a": 1, "b": ["x", "z"], "c": ["d": 1, "e": 3], "f": nil]
        #expect(
            old.patch(to: new) == [
                ["op": "remove", "path": "/g"], ["op": "remove", "path": "/b/1"],
                ["op": "replace", "path": "/c/e", "value": 3], ["op": "add", "path": "/f", "value": nil],
            ]
        )
        #expect(throws: JSONPatchProblem.self) { try old.mergePatch(to: new) }
        let mergeable: JSON = ["a": 1, "b": ["x", nil], "c": ["d": 1, "e": 3]]
        #expect(try old.mergePatch(to: mergeable) == ["g": nil, "b": ["x", nil], "c": ["e": 3]])
    }

    @Test func aDifferenceIsCarriedOntoADocumentThatHasMore() throws {
        let document = try json(
            #"{"z":1e400,"id":7,"list":[{"id":1,"x":"one"},{"id":2,"x":"two"},{"id":3,"x":"three"}],"old":1,"n":null}"#
        )
        let before: JSON = ["id": 7, "list": [["id": 1], ["id": 2], ["id": 3]], "old": 1]
        let after: JSON = ["id": 8, "list": [["id": 1], ["id": 30], ["id": 4]], "n": 5, "new": true]
        let changed = try document.carrying(from: before, to: after)
        let wanted =
            #"{"z":1e400,"id":8,"list":[{"id":1,"x":"one"},{"id":30,"x":"two"},{"id":4,"x":"three"}],"n":5,"new":true}"#
        #expect(changed.description == wanted)
        // One element less: the others keep the members that the type doesn't have.
        let shorter = try document.carrying(from: before, to: ["id": 7, "list": [["id": 1], ["id": 3]], "old": 1])
        #expect(shorter["list"].description == #"[{"id":1,"x":"one"},{"id":3,"x":"three"}]"#)
        #expect(throws: JSONPatchProblem.self) {
            try document.carrying(from: ["list": [["id": 1]]], to: ["list": [["id": 5]]])
        }
    }
}
