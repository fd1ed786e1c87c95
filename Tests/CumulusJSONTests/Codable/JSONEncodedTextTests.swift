// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import CumulusJSON

/// Text that is written in sequence has the bytes of the tree's text, or there is the tree's error.
@Suite struct JSONEncodedTextTests {
    /// The bytes, or the error with its coding path.
    private func outcome(_ encode: () throws -> [UInt8]) -> String {
        do {
            return String(decoding: try encode(), as: UTF8.self)
        } catch EncodingError.invalidValue(let value, let context) {
            let path = context.codingPath.map { "\(type(of: $0)) \($0.stringValue) \($0.intValue ?? -1)" }
            return "invalid: \(type(of: value)) at \(path): \(context.debugDescription)"
        } catch {
            return "error: \(error)"
        }
    }

    private func expectSame(_ value: some Encodable, _ strategies: JSON.EncodingStrategies, _ comment: Comment? = nil) {
        let tree = outcome { try JSON(encoding: value, strategies: strategies).encoded() }
        let text = outcome { try JSON.encodedText(of: value, strategies: strategies) }
        // As bytes: strings are equal if they are canonically equivalent.
        let isSame = text.utf8.elementsEqual(tree.utf8)
        #expect(isSame, comment ?? "\(text) instead of \(tree)")
    }

    @Test(arguments: 0..<8)
    func randomValuesHaveTheBytesOfTheTree(seed: UInt64) {
        let count = SlowTests.rounds(1_250, of: 12_500)
        var direct = 0
        for number in 0..<UInt64(count) {
            let seed = seed << 32 | number
            var generator = JSONRandomGenerator(seed: seed)
            let (value, strategies) = (generator.value(depth: 5), generator.strategies())
            expectSame(value, strategies, "seed \(seed)")
            if JSONTextSession.text(of: value, strategies) != nil { direct += 1 }
        }
        print("\(count) random values, seeds from \(seed << 32): \(direct) written in sequence")
        #expect(direct > count / 3)
    }

    @Test func keysAreComparedByBytes() throws {
        let keys = ["K", "\u{212A}", "é", "e\u{301}", "\u{212B}", "A\u{30A}", "\u{E5}"]
        let value = JSONRandomValue.object(keys.map { (JSONRandomKey(stringValue: $0), .null) })
        let expected = "{\(keys.map { "\"\($0)\":null" }.joined(separator: ","))}"
        for value in [value, .list([value, value])] {
            let text = try #require(JSONTextSession.text(of: value, .init()))
            #expect(Array(text) == (try JSON(encoding: value).encoded()))
        }
        #expect(try JSON.encodedText(of: value) == Array(expected.utf8))
        // Conversion keeps the bytes of each.
        let pair = JSONRandomValue.object(["é", "e\u{301}"].map { (JSONRandomKey(stringValue: $0), .null) })
        let converted = try JSON(encoding: pair, strategies: .with { $0.keys = .convertToSnakeCase }).encoded()
        #expect(converted == Array("{\"é\":null,\"e\u{301}\":null}".utf8))
    }

    @Test func valuesOutOfSequenceAreEncodedIntoATree() {
        let a = JSONRandomKey(stringValue: "a")
        let leaf = JSONRandomValue.leaf(1)
        let values: [JSONRandomValue] = [
            .object([(a, .null), (a, .value(leaf))]),
            .object([(a, .late([(a, .value(leaf))])), (JSONRandomKey(stringValue: "b"), .null)]),
            .array([(a, .late([(a, .value(leaf))])), (a, .null)]),
            .object([(a, .attempt(.list([leaf, .failure])))]),
            .object([(a, .superclass(leaf)), (a, .superclass(leaf))]),
            .list([.replaced(1, leaf)]), .list([.leaf(Double.nan)]), .list([.failure]), .nothing,
        ]
        for value in values {
            #expect(JSONTextSession.text(of: value, .init()) == nil)
            expectSame(value, .init())
        }
    }

    @Test func usualValuesAreWrittenInSequence() {
        let values: [any Encodable] = [
            JSONSamples.nested, JSONSamples.payloads, JSONSamples.Integers(), JSONSamples.Floats(), JSONSamples.Dog(),
            JSONSamples.Foundational(), JSONSamples.Dictionaries(), JSONSamples.PlainArrays(), JSONSamples.snakeCased,
            (0..<200).map { ["first \($0)": $0, "last": -$0] },
            Dictionary(uniqueKeysWithValues: (0..<200).map { ("key \($0)", $0) }),
        ]
        for value in values {
            #expect(JSONTextSession.text(of: value, .init()) != nil)
            #expect(JSONTextSession.text(of: value, .with { $0.keys = .convertToSnakeCase }) != nil)
            expectSame(value, .init())
        }
    }

    @Test func containersStoredByATypeWriteNothingLater() throws {
        final class Store: Encodable {
            var containers: [any UnkeyedEncodingContainer] = []
            func encode(to encoder: any Encoder) throws {
                containers.append(encoder.unkeyedContainer())
                try containers[0].encode(1)
            }
        }
        let store = Store()
        #expect(try JSON.encodedText(of: store) == Array("[1]".utf8))
        try store.containers[0].encode(2)
        try store.containers[0].encode(["b": 3])
        #expect(store.containers[0].codingPath.isEmpty)
    }

    /// Nested values that note how much of the stack they take.
    private struct Nest: Encodable {
        final class Depth { var lowest = UInt.max }

        let inner: [Nest]
        let depth: Depth

        private enum CodingKeys: CodingKey { case inner }

        func encode(to encoder: any Encoder) throws {
            var place = 0
            withUnsafePointer(to: &place) { depth.lowest = min(depth.lowest, UInt(bitPattern: $0)) }
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(inner, forKey: .inner)
        }
    }

    @Test func textTakesNoMoreOfTheStackThanTheTree() throws {
        var place = 0
        let start = withUnsafePointer(to: &place) { UInt(bitPattern: $0) }
        func taken(_ encode: (Nest) throws -> Void) rethrows -> UInt {
            let depth = Nest.Depth()
            var value = Nest(inner: [], depth: depth)
            for _ in 0..<64 { value = Nest(inner: [value], depth: depth) }
            try encode(value)
            return start - depth.lowest
        }
        let tree = try taken { _ = try JSON(encoding: $0) }
        let text = taken { #expect(JSONTextSession.text(of: $0, .init()) != nil) }
        print("64 nested values take \(text / 64) bytes of the stack each, \(tree / 64) as a tree")
        #expect(text <= tree)
    }
}
