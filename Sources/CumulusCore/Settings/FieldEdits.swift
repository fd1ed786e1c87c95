// SPDX-License-Identifier: Apache-2.0

/// The fields that a layer sets of a setting with several fields.
///
/// A value made by an initializer sets all of them. A value that is read from a layer, changed and written back, as in
/// `child.timeouts.connect = .seconds(1)`, sets only the changed fields: the others are still inherited.
struct FieldEdits: Sendable {
    /// A bit for each field that the layer sets, or that was changed since the value was read.
    private(set) var fields: UInt8
    /// The layer that the value was read from; `nil` for a value made by an initializer.
    private var source: ObjectIdentifier?

    /// All fields are set.
    static let all = FieldEdits(fields: .max)

    private init(fields: UInt8, source: ObjectIdentifier? = nil) {
        self.fields = fields
        self.source = source
    }

    /// Records that a field was changed.
    mutating func note(_ field: UInt8) { fields |= 1 << field }

    func says(_ field: UInt8) -> Bool { fields & 1 << field != 0 }

    /// The edits of a value that was just read from a layer: none yet.
    static func read(in layer: LayerContext) -> FieldEdits { FieldEdits(fields: 0, source: layer.identity) }

    /// Whether a value with these edits changes only single fields of a layer.
    func changes(_ layer: LayerContext) -> Bool { source != nil && source == layer.identity }

    /// The fields that a layer sets after these edits were written to it.
    func written(onto own: FieldEdits?) -> FieldEdits { FieldEdits(fields: fields | (own?.fields ?? 0)) }
}

/// A setting of several fields, each of which is inherited separately.
protocol FieldwiseSetting: Sendable {
    var edits: FieldEdits { get set }

    /// Copies the fields that the edits of another value set.
    mutating func take(_ other: Self)
}

extension FieldwiseSetting {
    /// The fields that the nearer layer sets, and the inherited ones for the rest.
    static func combine(inherited: Self, own: Self) -> Self {
        var combined = inherited
        combined.take(own)
        return combined
    }

    /// The layer's value after this one was written: replaced by a value made by an initializer, otherwise with the
    /// changes merged in.
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
