// SPDX-License-Identifier: Apache-2.0

/// Which layer of settings is read or written, and where its resource is.
public struct LayerContext: Sendable {
    /// Where the layer's resource is; credentials are bound to it.
    public let origin: Origin?
    /// Tells the layer from all others, so that a view that was read from it can be written back as changes.
    let identity: ObjectIdentifier?

    init(origin: Origin?, owner: AnyObject? = nil) {
        self.origin = origin
        self.identity = owner.map(ObjectIdentifier.init)
    }
}
