// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Foundation

/// What is read is written and read again as the same value, and Foundation reads the same.
enum JSONTarget: FuzzTarget {
    static let name = "json"

    static func check(_ input: UnsafeRawBufferPointer) {
        let json = try? JSON(parsing: input)
        if let json { checkWriting(json) }
        checkDepth(input, json)
        checkFoundation(input, json)
    }

    private static func checkWriting(_ json: JSON) {
        let text = json.encoded()
        expect((try? JSON(parsing: text)) == json, "what was written reads as another value")
        for options in [JSON.WritingOptions.prettyPrinted, .sortedKeys] {
            let again = try? JSON(parsing: json.encoded(options))
            expect(again == json, "written with options \(options.rawValue), it reads as another value")
        }
        expect((try? JSON(parsing: text))?.encoded() == text, "written a second time, the text differs")
        expect((try? json.decode(as: JSON.self)) == json, "decoded as JSON, it is another value")
    }

    private static func checkDepth(_ input: UnsafeRawBufferPointer, _ json: JSON?) {
        do {
            let shallow = try JSON(parsing: input, maximumDepth: 3)
            expect(shallow == json, "a depth limit changes the value")
        } catch {
            expect(json == nil || error.reason == .tooDeep, "a depth limit gives the error \(error)")
            expect(error.offset <= input.count, "an error is behind the end")
        }
    }

    /// Compares with Foundation's decoder through one `Decodable` type.
    ///
    /// Left out is what the two are meant to see differently: other encodings than UTF-8, which Foundation guesses from
    /// NUL bytes and marks; broken UTF-8, which it overlooks in what isn't asked for; members with the same key, of
    /// which it keeps the first and `JSON` the last; and exponents of three digits and more, with which it takes a
    /// number for 0 that isn't. Foundation also allows a comma before a closing bracket, and takes large numbers with a
    /// fraction for integers.
    private static func checkFoundation(_ input: UnsafeRawBufferPointer, _ json: JSON?) {
        guard !input.contains(0), !input.starts(with: [0xFE, 0xFF]), !input.starts(with: [0xFF, 0xFE]) else { return }
        guard String(validating: input, as: UTF8.self) != nil, !hasLongExponent(input) else { return }
        let theirs = try? JSONDecoder().decode(FuzzedValue.self, from: Data(input))
        let ours = json.flatMap { try? $0.decode(as: FuzzedValue.self) }
        let outline = Outline(input)
        if let found = theirs ?? ours, found.memberCount != outline.colons { return }
        if ours == nil, outline.hasTrailingComma { return }
        expect(ours == theirs, "Foundation reads \(String(describing: theirs)), we \(String(describing: ours))")
    }

    private static func hasLongExponent(_ input: UnsafeRawBufferPointer) -> Bool {
        input.indices.contains { index in
            guard input[index] | 0x20 == UInt8(ascii: "e") else { return false }
            let digits = input[(index + 1)...].drop { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }
            return digits.prefix { $0 &- UInt8(ascii: "0") < 10 }.count > 2
        }
    }
}

/// What stands outside of strings.
private struct Outline {
    /// One for each member that was written.
    private(set) var colons = 0
    private(set) var hasTrailingComma = false

    init(_ input: UnsafeRawBufferPointer) {
        var (isQuoted, isEscaped, isAfterComma) = (false, false, false)
        for byte in input {
            if isEscaped {
                isEscaped = false
                continue
            }
            switch byte {
            case UInt8(ascii: "\\"): isEscaped = isQuoted
            case UInt8(ascii: "\""): isQuoted.toggle()
            case _ where isQuoted: break
            case UInt8(ascii: ":"): colons += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"): if isAfterComma { hasTrailingComma = true }
            default: break
            }
            if byte > 0x20 { isAfterComma = byte == UInt8(ascii: ",") && !isQuoted }
        }
    }
}

/// Any JSON value, as a `Decodable` type sees it.
private indirect enum FuzzedValue: Decodable, Equatable {
    case null, bool(Bool), integer(Int64), float(Double), string([UInt8]), array([FuzzedValue])
    case object([String: FuzzedValue])

    static func == (left: FuzzedValue, right: FuzzedValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.float(let left), .float(let right)): left == right
        case (.integer(let integer), .float(let float)), (.float(let float), .integer(let integer)):
            abs(Double(integer) - float) <= abs(float) * 1e-15
        case (.string(let left), .string(let right)): left == right
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }

    var memberCount: Int {
        switch self {
        case .object(let object): object.values.reduce(object.count) { $0 + $1.memberCount }
        case .array(let array): array.reduce(0) { $0 + $1.memberCount }
        default: 0
        }
    }

    init(from decoder: any Decoder) throws {
        let single = try decoder.singleValueContainer()
        if single.decodeNil() {
            self = .null
        } else if let bool = try? single.decode(Bool.self) {
            self = .bool(bool)
        } else if let integer = try? single.decode(Int64.self) {
            self = .integer(integer)
        } else if let string = try? single.decode(String.self) {
            self = .string(Array(string.utf8))
        } else if let float = try? single.decode(Double.self) {
            self = .float(float)
        } else if let array = try? single.decode([FuzzedValue].self) {
            self = .array(array)
        } else {
            self = .object(try single.decode([String: FuzzedValue].self))
        }
    }
}
