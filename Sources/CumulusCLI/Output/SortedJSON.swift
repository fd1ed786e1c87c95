// SPDX-License-Identifier: Apache-2.0

/// JSON text with the members of its objects sorted by name; values stay unchanged, and members with equal names keep
/// their order.
struct SortedJSON {
    private indirect enum Value {
        case scalar(Range<Int>)
        case array([Value])
        case object([(name: Range<Int>, value: Value)])
    }

    private let bytes: [UInt8]
    private var tokens: JSONTokens

    /// The sorted text, without white space; `nil` if it is not valid JSON, or nested too deeply.
    static func text(of bytes: [UInt8], maximumDepth: Int) -> [UInt8]? {
        var sorting = SortedJSON(bytes: bytes, tokens: JSONTokens(bytes, maximumDepth: maximumDepth))
        guard let first = sorting.tokens.next(), let value = sorting.value(first), sorting.tokens.next() == nil,
            sorting.tokens.isWhole
        else { return nil }
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        sorting.write(value, to: &output)
        return output
    }

    private mutating func value(_ token: JSONTokens.Token) -> Value? {
        switch token.kind {
        case .string, .number, .word: return .scalar(token.place)
        case .open: return bytes[token.place.lowerBound] == UInt8(ascii: "{") ? object() : array()
        case .close, .colon, .comma, .name: return nil
        }
    }

    private mutating func array() -> Value? {
        var elements: [Value] = []
        while let token = tokens.next() {
            if token.kind == .close { return .array(elements) }
            if token.kind == .comma { continue }
            guard let element = value(token) else { return nil }
            elements.append(element)
        }
        return nil
    }

    private mutating func object() -> Value? {
        var members: [(name: Range<Int>, value: Value)] = []
        while let token = tokens.next() {
            if token.kind == .comma { continue }
            if token.kind == .close {
                let order = members.enumerated().sorted { one, other in
                    let (first, second) = (bytes[one.element.name], bytes[other.element.name])
                    return first == second ? one.offset < other.offset : first.lexicographicallyPrecedes(second)
                }
                return .object(order.map(\.element))
            }
            guard token.kind == .name, tokens.next()?.kind == .colon, let next = tokens.next(), let value = value(next)
            else { return nil }
            members.append((token.place, value))
        }
        return nil
    }

    private func write(_ value: Value, to output: inout [UInt8]) {
        switch value {
        case .scalar(let place): output += bytes[place]
        case .array(let elements):
            output.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                write(element, to: &output)
            }
            output.append(UInt8(ascii: "]"))
        case .object(let members):
            output.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                output += bytes[member.name]
                output.append(UInt8(ascii: ":"))
                write(member.value, to: &output)
            }
            output.append(UInt8(ascii: "}"))
        }
    }
}
