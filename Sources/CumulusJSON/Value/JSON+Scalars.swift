// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

// Values held in variables: `["name": JSON(name), "n": JSON(count)]`. A nil becomes `null`.

extension JSON {
    /// Creates a string without parsing it; to parse text, use `JSON(parsing:)`.
    public init(_ string: (some StringProtocol)?) { self = string.map { .string(String($0)) } ?? .null }

    /// Creates a number from an integer of any width.
    public init(_ integer: (some BinaryInteger)?) { self = integer.map { .number(Number($0)) } ?? .null }

    /// Creates a number; `null` for infinities and NaN, since JSON has neither.
    public init(_ number: Double?) { self = number.flatMap { Number($0) }.map(JSON.number) ?? .null }

    /// Creates a number with the digits of a `Float`; `null` for infinities and NaN.
    public init(_ number: Float?) {
        self = number.flatMap { Number(text: Number.text(of: $0.description)) }.map(JSON.number) ?? .null
    }

    /// Creates a number with all its digits; `null` for NaN.
    public init(_ number: Decimal?) {
        self = number.flatMap { Number(text: $0.description) }.map(JSON.number) ?? .null
    }

    /// Creates `true` or `false`.
    public init(_ bool: Bool?) { self = bool.map(JSON.bool) ?? .null }

    /// Creates a string from a UUID, in lower case.
    public init(_ uuid: UUID?) { self = uuid.map { .string($0.uuidString.lowercased()) } ?? .null }
}
