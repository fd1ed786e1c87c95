// SPDX-License-Identifier: Apache-2.0

import CumulusJSON
import Foundation

/// A value that encodes itself in one of the ways that `Encoder` permits, usual or not.
indirect enum JSONRandomValue: Encodable {
    enum Enumeration: Encodable {
        case plain
        case unlabeled(JSONRandomValue, Int)
        case labeled(value: JSONRandomValue?, dates: [Date])
    }

    /// The use of a container; the key is ignored in arrays.
    enum Step {
        case value(JSONRandomValue)
        case null
        case object([(JSONRandomKey, Step)])
        case array([(JSONRandomKey, Step)])
        case superclass(JSONRandomValue)
        /// Encodes a value, and continues if that throws an error.
        case attempt(JSONRandomValue)
        /// Encodes the coding path or the count that the container reports.
        case report
        /// Keeps the nested container open, and writes it after the others.
        case late([(JSONRandomKey, Step)])
    }

    case leaf(any Encodable & Sendable)
    case optional(JSONRandomValue?)
    case list([JSONRandomValue])
    case strings([String: JSONRandomValue])
    case integers([Int: JSONRandomValue])
    case enumeration(Enumeration)
    case object([(JSONRandomKey, Step)])
    /// Two containers of one encoder.
    case twice([(JSONRandomKey, Step)], [(JSONRandomKey, Step)])
    case array([(JSONRandomKey, Step)])
    case single(JSONRandomValue)
    /// Replaces a value.
    case replaced(Int, JSONRandomValue)
    case path
    case nothing
    case failure

    struct Failure: Error {}

    func encode(to encoder: any Encoder) throws {
        switch self {
        case .leaf(let value): try value.encode(to: encoder)
        case .optional(let value): try value.encode(to: encoder)
        case .list(let values): try values.encode(to: encoder)
        case .strings(let members): try members.encode(to: encoder)
        case .integers(let members): try members.encode(to: encoder)
        case .enumeration(let value): try value.encode(to: encoder)
        case .object(let steps):
            var container = encoder.container(keyedBy: JSONRandomKey.self)
            try Self.take(steps, in: &container)
        case .twice(let first, let second):
            var container = encoder.container(keyedBy: JSONRandomKey.self)
            try Self.take(first, in: &container)
            var other = encoder.container(keyedBy: JSONSamples.Spelled.self)
            try other.encode(1, forKey: JSONSamples.Spelled(stringValue: "between"))
            try Self.take(second, in: &container)
        case .array(let steps):
            var container = encoder.unkeyedContainer()
            try Self.take(steps, in: &container)
        case .single(let value):
            var container = encoder.singleValueContainer()
            if case .leaf(let leaf) = value { try container.encode(leaf) } else { try container.encode(value) }
        case .replaced(let first, let value):
            var container = encoder.singleValueContainer()
            try container.encode(first)
            try container.encode(value)
        case .path:
            var container = encoder.singleValueContainer()
            try container.encode(encoder.codingPath.map { "\($0.stringValue) \($0.intValue ?? -1)" })
        case .nothing: break
        case .failure: throw Failure()
        }
    }

    private static func take(
        _ steps: [(JSONRandomKey, Step)],
        in container: inout KeyedEncodingContainer<JSONRandomKey>
    ) throws {
        var late: [(KeyedEncodingContainer<JSONRandomKey>, [(JSONRandomKey, Step)])] = []
        for (key, step) in steps {
            switch step {
            case .value(.leaf(let leaf)): try container.encode(leaf, forKey: key)
            case .value(let value): try container.encode(value, forKey: key)
            case .null: try container.encodeNil(forKey: key)
            case .object(let steps):
                var nested = container.nestedContainer(keyedBy: JSONRandomKey.self, forKey: key)
                try take(steps, in: &nested)
            case .array(let steps):
                var nested = container.nestedUnkeyedContainer(forKey: key)
                try take(steps, in: &nested)
            case .superclass(let value): try value.encode(to: container.superEncoder())
            case .attempt(let value): try? container.encode(value, forKey: key)
            case .report: try container.encode(container.codingPath.map(\.stringValue), forKey: key)
            case .late(let steps):
                late.append((container.nestedContainer(keyedBy: JSONRandomKey.self, forKey: key), steps))
            }
        }
        for (var nested, steps) in late { try take(steps, in: &nested) }
    }

    private static func take(_ steps: [(JSONRandomKey, Step)], in container: inout any UnkeyedEncodingContainer) throws
    {
        var late: [(any UnkeyedEncodingContainer, [(JSONRandomKey, Step)])] = []
        for (_, step) in steps {
            switch step {
            case .value(.leaf(let leaf)): try container.encode(leaf)
            case .value(let value): try container.encode(value)
            case .null: try container.encodeNil()
            case .object(let steps):
                var nested = container.nestedContainer(keyedBy: JSONRandomKey.self)
                try take(steps, in: &nested)
            case .array(let steps):
                var nested = container.nestedUnkeyedContainer()
                try take(steps, in: &nested)
            case .superclass(let value): try value.encode(to: container.superEncoder())
            case .attempt(let value): try? container.encode(value)
            case .report: try container.encode(container.count)
            case .late(let steps): late.append((container.nestedUnkeyedContainer(), steps))
            }
        }
        for (var nested, steps) in late {
            try take(steps, in: &nested)
            try container.encode(nested.count)
        }
    }
}

/// Any string as a key; some of them also have an integer.
struct JSONRandomKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    init(intValue: Int) {
        stringValue = String(intValue)
        self.intValue = intValue
    }
}
