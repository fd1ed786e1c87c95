// SPDX-License-Identifier: Apache-2.0

/// Your own value that runs within requests: an ``Interceptor`` or an ``Authorizer``.
public protocol Hook: Sendable {
    /// Whether it may wait: for a network, a lock that is held for long, a person. Waiting for `next` doesn't count.
    ///
    /// Default: true. Its requests run in their own tasks, so that cancellation and deadlines reach it. Return false
    /// for a hook that only computes, such as a signature, to avoid those tasks.
    var mayWait: Bool { get }
}

extension Hook {
    /// True: the hook may wait.
    public var mayWait: Bool { true }
}
