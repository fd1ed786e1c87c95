// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Types of every kind that Codable supports, for comparing our coders with Foundation's.
enum JSONSamples {
    struct Nested: Codable, Hashable, Sendable {
        struct Inner: Codable, Hashable, Sendable {
            var values: [[Int]]
            var name: String?
        }
        var inner: Inner
        var list: [Inner]
        var absent: Inner?
        var flag: Bool
    }

    struct Integers: Codable, Hashable, Sendable {
        var int8 = Int8.min
        var int16 = Int16.max
        var int32 = Int32.min
        var int64 = Int64.min
        var int = Int.max
        var uint8 = UInt8.max
        var uint16 = UInt16.max
        var uint32 = UInt32.max
        var uint64 = UInt64.max
        var uint = UInt.max
        var none: Int?
        var some: UInt8? = 7
    }

    struct Floats: Codable, Hashable, Sendable {
        var doubles: [Double] = [
            0, -0.0, 1, 0.1, 1e300, .leastNonzeroMagnitude, 1.7976931348623157e308, -12345.678, 1e21, 100,
        ]
        var floats: [Float] = [0, 0.1, 3.4028235e38, .leastNonzeroMagnitude, -2, 16_777_216]
        var double: Double = 1 / 3
        var float: Float = 1 / 3
        var optional: Double?
    }

    struct PlainArrays: Codable, Hashable, Sendable {
        var strings = ["", "short", "a string that is longer than fifteen bytes"]
        var integers = [0, -1, Int.max, Int.min]
        var doubles = [0.5, -2, 1e300]
        var nested = [[1, 2], [], [3]]
        var empty: [String] = []
    }

    /// Encodes a member, an array and an object, each twice.
    struct Repeated: Codable, Hashable, Sendable {
        var a = 1
        var b = [2]
        var c = ["x": 3]

