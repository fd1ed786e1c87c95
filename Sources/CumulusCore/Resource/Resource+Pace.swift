// SPDX-License-Identifier: Apache-2.0

extension Resource {
    /// The server's latest quota, from any response at or below the resource that sets ``Resource/Rules/tracksQuota`` or
    /// ``Resource/Rules/pace``.
    ///
    /// Values that a response leaves out stay the same. `nil` if the server sent none, or neither is set.
    public var quota: RequestQuota? {
        guard let origin = try? place.address.get().origin else { return nil }
        return snapshot.gates.pace?.quota(of: origin)
    }

    /// The current ``quota``, and then each change; a slow reader gets only the newest.
    ///
    /// Ends at once if neither ``Resource/Rules/tracksQuota`` nor ``Resource/Rules/pace`` is set.
    public var quotas: AsyncStream<RequestQuota> {
        guard let origin = try? place.address.get().origin, let gate = snapshot.gates.pace else {
            return AsyncStream { $0.finish() }
        }
        return gate.quotas(of: origin)
    }
}
