// SPDX-License-Identifier: Apache-2.0

/// The elements of headers or of a query, with the changes since they were read from a layer.
///
/// One reference, since each stage of a request copies it; none for the empty list that most calls have.
struct EditedList<Element: Sendable, Edit: Sendable>: Sendable {
    private struct Parts: Sendable {
        var elements: [Element] = []
        var edits: [Edit] = []
        var trace: LayerTrace?
    }

    private var parts: Shared<Parts>?

    init() {}

    var isEmpty: Bool { parts?.value.elements.isEmpty ?? true }

    var elements: [Element] {
        get { parts?.value.elements ?? [] }
        _modify {
            var own = take()
            defer { parts = own }
            yield &own.value.elements
        }
    }

    /// The changes since the list was read from a layer.
    var edits: [Edit] {
        get { parts?.value.edits ?? [] }
        _modify {
            var own = take()
            defer { parts = own }
            yield &own.value.edits
        }
    }

    /// The layer from which the list was read; if it is written back there, only the edits are.
    var trace: LayerTrace? {
        get { parts?.value.trace }
        set {
            var own = take()
            own.value.trace = newValue
            parts = own
        }
    }

    /// Drops the changes so far, and sets where they come from.
    mutating func beginEdits(_ trace: LayerTrace?) {
        if parts == nil, trace == nil { return }
        edits = []
        self.trace = trace
    }

    /// Takes the parts out, so that they are written without a copy.
    private mutating func take() -> Shared<Parts> {
        let own = parts ?? Shared(Parts())
        parts = nil
        return own
    }
}
