// SPDX-License-Identifier: Apache-2.0

/// The layer of settings that is read or written, and where its resource is.
struct LayerContext: Sendable {
    /// Where the layer's resource is; credentials are bound to it.
    let origin: Origin?
    /// The path of the layer's resource, encoded; fixtures are bound to it.
    let path: String?
    /// Distinguishes the layer from all others, so that a value read from it can be written back as changes.
    private let token = Token()

    private final class Token: Sendable {}

    var identity: ObjectIdentifier { ObjectIdentifier(token) }

    init(origin: Origin?, path: String? = nil) {
        self.origin = origin
        self.path = path
    }
}
