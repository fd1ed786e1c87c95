// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Several requests with one outcome.
///
/// ```swift
/// let outcome = await RequestGroup().run {
///     async let posts = site["posts"].get()
///     async let users = site["users"].get()
///     _ = try await (posts, users)
/// }
/// if outcome.isSuccess { show(outcome.responses) }
/// ```
///
/// A request belongs to the group if it is made in the work, or in a task that the work starts: membership goes with
/// the task, never with a thread.
public final class RequestGroup: Sendable {
    private let members = RequestMembers(collects: true)
    private let hasRun = Atomic(false)

    /// Makes a group without requests; it runs once.
    public init() {}

    /// A group was run a second time: its first outcome would be repeated, or mixed with another.
    public struct AlreadyRun: Error, Sendable, Hashable, CustomStringConvertible {
        /// What to do instead.
        public var description: String { "the group has already run: make a RequestGroup for each run" }
    }

    /// What became of a group's requests.
    public struct Outcome: Sendable {
        /// A result for each request, in the order in which they were made.
        public let results: [Result<Response, any Error>]
        /// The error that the work itself threw; often one of the requests' errors.
        public let error: (any Error)?

        /// The responses, whatever their status.
        public var responses: [Response] { results.compactMap { try? $0.get() } }
        /// The errors of requests that got no response, or whose response was refused.
        public var errors: [any Error] {
            results.compactMap { if case .failure(let error) = $0 { error } else { nil } }
        }
        /// Whether all requests were answered with success and the work threw nothing; true for none at all.
        public var isSuccess: Bool {
            error == nil && results.allSatisfy { (try? $0.get().isSuccessful) ?? false }
        }
    }

    /// Runs work and waits for all requests that were made in it, also in tasks that it left running.
    ///
    /// Cancelling the calling task cancels the group. A second run does nothing: its outcome is ``AlreadyRun``.
    ///
    /// - Parameter work: Makes the requests; an error that it throws is in the outcome.
    /// - Returns: The outcome of the requests.
    public func run(_ work: () async throws -> Void) async -> Outcome {
        if hasRun.exchange(true, ordering: .acquiringAndReleasing) { return Outcome(results: [], error: AlreadyRun()) }
        return await withTaskCancellationHandler {
            var thrown: (any Error)?
            do {
                try await RequestMembers.$current.withValue(RequestMembers.current + [members], operation: work)
            } catch {
                thrown = error
            }
            await members.waitUntilIdle()
            return Outcome(results: members.outcomes, error: thrown)
        } onCancel: {
            members.end()
        }
    }

    /// Cancels the group's requests; those that are made in it later are cancelled as they begin.
    ///
    /// - Returns: How many were cancelled.
    @discardableResult
    public func cancel() -> Int { members.end() }
}
