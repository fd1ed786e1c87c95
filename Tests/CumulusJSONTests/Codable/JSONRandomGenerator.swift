// SPDX-License-Identifier: Apache-2.0

import CumulusJSON
import Foundation
import TestSupport

/// Makes random values and strategies, which are the same for the same seed.
struct JSONRandomGenerator {
    private var numbers: SeededNumbers

    init(seed: UInt64) { numbers = SeededNumbers(seed) }

    mutating func value(depth: Int) -> JSONRandomValue {
        if depth == 0 || isTrue(1, of: 4) { return .leaf(leaf()) }
        switch random(40) {
        case 0..<4: return .optional(isTrue(1, of: 3) ? nil : value(depth: depth - 1))
        case 4..<9: return .list(some { $0.value(depth: depth - 1) })
        case 9..<13: return .strings(dictionary(depth) { $0.text() })
        case 13..<15: return .integers(dictionary(depth) { $0.random(9) - 4 })
        case 15: return .enumeration(.plain)
        case 16: return .enumeration(.unlabeled(value(depth: depth - 1), random(9)))
        case 17: return .enumeration(.labeled(value: isTrue(1, of: 3) ? nil : .leaf(leaf()), dates: [date()]))
        case 18..<29: return .object(steps(depth))
        case 29: return .twice(steps(depth, hasSuperclass: false), steps(depth, hasSuperclass: false))
        case 30..<35: return .array(steps(depth))
        case 35..<37: return .single(value(depth: depth - 1))
        case 37: return .path
        default: return unusual(depth)
        }
    }

    private mutating func unusual(_ depth: Int) -> JSONRandomValue {
        switch random(12) {
        case 0: .failure
        case 1: .leaf([Double.nan, .infinity, -.infinity][random(3)])
        case 2: .leaf(Decimal.nan)
        case 3: .replaced(random(9), value(depth: depth - 1))
        default: .nothing
        }
    }

    /// The steps of a container; nested ones of the same key are all objects, as encoders require.
    private mutating func steps(_ depth: Int, hasSuperclass: Bool = true) -> [(JSONRandomKey, JSONRandomValue.Step)] {
        // Most objects have no key twice.
        let areUnique = isTrue(3, of: 4)
        var steps = some { ($0.key(isUnique: areUnique), $0.step(depth - 1, areUnique: areUnique)) }
        if areUnique, hasSuperclass, isTrue(1, of: 12) {
            steps.append((JSONRandomKey(stringValue: ""), .superclass(value(depth: depth - 1))))
        }
        return steps
    }

    private mutating func step(_ depth: Int, areUnique: Bool) -> JSONRandomValue.Step {
        if depth <= 0 { return .value(.leaf(leaf())) }
        switch random(60) {
        case 0..<4: return .null
        case 4..<9: return .object(steps(depth))
        case 9..<14 where areUnique: return .array(steps(depth))
        case 14: return .attempt(value(depth: depth))
        case 15: return .attempt(.list([.leaf(1), .failure]))
        case 16..<19: return .report
        case 19: return .late(steps(depth))
        default: return .value(value(depth: depth))
        }
    }

    private mutating func leaf() -> any Encodable & Sendable {
        switch random(24) {
        case 0: isTrue(1, of: 2)
        case 1..<6: text()
        case 6: [0, 9, 10, 99, 100, 12345, -1, Int.max, Int.min][random(9)]
        case 7: [Int8.min, 7][random(2)]
        case 8: [Int16.max, 7][random(2)]
        case 9: [Int32.min, 7][random(2)]
        case 10: [Int64.max, 1_000_000_007][random(2)]
        case 11: [Int128.max, Int128.min, 0][random(3)]
        case 12: [UInt.max, UInt(Int.max), 7][random(3)]
        case 13: [UInt8.max, 7][random(2)]
        case 14: [UInt16.max, UInt16(random(1 << 16))][random(2)]
        case 15: UInt64.max - UInt64(random(20))
        case 16: [UInt128.max, UInt128(UInt64.max)][random(2)]
        case 17: [0, -0.0, 1, 0.1, 1e21, 1e300, .leastNonzeroMagnitude, -12345.678][random(8)] as Double
        case 18: [0, 0.1, 1e20, 3.4028235e38, -2][random(5)] as Float
        case 19: [1, 2, 3].prefix(random(4)).map { $0 * random(1 << 20) }
        case 20: some { $0.text() }
        case 21: [0.5, isTrue(1, of: 20) ? .nan : 1e300]
        default: foundational()
        }
    }

