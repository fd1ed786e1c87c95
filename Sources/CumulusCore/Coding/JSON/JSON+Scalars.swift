// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

// Values held in variables: `["name": JSON(name), "n": JSON(count)]`. What is nil becomes `null`.

extension JSON {
    /// A string as it is, which is not parsed: `JSON(parsing:)` does that.
    public init(_ string: (some StringProtocol)?) { self = string.map { .string(String($0)) } ?? .null }

    /// An integer of any width.
    public init(_ integer: (some BinaryInteger)?) { self = integer.map { .number(Number($0)) } ?? .null }

    /// A number; `null` for what is infinite or no number, since JSON has neither.
    public init(_ number: Double?) { self = number.flatMap { Number($0) }.map(JSON.number) ?? .null }

    /// A number, in the digits of a `Float`; `null` for what is infinite or no number.
    public init(_ number: Float?) {
        self = number.flatMap { Number(text: Number.text(of: $0.description)) }.map(JSON.number) ?? .null
    }

    /// A number, to its last digit; `null` for what is not a number.
    public init(_ number: Decimal?) {
        self = number.flatMap { Number(text: $0.description) }.map(JSON.number) ?? .null
    }

    /// `true` or `false`.
    public init(_ bool: Bool?) { self = bool.map(JSON.bool) ?? .null }

    /// A UUID as a string, in lower case.
    public init(_ uuid: UUID?) { self = uuid.map { .string($0.uuidString.lowercased()) } ?? .null }
}
