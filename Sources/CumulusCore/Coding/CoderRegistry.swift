// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Which coder serves which Swift type, media type and file extension; a value, and a setting that layers add to.
///
/// To encode, asked in this order: the coder or media type that the payload names; the value's type; the `Content-Type` that a
/// header or setting gives; the extension of the request's path; JSON. A text under a `Content-Type` of JSON is a JSON
/// string.
///
/// To decode: the coder that the call names; the wanted type; the response's `Content-Type`; the extension of the
/// request's path; the request's `Accept`, what it likes best first; the first bytes; JSON.
///
/// For a media type, the whole name is asked first (`text/csv`), then patterns (`application/vnd.acme.*`), then the suffix
/// (`+json`), then `text/*`, then `*/*`.
/// A coder that doesn't serve the type is passed over (``BodyCoder/serves(_:)``). The last registration wins.
public struct CoderRegistry: Sendable {
    /// What a coder is registered for.
    enum Slot: Hashable, Sendable {
        case type(ObjectIdentifier)
        case mediaType(String)
        case pattern(MediaTypePattern)
        case fileExtension(String)
        case fallback
    }

    /// The coders; in a layer that adds to what it inherits, only those that it adds.
    private var coders: [Slot: any BodyCoder] = [:]
    /// What was registered since this was read from a layer.
    private var edits: [Slot: any BodyCoder] = [:]
    /// The layer it was read from: written back there, only the edits are.
    private var source: ObjectIdentifier?
    /// Whether it takes the place of what is inherited.
    private var isWhole = true

    /// The coders that Cumulus brings; assigned to a resource, they take the place of all that it inherits.
    public init() {
        register(DataCoder(), for: Data.self, [UInt8].self)
        registerText(TextCoder())
        registerJSON(JSONCoder())
        register(FormCoder(), mediaTypes: ["application/x-www-form-urlencoded"])
        register(
            PropertyListCoder(),
            for: [PropertyList.self],
            mediaTypes: ["application/x-plist", "text/x-plist", "application/xml", "text/xml", "+xml"],
            fileExtensions: ["plist", "xml"]
        )
        register(XMLTreeCoder(), for: XML.self)
        register(
            EncodedImageCoder(),
            for: [EncodedImage.self],
            mediaTypes: ["image/*"],
            fileExtensions: EncodedImage.Format.allCases.flatMap(\.fileExtensions)
        )
        register(
            JSONLinesCoder(),
            mediaTypes: ["application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines"],
            fileExtensions: ["ndjson", "jsonl"]
        )
    }

    /// Has a coder serve Swift types, media types and file extensions, in one call.
    ///
    /// - Parameters:
    ///   - coder: The coder.
    ///   - types: Swift types that it serves whatever the media type; their optionals too.
    ///   - mediaTypes: Whole names (`text/csv`), suffixes (`+json`), ranges (`image/*`, `*/*`), patterns
    ///     (`application/vnd.acme.*+json`).
    ///   - fileExtensions: What a request's path ends in: `csv`.
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

    /// Has a coder serve Swift types, whatever the media type.
    public mutating func register(_ coder: some BodyCoder, for types: any Any.Type...) {
        register(coder, for: types)
    }

    /// Has a coder serve media types: whole ones (`text/csv`), suffixes (`+json`), ranges (`image/*`, `*/*`),
    /// and patterns, in which `*` stands for any run of characters (`application/vnd.acme.*+json`).
    public mutating func register(_ coder: some BodyCoder, forMediaTypes names: String...) {
        register(coder, mediaTypes: names)
    }

    /// Has a coder serve requests whose path ends in an extension: `csv`.
    public mutating func register(_ coder: some BodyCoder, forFileExtensions names: String...) {
        register(coder, fileExtensions: names)
    }

    /// Has a coder serve JSON, and all that no other coder serves: for strategies of your own.
    public mutating func registerJSON(_ coder: JSONCoder) {
        register(
            coder,
            for: [JSON.self],
            mediaTypes: ["application/json", "+json", "text/json"],
            fileExtensions: ["json"]
        )
        set(coder, for: .fallback)
    }

    /// Has a coder serve text, and ``Response/text``: for a charset or rules of your own.
    public mutating func registerText(_ coder: TextCoder) {
        register(coder, for: [String.self], mediaTypes: ["text/*"], fileExtensions: ["txt", "html"])
    }

    /// The patterns of media types that coders are registered for, the last one first.
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
    /// A nearer layer's registrations over these.
    func merging(_ nearer: CoderRegistry) -> CoderRegistry {
        if nearer.isWhole { return nearer }
        var merged = self
        merged.coders.merge(nearer.coders) { $1 }
        for pattern in nearer.patterns.reversed() { merged.note(pattern) }
        return merged
    }

    /// What a reader of a layer gets.
    func readFromLayer(_ layer: LayerContext) -> CoderRegistry {
        var read = self
        read.edits = [:]
        read.source = layer.identity
        return read
    }

    /// What a layer holds after this was written to it.
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

    /// How many there are of each kind, for ``Resource/explain(_:)``.
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

extension Settings {
    /// Which coder serves which type, media type and file extension.
    ///
    /// Default: those of ``CoderRegistry/init()``. What a layer registers is merged over what it inherits, which goes
    /// on being inherited live; your own registry making takes its place.
    public var coders: CoderRegistry {
        get { self[CodersKey.self] }
        set { self[CodersKey.self] = newValue }
    }
}

/// The key of ``Settings/coders``.
enum CodersKey: SettingKey {
    /// The coders that Cumulus brings.
    static let defaultValue = CoderRegistry()
    /// The nearer registrations over the inherited ones.
    static func combine(inherited: CoderRegistry, own: CoderRegistry) -> CoderRegistry {
        inherited.merging(own)
    }
    /// Only what was registered is written.
    static func write(_ value: CoderRegistry, onto own: CoderRegistry?, in layer: LayerContext) -> CoderRegistry {
        value.written(onto: own, in: layer)
    }
    /// The merged registry.
    static func read(_ value: CoderRegistry, in layer: LayerContext) -> CoderRegistry {
        value.readFromLayer(layer)
    }
    /// What coders there are for.
    static func describe(_ value: CoderRegistry) -> String { value.summary }

    /// It reveals nothing to another origin.
    static var crossesOrigins: Bool { true }
}
