// SPDX-License-Identifier: Apache-2.0

public import CumulusCore
public import ServiceLifecycle

/// A tree of resources, and the transport behind it, as a service that shuts down gracefully.
///
/// ```swift
/// let client = ClientService(site, limit: .seconds(20)) { await transport.shutdown() }
/// let group = ServiceGroup(services: [client, server], gracefulShutdownSignals: [.sigterm], logger: logger)
/// ```
///
/// List this service before the services that send requests: a group shuts down its services in reverse order, so those
/// services end first.
public struct ClientService: Service, CustomStringConvertible {
    private let root: Resource
    private let limit: Duration
    private let endTransport: @Sendable () async -> Void

    /// Creates the service of a tree.
    ///
    /// - Parameters:
    ///   - root: A resource of the tree; the whole tree is shut down.
    ///   - limit: The time that running calls may take after the shutdown has begun. Calls that take longer are
    ///     cancelled. Default: 20 seconds.
    ///   - endTransport: Shuts down the transport when the tree's calls have ended, for example with `{ await
    ///     transport.shutdown() }`. Its task is cancelled at the same limit; `NIOTransport` then ends its exchanges.
    ///     Default: nothing, for a transport that other code shuts down.
    public init(
        _ root: Resource,
        limit: Duration = .seconds(20),
        endTransport: @escaping @Sendable () async -> Void = {}
    ) {
        (self.root, self.limit, self.endTransport) = (root, limit, endTransport)
    }

    /// The tree's URL without secrets, which a service group uses as the service's name in its logs.
    public var description: String {
        guard let url = root.urlString else { return "an HTTP client" }
        return "the HTTP client of \(SecretRedaction.url(url, hiding: { _ in true }))"
    }

    /// Waits for the graceful shutdown of its service group, and then for the running calls.
    ///
    /// Once the shutdown has begun, new calls of the tree fail with `CumulusError.Code.shutdown`. If the task is
    /// cancelled, at any time, running calls are cancelled immediately.
    ///
    /// - Throws: `CancellationError` if the task is cancelled before a graceful shutdown.
    public func run() async throws {
        do {
            try await gracefulShutdown()
        } catch {
            await shutDown(within: .zero)
            throw error
        }
        await shutDown(within: limit)
    }

    private func shutDown(within limit: Duration) async {
        let clock = root.clock
        let end = clock.now + max(.zero, limit)
        await first(of: { [root] in await root.shutdown(.graceful) }, until: end, on: clock) { [root] in
            await root.shutdown(.immediate)
        }
        await first(of: endTransport, until: end, on: clock) {}
    }

    /// Runs work, and ends it at a limit: by other work, and by cancelling its task.
    private func first(
        of work: @escaping @Sendable () async -> Void,
        until end: ContinuousClock.Instant,
        on clock: any RequestClock,
        otherwise endWork: @escaping @Sendable () async -> Void
    ) async {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                await work()
                return true
            }
            group.addTask {
                // A cancellation ends the wait, too.
                try? await clock.sleep(until: end)
                return false
            }
            let isDone = await group.next() ?? true
            group.cancelAll()
            if !isDone { await endWork() }
        }
    }
}
