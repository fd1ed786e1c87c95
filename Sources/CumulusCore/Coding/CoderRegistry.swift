// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The coders for Swift types, media types and file extensions.
///
/// A registry is a value type, and a setting that each layer can extend.
///
/// For encoding, the first match counts: the coder or media type that the payload names; the value's type; the
/// `Content-Type` of a header or setting; the extension of the request's path; JSON. With a `Content-Type` of JSON, a
/// string is encoded as a JSON string.
///
/// For decoding, the first match counts: the coder that the call names; the requested type; the response's
/// `Content-Type`; the extension of the request's path; the request's `Accept`, in order of preference; the first
/// bytes; JSON.
///
/// For a media type, the full name is matched first (`text/csv`), then patterns (`application/vnd.acme.*`), then the
/// suffix (`+json`), then `text/*`, then `*/*`. A coder that doesn't serve the type is skipped
/// (``BodyCoder/serves(_:)``). The last registration wins.
public struct CoderRegistry: Sendable {
    /// What a coder is registered for.
    enum Slot: Hashable, Sendable {
        case type(ObjectIdentifier)
        case mediaType(String)
        case pattern(MediaTypePattern)
        case fileExtension(String)
        case fallback
    }

    /// The coders; in a layer that extends the inherited ones, only its additions.
    private var coders: [Slot: any BodyCoder] = [:]
    /// The registrations since this was read from a layer.
    private var edits: [Slot: any BodyCoder] = [:]
    /// The layer it was read from: only the edits are written back to it.
    private var source: ObjectIdentifier?
    /// Whether it replaces the inherited coders.
    private var isWhole = true

    /// Creates a registry of the built-in coders: for JSON, JSON lines, text, forms, bytes and images.
    ///
    /// If it is assigned to a resource, it replaces all inherited coders.
    public init() {
        register(DataCoder(), for: Data.self, [UInt8].self)
        registerText(TextCoder())
        registerJSON(JSONCoder())
        register(FormCoder(), mediaTypes: ["application/x-www-form-urlencoded"])
        register(
            EncodedImageCoder(),
            for: [EncodedImage.self],
            mediaTypes: ["image/*"],
            fileExtensions: EncodedImage.Format.allCases.flatMap(\.fileExtensions)
        )
    }

    /// Registers a coder for Swift types, media types and file extensions, in one call.
    ///
    /// - Parameters:
    ///   - coder: The coder.
    ///   - types: The Swift types that the coder serves regardless of the media type, including their optionals.
    ///   - mediaTypes: The media types: full names (`text/csv`), suffixes (`+json`), ranges (`image/*`, `*/*`) and
    ///     patterns (`application/vnd.acme.*+json`).
    ///   - fileExtensions: The extensions of the request's path: `csv`.
    public mutating func register(
        _ coder: some BodyCoder,
        for types: [any Any.Type] = [],
        mediaTypes: [String] = [],
        fileExtensions: [String] = []
    ) {
        for type in types { set(coder, for: .type(ObjectIdentifier(type))) }
        for name in mediaTypes.map({ $0.lowercased() }) {
            set(coder, for: MediaTypePattern(name).map(Slot.pattern) ?? .mediaType(name))
        }
        for name in fileExtensions {
            set(coder, for: .fileExtension(String(name.lowercased().dropping("."))))
        }
    }

    /// Registers a coder for Swift types, regardless of the media type.
    public mutating func register(_ coder: some BodyCoder, for types: any Any.Type...) {
        register(coder, for: types)
    }

    /// Registers a coder for media types: full names (`text/csv`), suffixes (`+json`), ranges (`image/*`, `*/*`), and
    /// patterns, in which `*` matches any characters (`application/vnd.acme.*+json`).
    public mutating func register(_ coder: some BodyCoder, forMediaTypes names: String...) {
        register(coder, mediaTypes: names)
    }

    /// Registers a coder for requests whose path has an extension: `csv`.
    public mutating func register(_ coder: some BodyCoder, forFileExtensions names: String...) {
        register(coder, fileExtensions: names)
    }

