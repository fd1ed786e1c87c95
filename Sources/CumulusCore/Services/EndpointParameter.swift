// SPDX-License-Identifier: Apache-2.0

/// A value that a call of an endpoint takes.
public struct EndpointParameter: Sendable, Hashable {
    /// Where a value goes.
    public enum Place: String, Sendable, Hashable, CaseIterable {
        /// A variable of the template, whichever part of it that stands in.
        case path
        /// An item of the query.
        case query
        /// A header field.
        case header
        /// A member of the body: of its object, its form, or a part of it.
        case body
    }

    /// What kind of value it is: how a text of a command line is read, and what ``ServiceDescription/verify()`` expects.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Whatever it is; a text stays one.
        case any
        /// A text.
        case text
        /// A whole number.
        case integer
        /// A number.
        case number
        /// True or false.
        case boolean
        /// Several values; of a text, what stands between commas.
        case list
        /// Values by name; of a text, a JSON object.
        case map
        /// A file; of a text, its path.
        case file
    }

    /// The name by which a call gives it.
    public var name: String
    /// Where it goes.
    public var place: Place
    /// What the service calls it there; `nil` for ``name``.
    ///
    /// A template's variable is called as the template has it.
    public var field: String?
    /// What kind of value it is.
    public var kind: Kind
    /// Whether a call without it is refused.
    public var isRequired: Bool
    /// What is sent if a call doesn't say; `nil` for nothing.
    public var defaultValue: JSON?
    /// The texts that the service takes; empty for any.
    public var allowedValues: [String]
    /// What it is for, in a sentence.
    public var summary: String?

    /// Describes a parameter.
    public init(
        _ name: String,
        in place: Place = .query,
        field: String? = nil,
        kind: Kind = .any,
        required isRequired: Bool = false,
        default defaultValue: JSON? = nil,
        allowed allowedValues: [String] = [],
        summary: String? = nil
    ) {
        self.name = name
        self.place = place
        self.field = field
        self.kind = kind
        self.isRequired = isRequired
        self.defaultValue = defaultValue
        self.allowedValues = allowedValues
        self.summary = summary
    }

    /// What the service calls it.
    public var sentName: String { field ?? name }
}

extension EndpointParameter: ExpressibleByStringLiteral {
    /// An item of the query that a call may give.
    public init(stringLiteral name: String) { self.init(name) }
}
