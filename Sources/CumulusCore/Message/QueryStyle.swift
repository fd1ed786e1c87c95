// SPDX-License-Identifier: Apache-2.0

/// The style of arrays, nested values and booleans in a query or a form.
///
/// An array that contains arrays or objects is written with indexes in every style, `k[0][a]=1&k[1][b]=2`: without
/// indexes, servers group the members differently.
public struct QueryStyle: Sendable, Hashable {
    /// The style of an array's values.
    public enum Arrays: Sendable, Hashable {
        /// `k[]=1&k[]=2`, with the brackets written as `%5B%5D`.
        case brackets
        /// `k[0]=1&k[1]=2`.
        case indexed
        /// `k=1&k=2`.
        case repeated
        /// `k=1,2`.
        case commas
    }

    /// The style of booleans; URI templates and the parameters of a service always use `true` and `false`.
    public enum Booleans: Sendable, Hashable {
        /// `true` and `false`.
        case literal
        /// `1` and `0`.
        case numeric
    }

    /// The style of an array's values.
    public var arrays: Arrays
    /// The style of booleans.
    public var booleans: Booleans
    /// Whether brackets are sent unescaped, for servers that don't decode names; RFC 3986 requires them to be escaped.
    public var sendsLiteralBrackets: Bool

    /// Creates a style; by default `k%5B%5D=1&k%5B%5D=2` and `k=true`.
    public init(arrays: Arrays = .brackets, booleans: Booleans = .literal, sendsLiteralBrackets: Bool = false) {
        self.arrays = arrays
        self.booleans = booleans
        self.sendsLiteralBrackets = sendsLiteralBrackets
    }
}