    /// Registers a coder for JSON, for the lines of newline-delimited JSON, and for everything that no other coder
    /// serves, to use your own strategies.
    public mutating func registerJSON(_ coder: JSONCoder) {
        register(
            coder,
            for: [JSON.self],
            mediaTypes: ["application/json", "+json", "text/json"],
            fileExtensions: ["json"]
        )
        register(
            JSONLinesCoder(json: coder),
            mediaTypes: ["application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines"],
            fileExtensions: ["ndjson", "jsonl"]
        )
        set(coder, for: .fallback)
    }

    /// Registers a coder for text, and for ``Response/text``, to use your own charset or rules.
    public mutating func registerText(_ coder: TextCoder) {
        register(coder, for: [String.self], mediaTypes: ["text/*"], fileExtensions: ["txt", "html"])
    }

    /// The media type patterns that coders are registered for, the last one first.
    private(set) var patterns: [MediaTypePattern] = []

    private mutating func set(_ coder: some BodyCoder, for slot: Slot) {
        coders[slot] = coder
        if case .pattern(let pattern) = slot { note(pattern) }
        if source != nil { edits[slot] = coder }
    }

    private mutating func note(_ pattern: MediaTypePattern) {
        patterns.removeAll { $0 == pattern }
        patterns.insert(pattern, at: 0)
    }

    func coder(in slot: Slot) -> (any BodyCoder)? { coders[slot] }
}

extension CoderRegistry {
    /// Merges a nearer layer's registrations over these.
    func merging(_ nearer: CoderRegistry) -> CoderRegistry {
        if nearer.isWhole { return nearer }
        var merged = self
        merged.coders.merge(nearer.coders) { $1 }
        for pattern in nearer.patterns.reversed() { merged.note(pattern) }
        return merged
    }

    /// The registry as a reader of a layer gets it.
    func readFromLayer(_ layer: LayerContext) -> CoderRegistry {
        var read = self
        read.edits = [:]
        read.source = layer.identity
        return read
    }

    /// The registry to store in a layer after this was written to it.
    func written(onto own: CoderRegistry?, in layer: LayerContext) -> CoderRegistry {
        var written: CoderRegistry
        if let source, source == layer.identity {
            written = own ?? self
            if own == nil {
                written.coders = [:]
                written.patterns = []
                written.isWhole = false
            }
            written.coders.merge(edits) { $1 }
            for pattern in patterns.reversed() where edits[.pattern(pattern)] != nil { written.note(pattern) }
        } else {
            written = self
            written.isWhole = true
        }
        written.edits = [:]
        written.source = nil
        return written
    }

    /// The number of coders of each kind, for ``Resource/explain(_:)``.
    var summary: String {
        let names = coders.keys.compactMap { slot -> String? in
            switch slot {
            case .mediaType(let name): name
            case .fileExtension(let name): ".\(name)"
            case .pattern(let pattern): pattern.description
            case .type, .fallback: nil
            }
        }
        let types = coders.keys.count { if case .type = $0 { true } else { false } }
        return "coders for \(types) types" + (names.isEmpty ? "" : " and " + names.sorted().joined(separator: ", "))
    }
}

extension Resource.Settings {
    /// The coders for Swift types, media types and file extensions.
    ///
    /// Default: those of ``CoderRegistry/init()``. A layer's registrations are merged over the inherited ones, whose
    /// later changes still apply. A registry that you create replaces the inherited ones.
    public var coders: CoderRegistry {
        get { self[key: CodersKey.self] }
        set { self[key: CodersKey.self] = newValue }
    }
}

extension SettingValues {
    /// The coders; that of forms writes them in the query's style, unless it has its own.
    var coders: CoderRegistry { value(CodersKey.self).writingForms(value(QueryStyleKey.self)) }
}

/// The key of ``Resource/Settings/coders``.
enum CodersKey: HarmlessSettingKey {
    /// The built-in coders.
    static let defaultValue = CoderRegistry()
    /// The nearer registrations over the inherited ones.
    static func combine(inherited: CoderRegistry, own: CoderRegistry) -> CoderRegistry {
        inherited.merging(own)
    }
    /// What the coders are registered for.
    static func describe(_ value: CoderRegistry) -> String { value.summary }
}

extension CoderRegistry: MergedValue {}
