// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The layer of settings that is read or written, and the address of its resource, for a ``SettingKey``.
///
/// Two contexts are equal if they refer to the same layer.
public struct LayerContext: Sendable, Equatable {
    /// The origin of the layer's resource, if it has one.
    public let origin: Origin?
    /// The path of the layer's resource, encoded; `nil` if it has none.
    public let path: String?
    /// Distinguishes the layer from all others, so that a value read from it can be written back as changes.
    private let token = Token()

    private final class Token: Sendable {}

    var identity: ObjectIdentifier { ObjectIdentifier(token) }

    init(origin: Origin?, path: String? = nil) {
        self.origin = origin
        self.path = path
    }

    /// Whether two contexts refer to the same layer.
    public static func == (left: LayerContext, right: LayerContext) -> Bool { left.token === right.token }
}

/// What a value of a layer remembers: that it was read there, or which changes were written to it last.
///
/// Each change is written once, even if the variable that has them is written to its layer again.
enum LayerTrace: Sendable {
    case read(from: ObjectIdentifier, number: UInt64)
    case wrote(number: UInt64, count: Int)

    private static let readings = Atomic<UInt64>(0)

    /// The trace of a value that is just being read.
    static func reading(_ layer: LayerContext) -> LayerTrace {
        .read(from: layer.identity, number: readings.add(1, ordering: .relaxed).newValue)
    }

    var isReading: Bool { if case .read = self { true } else { false } }

    /// The changes that the layer's own value doesn't have yet, and its trace with them; `nil` if this one was not read
    /// there.
    func rest<Change>(
        of changes: [Change],
        for layer: LayerContext,
        after own: LayerTrace?
    ) -> (changes: ArraySlice<Change>, trace: LayerTrace)? {
        guard case .read(let origin, let number) = self, origin == layer.identity else { return nil }
        var known = 0
        if case .wrote(number, let count)? = own { known = count }
        return (changes.dropFirst(known), .wrote(number: number, count: changes.count))
    }
}
