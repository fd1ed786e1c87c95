// SPDX-License-Identifier: Apache-2.0

/// Your own value that runs within requests: an ``Interceptor`` or an ``Authorizer``.
public protocol Hook: Sendable {
    /// Whether it may wait: for a network, a lock that is held for long, a person. To wait for `next` doesn't count.
    ///
    /// Default: true, and its requests run in tasks of their own, so that cancelling and deadlines reach it. One that
    /// only computes, such as a signature, says false and spares them.
    var mayWait: Bool { get }
}

extension Hook {
    /// It may.
    public var mayWait: Bool { true }
}
