// SPDX-License-Identifier: Apache-2.0

/// The list's view of a request, independent of its type.
protocol RunningSubject: Sendable {
    var origin: Origin { get }
    var path: String { get }
    /// The request as far as it is known, for errors.
    var bare: EncodedRequest { get }
    /// The node that the request was made on; `nil` for a request of no resource.
    var node: ResourceNode? { get }
}

extension RunningSubject {
    var node: ResourceNode? { bare.node }
}
