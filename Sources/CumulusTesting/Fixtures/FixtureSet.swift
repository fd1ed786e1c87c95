// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
public import HTTPTypes

/// Fixtures by signature, or one layer of them: the nearest layer takes precedence, and exact signatures take
/// precedence over patterns.
///
/// Reading a signature returns the nearest fixture for exactly that signature. Writing sets the fixture in one layer;
/// `nil` masks an inherited one.
public struct FixtureSet: Sendable {
    /// A layer's entry for a signature; without a fixture it is a mask.
    struct Entry: Sendable {
        var signature: FixtureSignature
        var fixture: Fixture?
    }

    /// The entries of one layer, in the order in which they were added.
    private struct Layer: Sendable {
        private(set) var entries: [Entry] = []
        private var places: [FixtureSignature: Int] = [:]

        init() {}

        /// Creates a layer; of repeated signatures, the first counts.
        init(_ entries: some Sequence<Entry>) {
            for entry in entries where places[entry.signature] == nil { set(entry) }
        }

        func entry(of signature: FixtureSignature) -> Entry? { places[signature].map { entries[$0] } }

        mutating func set(_ entry: Entry) {
            if let place = places[entry.signature] {
                entries[place] = entry
            } else {
                places[entry.signature] = entries.count
                entries.append(entry)
            }
        }

        mutating func remove(_ signature: FixtureSignature) {
            guard places[signature] != nil else { return }
            self = Layer(entries.filter { $0.signature != signature })
        }

        /// The layer with paths that begin at a resource.
        func bound(to layer: LayerContext) -> Layer {
            if entries.allSatisfy(\.signature.isBound) { return self }
            return Layer(entries.map { Entry(signature: $0.signature.bound(to: layer), fixture: $0.fixture) })
        }
    }

    private enum Edit: Sendable {
        case set(Entry)
        case inherit(FixtureSignature)
    }

    /// The nearest layer first.
    private var layers: [Layer] = []
    private var edits: [Edit] = []
    private var source: LayerContext?

    /// Creates an empty set.
    public init() {}

    /// The fixture for a signature; `nil` masks an inherited one.
    public subscript(signature: FixtureSignature) -> Fixture? {
        get {
            let signature = place(signature)
            return layers.lazy.compactMap { $0.entry(of: signature) }.first?.fixture
        }
        set { apply(.set(Entry(signature: place(signature), fixture: newValue))) }
    }

    /// The fixture for a method at the set's own resource; `nil` masks an inherited one.
    public subscript(method: HTTPRequest.Method) -> Fixture? {
        get { self[FixtureSignature(method)] }
        set { self[FixtureSignature(method)] = newValue }
    }

    /// Adds the fixtures of another set; if both contain a signature, the fixture of the other set is used.
    public mutating func add(_ other: FixtureSet) {
        for entry in other.layers.reversed().flatMap(\.entries) {
            apply(.set(Entry(signature: place(entry.signature), fixture: entry.fixture)))
        }
    }

    /// Removes this layer's entry for a signature, so that the inherited fixture applies again.
    public mutating func inherit(_ signature: FixtureSignature) { apply(.inherit(place(signature))) }

    /// The signatures with fixtures, with the nearest layer's first.
    public var signatures: [FixtureSignature] {
        var said: Set<FixtureSignature> = []
        // Of equal signatures the nearest counts, even if it is a mask.
        return allEntries.filter { said.insert($0.signature).inserted && $0.fixture != nil }.map(\.signature)
    }

    /// Whether there are no entries, including masks.
    public var isEmpty: Bool { layers.allSatisfy(\.entries.isEmpty) }

    private var allEntries: [Entry] { layers.flatMap(\.entries) }

    private func place(_ signature: FixtureSignature) -> FixtureSignature {
        source.map { signature.bound(to: $0) } ?? signature
    }

    private mutating func apply(_ edit: Edit) {
        if source != nil { edits.append(edit) }
        carryOut(edit)
    }

    private mutating func carryOut(_ edit: Edit) {
        if layers.isEmpty { layers = [Layer()] }
        switch edit {
        case .set(let entry): layers[0].set(entry)
        case .inherit(let signature): layers[0].remove(signature)
        }
    }

    /// The entry for a request: the nearest layer's, and within it an exact signature before a pattern.
    ///
    /// HEAD is GET without the body (RFC 9110 section 9.3.2), unless the layer names HEAD.
    ///
    /// - Returns: `nil` if no layer has an entry; an entry without a fixture for a mask.
    func entry(for method: HTTPRequest.Method, _ origin: Origin, _ path: String) throws(FixtureProblem) -> Entry? {
        for layer in layers.lazy.map(\.entries) {
            if method == .head,
                let own = try FixtureSet.match(layer.filter { $0.signature.method == "HEAD" }, "HEAD", origin, path)
            {
                return own
            }
            let name = method == .head ? "GET" : method.rawValue
            if let entry = try FixtureSet.match(layer, name, origin, path) { return entry }
        }
        return nil
    }

    private static func match(
        _ layer: [Entry],
        _ method: String,
        _ origin: Origin,
        _ path: String
    ) throws(FixtureProblem) -> Entry? {
        var pattern: Entry?
        for entry in layer {
            if let problem = entry.signature.problem { throw problem }
            guard entry.signature.matches(method, origin, path) else { continue }
            if entry.signature.isLiteral { return entry }
            if pattern == nil { pattern = entry }
        }
        return pattern
    }
}

// MARK: Layers

extension FixtureSet {
    /// This layer's fixtures before those that it inherits.
    func combined(over inherited: FixtureSet) -> FixtureSet {
        var whole = self
        whole.layers += inherited.layers
        return whole
    }

    /// The same set, which notes its changes.
    func readFromLayer(_ layer: LayerContext) -> FixtureSet {
        var read = self
        read.edits = []
        read.source = layer
        return read
    }

    /// The layer's own fixtures, whose paths begin at its resource.
    func written(onto own: FixtureSet?, in layer: LayerContext) -> FixtureSet {
        var changed = FixtureSet()
        if source == layer {
            changed = own ?? changed
            for edit in edits { changed.carryOut(edit) }
        } else {
            changed.layers = [Layer(allEntries)]
        }
        changed.layers = changed.layers.map { $0.bound(to: layer) }
        return changed
    }
}

extension FixtureSet: ExpressibleByDictionaryLiteral {
    /// Creates a set from a literal; if a signature is repeated, its last fixture is used.
    public init(dictionaryLiteral pairs: (FixtureSignature, Fixture?)...) {
        for (signature, fixture) in pairs { self[signature] = fixture }
    }
}

extension FixtureSet: CustomStringConvertible {
    /// The signatures with their fixtures.
    public var description: String {
        allEntries.map { "\($0.signature): \($0.fixture.map { "\($0)" } ?? "(masked)")" }.joined(separator: "; ")
    }
}