    private mutating func foundational() -> any Encodable & Sendable {
        switch random(9) {
        case 0, 1: date()
        case 2: Data(some { UInt8($0.random(256)) })
        case 3: Decimal(string: "-1234567890.0123456789") ?? 0
        case 4: UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F") ?? UUID()
        case 5: URL(string: "https://example.com/a%20b?q=\(random(9))#f") ?? URL(fileURLWithPath: "/")
        case 6: JSON.object(["a": [1, 2.5, nil, JSON(text())], "b": ["é": [:], "e\u{301}": 1]])
        case 7: JSONSamples.Repeated()
        default: JSONSamples.Manual()
        }
    }

    private mutating func date() -> Date {
        Date(timeIntervalSince1970: [0, 1.25, -62_135_596_800, 1e15, Double(random(1 << 31))][random(5)])
    }

    mutating func strategies() -> JSON.EncodingStrategies {
        var strategies = JSON.EncodingStrategies()
        strategies.dates = [.deferredToDate, .iso8601, .secondsSince1970, .millisecondsSince1970][random(4)]
        if isTrue(1, of: 4) { strategies.data = .deferredToData }
        if isTrue(1, of: 8) { strategies.data = .custom(JSONSamples.encodeCount) }
        if isTrue(1, of: 3) { strategies.keys = .convertToSnakeCase }
        if isTrue(1, of: 8) { strategies.keys = .custom(JSONSamples.reversedKey) }
        if isTrue(1, of: 2) {
            strategies.nonConformingFloats = .convertToString(positiveInfinity: "+", negativeInfinity: "-", nan: "\"")
        }
        return strategies
    }

    private mutating func key(isUnique: Bool) -> JSONRandomKey {
        if isTrue(1, of: 8) { return JSONRandomKey(intValue: random(isUnique ? 1 << 40 : 4)) }
        return JSONRandomKey(stringValue: isUnique ? "\(text())\(random(1 << 40))" : text())
    }

    private mutating func text() -> String { Self.texts[random(Self.texts.count)] }

    private mutating func dictionary<Key: Hashable>(
        _ depth: Int,
        _ key: (inout Self) -> Key
    ) -> [Key: JSONRandomValue] {
        Dictionary(some { (key(&$0), $0.value(depth: depth - 1)) }) { first, _ in first }
    }

    private mutating func some<Element>(_ make: (inout Self) -> Element) -> [Element] {
        (0..<random(isTrue(1, of: 40) ? 80 : 6)).map { _ in make(&self) }
    }

    private mutating func isTrue(_ cases: Int, of all: Int) -> Bool { random(all) < cases }
    private mutating func random(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &numbers) }

    /// Among others, canonically equivalent ones of the same and of different lengths.
    private static let texts = [
        "", "a", "b", "id", "fooBar", "foo_bar", "super", "é", "e\u{301}", "Å", "\u{212B}", "A\u{30A}", "K", "\u{212A}",
        ";", "\u{37E}", "\u{0}", "\n", "\u{1F}\u{7F}", "\"", "\\", "/", "a \"quoted\" one", "seven77", "eight888",
        "a key of more than fifteen bytes", "\u{E9} and more than fifteen bytes",
        "e\u{301} and more than fifteen bytes",
        "雲今日は晴れ天気が", "😀", "line\u{2028}\u{2029}", "fifteen\tbytes\\!", "the end of this text is escaped \u{1}",
    ]
}
