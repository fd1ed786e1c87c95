// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
public import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Header fields of a request, or one layer of them: ordered and case-insensitive.
///
/// `nil` masks the inherited value.
///
/// Fields are kept exactly as written, except that several `Cookie` fields are sent as one. An invalid name or value
/// fails the request with ``CumulusError/Code/invalidHeader`` and is never changed silently.
public struct Headers: Sendable, Hashable {
    /// One name with its values; `nil` values mask an inherited field.
    struct Entry: Sendable, Hashable {
        var name: Name
        var values: [String]?
    }

    /// A change of one name, which a layer applies without touching the others.
    enum Edit: Sendable, Hashable {
        case set(Entry)
        case add(Name, String)
        case inherit(Name)
    }

    private var list = EditedList<Entry, Edit>()

    private(set) var entries: [Entry] {
        get { list.elements }
        _modify { yield &list.elements }
    }
    /// The changes since this was read from a layer.
    private(set) var edits: [Edit] {
        get { list.edits }
        _modify { yield &list.edits }
    }

    /// Creates an empty collection.
    public init() {}

    init(entries: [Entry]) { self.entries = entries }

    /// Creates headers from the fields of a message.
    public init(_ fields: HTTPFields) {
        for field in fields { add(field.value, for: Name(field.name)) }
    }

    /// Creates headers from a dictionary, sorted by name, since a dictionary has no order.
    public init(_ fields: [String: String]) {
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) { add(value, for: Name(name)) }
    }

    /// Whether there are neither fields nor masks.
    public var isEmpty: Bool { list.isEmpty }

    /// The value of a field; `nil` if there is none.
    ///
    /// Several values are joined by a comma (RFC 9110 section 5.3); those of `Cookie` are joined by a semicolon.
    ///
    /// Setting it replaces all values of the name; setting `nil` masks the inherited value.
    public subscript(name: Name) -> String? {
        get { values(of: name).map { $0.joined(separator: name == .cookie ? "; " : ", ") } }
        set { apply(.set(Entry(name: name, values: newValue.map { [$0] }))) }
    }

    /// Returns all values of a field, in order; `nil` if there is none.
    public func values(of name: Name) -> [String]? { entries.first { $0.name == name }?.values }

    /// Adds a value to the field's values in this layer, which replace the inherited ones.
    ///
    /// Any value is allowed: a date is written in HTTP's format, a ``Secret`` reveals its value, and other values use
    /// their description.
    public mutating func add(_ value: some CustomStringConvertible, for name: Name) {
        apply(.add(name, Headers.text(of: value)))
    }

    /// Replaces all values of a field with any value, formatted as in ``add(_:for:)``.
    public mutating func set(_ value: some CustomStringConvertible, for name: Name) {
        apply(.set(Entry(name: name, values: [Headers.text(of: value)])))
    }

    /// A value as a field contains it.
    static func text(of value: any CustomStringConvertible) -> String {
        switch value {
        case let text as String: text
        case let date as Date: HTTPDate(date).description
        // A secret in a header is meant to be sent, not the redacted word.
        case let secret as Secret<String>: secret.revealed
        default: value.description
        }
    }

    /// Removes this layer's value for a name, so that the inherited value applies again.
    public mutating func inherit(_ name: Name) { apply(.inherit(name)) }

    private mutating func apply(_ edit: Edit) {
        if list.trace?.isReading == true { edits.append(edit) }
        carryOut(edit)
    }

    private mutating func carryOut(_ edit: Edit) {
        switch edit {
        case .set(let entry):
            if let index = entries.firstIndex(where: { $0.name == entry.name }) {
                entries[index] = entry
            } else {
                entries.append(entry)
            }
        case .add(let name, let value):
            if let index = entries.firstIndex(where: { $0.name == name }) {
                entries[index].values = (entries[index].values ?? []) + [value]
            } else {
                entries.append(Entry(name: name, values: [value]))
            }
        case .inherit(let name): entries.removeAll { $0.name == name }
        }
    }

    /// Returns these fields with nearer ones merged over them: a nearer field replaces the farther one of the same
    /// name, in its position.
    public func merging(_ nearer: Headers) -> Headers {
        if nearer.isEmpty { return self }
        var merged = self
        for entry in nearer.entries { merged.carryOut(.set(entry)) }
        return merged
    }

    /// The fields without masks and edits, as a reader of a layer gets them.
    func readFromLayer(_ layer: LayerContext) -> Headers {
        var read = self
        read.list.beginEdits(.reading(layer))
        return read
    }

    /// The layer's value after this one was written to it.
    func written(onto own: Headers?, in layer: LayerContext) -> Headers {
        guard let (rest, trace) = list.trace?.rest(of: edits, for: layer, after: own?.list.trace) else {
            var whole = self
            whole.list.beginEdits(nil)
            return whole
        }
        var changed = own ?? Headers()
        for edit in rest { changed.carryOut(edit) }
        changed.list.trace = trace
        return changed
    }

    /// Returns the fields as they are sent.
    ///
    /// - Throws: ``Malformation`` with the first field that can't be sent (RFC 9110 section 5).
    public func fields() throws(Malformation) -> HTTPFields {
        var fields = HTTPFields()
        for entry in entries {
            guard var values = entry.values else { continue }
            // RFC 6265 section 5.4: a request has one field for all of its cookies.
            if values.count > 1, entry.name == .cookie { values = [values.joined(separator: "; ")] }
            let name = try entry.name.fieldName()
            for value in values {
                guard HTTPField.isValidValue(value) else {
                    throw Malformation(
                        "the value of the header \(name) contains a control character, or begins or ends with a space"
                    )
                }
                fields.append(HTTPField(name: name, value: value))
            }
        }
        return fields
    }

    /// The reason why header fields can't be sent; the value is never quoted, since it may be a secret.
    public struct Malformation: Error, Sendable, Hashable, CustomStringConvertible {
        /// The field, and the problem.
        public let description: String

        init(_ description: String) { self.description = description }
    }
}

extension Headers: ExpressibleByDictionaryLiteral {
    /// Creates headers with the fields in the order of the literal; a repeated name adds a value, and `nil` masks the
    /// inherited one.
    ///
    /// Any value is allowed, as for ``add(_:for:)``: `["X-Page": 2, "If-Modified-Since": date]`.
    public init(dictionaryLiteral pairs: (Name, (any CustomStringConvertible)?)...) {
        for (name, value) in pairs {
            if let value {
                carryOut(.add(name, Headers.text(of: value)))
            } else {
                carryOut(.set(Entry(name: name, values: nil)))
            }
        }
    }
}

extension Headers: Redacted {
    /// One field per line; values whose names indicate a secret are redacted.
    public var description: String {
        entries.flatMap { entry in
            (entry.values ?? []).map { "\(entry.name.text): \(Redaction.value($0, of: entry.name.text))" }
        }.joined(separator: "\n")
    }
}

extension Headers {
    /// The fields whose names are safe to send to another origin.
    func keeping(_ safe: Set<Name>) -> Headers {
        var kept = self
        kept.entries.removeAll { !safe.contains($0.name) }
        return kept
    }
}

extension Headers {
    /// The names in order, without masked ones.
    public var names: [Name] { entries.filter { $0.values != nil }.map(\.name) }

    /// Whether names, values and masks are the same, in the same order.
    public static func == (left: Headers, right: Headers) -> Bool { left.entries == right.entries }

    /// Hashes names, values and masks.
    public func hash(into hasher: inout Hasher) { hasher.combine(entries) }
}

extension Headers: MergedValue {
    var addsNothing: Bool { isEmpty }
}
