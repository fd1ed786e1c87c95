// SPDX-License-Identifier: Apache-2.0

extension Resource {
    /// What the server said last of its quota, to any request of the resource that sets ``Settings/tracksQuota`` or
    /// ``Settings/pace`` and below.
    ///
    /// What an answer leaves out stays as it was. `nil` if nothing was said, or neither is set.
    public var quota: RequestQuota? {
        guard let origin = try? place.address.get().origin else { return nil }
        return snapshot.gates.pace?.quota(of: origin)
    }

    /// ``quota`` as it is, and then each time it has changed; a slow reader gets the newest only.
    ///
    /// Ends at once if neither ``Settings/tracksQuota`` nor ``Settings/pace`` is set.
    public var quotas: AsyncStream<RequestQuota> {
        guard let origin = try? place.address.get().origin, let gate = snapshot.gates.pace else {
            return AsyncStream { $0.finish() }
        }
        return gate.quotas(of: origin)
    }

    /// How many requests may run at once now: ``Settings/maxConcurrentRequests``, or what
    /// ``Settings/adaptiveConcurrency`` has found out; 0 means no limit.
    public var concurrencyLimit: Int { max(0, snapshot.gates.limit?.limit ?? 0) }
}
