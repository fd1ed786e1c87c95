// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Testing

@testable import CumulusCLI

@Suite(.serialized) struct NestedJSONTests {
    private static let bodies: [(items: [String], expected: String)] = [
        (["name=Ada", "age:=36"], #"{"name":"Ada","age":36}"#),
        (["a[b]=1", "a[c]:=2"], #"{"a":{"b":"1","c":2}}"#),
        (["tags[]=x", "tags[]=y"], #"{"tags":["x","y"]}"#),
        (["a[b][][c]=1"], #"{"a":{"b":[{"c":"1"}]}}"#),
        (["a[2]=x", "a[0]=y"], #"{"a":["y",null,"x"]}"#),
        (["[]=1", "[]:=2"], #"["1",2]"#),
        (["[0][id]:=1", "[1][id]:=2"], #"[{"id":1},{"id":2}]"#),
        (["a\\[b\\]=1"], #"{"a[b]":"1"}"#),
        (["a[\\1]=x"], #"{"a":{"1":"x"}}"#),
        (["1=x"], #"{"1":"x"}"#),
        (["a=1", "a=2"], #"{"a":"2"}"#),
        (["a:=null", "a[b]=1"], #"{"a":{"b":"1"}}"#),
        (["a:={\"b\":[1]}", "a[b][]:=2"], #"{"a":{"b":[1,2]}}"#),
        (["n:=1.10", "big:=12345678901234567890"], #"{"n":1.10,"big":12345678901234567890}"#),
        (["=x"], #"{"":"x"}"#),
    ]

    @Test(arguments: bodies)
    func putsValuesAtTheirPaths(items: [String], expected: String) throws {
        let plan = try plan(["post", "example.com"] + items)
        guard case .json(let json) = plan.body else {
            Issue.record("the body is not JSON")
            return
        }
        #expect(json.description == expected)
    }

    private static let mistakes: [(items: [String], reason: String)] = [
        (["a=1", "a[b]=2"], "expects an object, but an earlier item set a string"),
        (["a" + String(repeating: "[b]", count: 512) + "=1"], "has more than 512 levels"),
        (["a[]=1", "a[b]=2"], "expects an object, but an earlier item set an array"),
        (["a[b]=1", "a[]=2"], "expects an array, but an earlier item set an object"),
        (["a:=1", "a[0]=2"], "expects an array, but an earlier item set a number"),
        (["x=1", "[]=2"], "expects an array, but an earlier item set an object"),
        (["a[=1"], "has no closing ']'"),
        (["a]=1"], "expects '['"),
        (["a[b]c=1"], "expects '['"),
        (["a[b=1"], "needs a ']'"),
        (["a[[=1"], "expects a name, a number or ']'"),
        (["a[-1]=x"], "negative index"),
        (["a[100000]=x"], "index over"),
    ]

    @Test(arguments: mistakes)
    func refusesPathsThatFitNothing(items: [String], reason: String) {
        #expect(mistake(["post", "example.com"] + items)?.reason.contains(reason) == true)
    }

    @Test func keysAreReadAsSteps() throws {
        #expect(try NestedKey(parsing: "a[b][0][]").steps == [.member("a"), .member("b"), .element(0), .append])
        #expect(try NestedKey(parsing: "").steps == [.member("")])
        #expect(try NestedKey(parsing: "[x]").steps == [.member("x")])
        #expect(try NestedKey(parsing: "a[b\\]c]").steps == [.member("a"), .member("b]c")])
        #expect(try NestedKey(parsing: "a\\b").steps == [.member("a\\b")])
    }

    @Test("the time for many elements grows with their number, not with its square")
    func manyElements() throws {
        func cost(_ count: Int) throws -> Double {
            try ThreadTime.of {
                var nested = NestedJSON()
                for _ in 0..<count { try nested.put(true, at: "a[b][]") }
                #expect(nested.value?["a"]["b"].array?.count == count)
            }
        }
        let small = try (0..<3).map { _ in try cost(1_000) }.min() ?? 0
        // 32 times as many: 32 times the time, or 1024 times if it were the square.
        #expect(try cost(32_000) < 150 * small)
    }
}