        init() {}

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode("replaced", forKey: .a)
            try container.encode(["replaced"], forKey: .b)
            var nested = container.nestedContainer(keyedBy: CodingKeys.self, forKey: .c)
            try nested.encode("replaced", forKey: .a)
            try container.encode(a, forKey: .a)
            try container.encode(b, forKey: .b)
            try container.encode(c, forKey: .c)
        }
    }

    /// A key's letters in reverse; it isn't called for indexes such as "Index 0".
    @Sendable static func reversedKey(_ path: [any CodingKey]) -> any CodingKey {
        Spelled(stringValue: String((path.last?.stringValue ?? "").reversed()))
    }

    struct Spelled: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    @Sendable static func encodeCount(_ data: Data, to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode("\(encoder.codingPath.count) \(data.count)")
    }

    @Sendable static func decodeCount(from decoder: any Decoder) throws -> Data {
        let text = try decoder.singleValueContainer().decode(String.self)
        return Data("\(decoder.codingPath.count) \(text)".utf8)
    }

    enum Payload: Codable, Hashable, Sendable {
        case plain
        case unlabeled(Int, String)
        case labeled(name: String, count: Int?)
        indirect case deep(Payload)
    }

    enum Level: String, Codable, Hashable, CodingKeyRepresentable {
        case low, high
    }

    struct Foundational: Codable, Hashable, Sendable {
        var date = Date(timeIntervalSince1970: 1_700_000_000)
        var data = Data([0, 1, 2, 250, 251, 252, 253])
        var url = URL(string: "https://example.com/a%20b?q=1#f")
        var decimal = Decimal(string: "1234567890.0123456789")
        var uuid = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
        var range = 1..<5
        var set: Set<Int> = [3]
    }

    struct Dictionaries: Codable, Hashable, Sendable {
        var strings = ["one_key": 1, "é": 3, "": 4]
        var integers = [1: "one", -5: "minus five"]
        var levels: [Level: Int] = [.low: 1, .high: 2]
        var pairs: [Double: String] = [1.5: "x"]
        var nested = ["some_key": ["other_key": Payload.plain]]
    }

    struct SnakeCased: Codable, Hashable, Sendable {
        struct Part: Codable, Hashable, Sendable {
            var somePartName: String
            var _leadingOne = 1
            var trailingOne_ = 2
        }
        var firstName: String
        var aUrl: String
        var myUrlProperty: Int
        var x: Int
        var part: Part
        var partsByName: [String: Part]
        var userId2: Int
    }

    class Animal: Codable {
        var name = "animal"
        private enum CodingKeys: CodingKey { case name }

        init() {}
        required init(from decoder: any Decoder) throws {
            name = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .name)
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(name, forKey: .name)
        }
    }

    final class Dog: Animal, Hashable {
        var tricks = ["sit", "roll"]
        private enum CodingKeys: CodingKey { case tricks, parent }

        override init() { super.init() }
        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            tricks = try container.decode([String].self, forKey: .tricks)
            try super.init(from: container.superDecoder())
            _ = try Animal(from: container.superDecoder(forKey: .parent))
        }
        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try super.encode(to: container.superEncoder())
            try super.encode(to: container.superEncoder(forKey: .parent))
            try container.encode(tricks, forKey: .tricks)
        }
        static func == (left: Dog, right: Dog) -> Bool { left.name == right.name && left.tricks == right.tricks }
        func hash(into hasher: inout Hasher) { hasher.combine(name) }
    }

    /// Uses every kind of nested container manually.
    struct Manual: Codable, Hashable, Sendable {
        var numbers = [1, 2, 3]
        private enum Keys: String, CodingKey { case wrapper, list, extra, numbers }

        init() {}
        init(from decoder: any Decoder) throws {
            let outer = try decoder.container(keyedBy: Keys.self)
            let wrapper = try outer.nestedContainer(keyedBy: Keys.self, forKey: .wrapper)
            numbers = try wrapper.decode([Int].self, forKey: .numbers)
            var list = try outer.nestedUnkeyedContainer(forKey: .list)
            var inner = try list.nestedUnkeyedContainer()
            while !inner.isAtEnd { numbers.append(try inner.decode(Int.self)) }
            _ = try list.nestedContainer(keyedBy: Keys.self).decode(Bool.self, forKey: .extra)
            guard try list.decodeNil() else { return }
            numbers.append(try Int(from: list.superDecoder()))
            numbers.removeLast(4)
        }
        func encode(to encoder: any Encoder) throws {
            var outer = encoder.container(keyedBy: Keys.self)
            var list = outer.nestedUnkeyedContainer(forKey: .list)
            var wrapper = outer.nestedContainer(keyedBy: Keys.self, forKey: .wrapper)
            var inner = list.nestedUnkeyedContainer()
            for number in numbers { try inner.encode(number) }
            var extra = list.nestedContainer(keyedBy: Keys.self)
            try list.encodeNil()
            try 9.encode(to: list.superEncoder())
            try extra.encode(true, forKey: .extra)
            try wrapper.encode(numbers, forKey: .numbers)
            try outer.encodeNil(forKey: .extra)
        }
    }

    struct Empty: Codable, Hashable, Sendable {}

    struct Wrapped<Value: Codable & Hashable>: Codable, Hashable {
        var value: Value
    }

    static let nested = Nested(
        inner: .init(values: [[1, 2], [], [3]], name: "a \"quoted\" / é 😀\n"),
        list: [.init(values: [], name: nil), .init(values: [[]], name: "")],
        absent: nil,
        flag: true
    )

    static let payloads: [Payload] = [
        .plain, .unlabeled(1, "x"), .labeled(name: "n", count: nil), .labeled(name: "n", count: 2),
        .deep(.deep(.plain)),
    ]

    static let snakeCased = SnakeCased(
        firstName: "Ada",
        aUrl: "u",
        myUrlProperty: 1,
        x: 2,
        part: .init(somePartName: "p"),
        partsByName: ["someKey": .init(somePartName: "q"), "other_key": .init(somePartName: "r")],
        userId2: 3
    )
}
