// SPDX-License-Identifier: Apache-2.0

/// How arrays and nested values are written in a query.
public struct QueryStyle: Sendable, Hashable {
    /// How the values of an array are written.
    public enum Arrays: Sendable, Hashable {
        /// `k[]=1&k[]=2`, the brackets as `%5B%5D`.
        case brackets
        /// `k=1&k=2`.
        case repeated
        /// `k=1,2`.
        case commas
    }

    /// How the values of an array are written.
    public var arrays: Arrays
    /// Whether brackets are sent unescaped, for servers that don't decode names; RFC 3986 requires them escaped.
    public var sendsLiteralBrackets: Bool

    /// Makes a style; by default `k%5B%5D=1&k%5B%5D=2`.
    public init(arrays: Arrays = .brackets, sendsLiteralBrackets: Bool = false) {
        self.arrays = arrays
        self.sendsLiteralBrackets = sendsLiteralBrackets
    }
}
