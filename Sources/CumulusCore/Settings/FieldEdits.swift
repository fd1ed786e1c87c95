// SPDX-License-Identifier: Apache-2.0

/// Which fields of a setting made of several a layer says something of.
///
/// A value that is made whole says all of them. One that is read from a layer, changed and written back, as in
/// `child.timeouts.connect = .seconds(1)`, adds only what was changed to the layer: the rest is still inherited.
struct FieldEdits: Sendable {
    /// A bit for each field that the layer says, or that was changed since the value was read.
    private(set) var fields: UInt8
    /// The layer that the value was read from; `nil` for a value that was made whole.
    private var source: ObjectIdentifier?

    /// All fields are said.
    static let all = FieldEdits(fields: .max)

    private init(fields: UInt8, source: ObjectIdentifier? = nil) {
        self.fields = fields
        self.source = source
    }

    /// Notes that a field was changed.
    mutating func note(_ field: UInt8) { fields |= 1 << field }

    func says(_ field: UInt8) -> Bool { fields & 1 << field != 0 }

    /// What a reader of a layer begins with: nothing changed yet.
    static func read(in layer: LayerContext) -> FieldEdits { FieldEdits(fields: 0, source: layer.identity) }

    /// Whether a value with these edits changes only single fields of a layer.
    func changes(_ layer: LayerContext) -> Bool { source != nil && source == layer.identity }

    /// What a layer says after these edits were written to it.
    func written(onto own: FieldEdits?) -> FieldEdits { FieldEdits(fields: fields | (own?.fields ?? 0)) }
}

/// A setting of several fields, each of which is inherited by itself.
protocol FieldwiseSetting: Sendable {
    var edits: FieldEdits { get set }

    /// Takes over the fields that the edits of another value say.
    mutating func take(_ other: Self)
}

extension FieldwiseSetting {
    /// The fields that the nearer layer says, the inherited value's for the rest.
    static func combine(inherited: Self, own: Self) -> Self {
        var combined = inherited
        combined.take(own)
        return combined
    }

    /// A value made whole takes the layer's place; one that was read from the layer adds its changes.
    func written(onto own: Self?, in layer: LayerContext) -> Self {
        guard edits.changes(layer) else {
            var whole = self
            whole.edits = .all
            return whole
        }
        var changed = own ?? self
        if own != nil { changed.take(self) }
        changed.edits = edits.written(onto: own?.edits)
        return changed
    }

    /// The value as a view of a layer.
    func readFromLayer(_ layer: LayerContext) -> Self {
        var view = self
        view.edits = .read(in: layer)
        return view
    }
}
