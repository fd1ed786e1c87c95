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
/// if outcome.isSuccessful { show(outcome.responses) }
/// ```
///
/// A request belongs to the group if it is made by the work, or in a task that the work starts: membership follows the
/// task, never the thread.
public final class RequestGroup: Sendable {
    private let members = CallMembers(collects: true)
    private let hasRun = Atomic(false)

    /// Creates a group without requests.
    ///
    /// A group runs once.
    public init() {}

    /// The error for a second run of a group, which would repeat the first outcome or mix two outcomes.
    public struct AlreadyRun: Error, Sendable, Hashable, CustomStringConvertible {
        /// The problem, and what to do instead.
        public var description: String { "the group has already run: make a RequestGroup for each run" }
    }

    /// The outcome of a group's requests.
    public struct Outcome: Sendable {
        /// The result of each request, in the order in which the requests were made.
        public let results: [Result<Response, any Error>]
        /// The error that the work itself threw; often one of the requests' errors.
        public let error: (any Error)?

        /// The responses, regardless of their status.
        public var responses: [Response] { results.compactMap { try? $0.get() } }
        /// The errors of the requests that failed: those without a response, and those whose response is unsuccessful
        /// (``Response/failure``).
        public var errors: [any Error] {
            results.compactMap { result in
                switch result {
                case .success(let response): response.failure
                case .failure(let error): error
                }
            }
        }
        /// Whether all requests succeeded and the work threw no error; true if there were no requests.
        public var isSuccessful: Bool { error == nil && errors.isEmpty }
    }

    /// Runs work and waits for all requests made in it, including those in tasks that are still running when it ends.
    ///
    /// Cancelling the calling task cancels the group. A second run does nothing; its outcome contains the error
    /// ``AlreadyRun``.
    ///
    /// - Parameter work: Makes the requests; the outcome contains any error that it throws.
    /// - Returns: The outcome of the requests.
    public func run(_ work: () async throws -> Void) async -> Outcome {
        if hasRun.exchange(true, ordering: .acquiringAndReleasing) { return Outcome(results: [], error: AlreadyRun()) }
        return await withTaskCancellationHandler {
            var thrown: (any Error)?
            do {
                try await CallMembers.$current.withValue(CallMembers.current + [members], operation: work)
            } catch {
                thrown = error
            }
            await members.waitUntilIdle()
            return Outcome(results: members.outcomes, error: thrown)
        } onCancel: {
            members.end()
        }
    }

    /// Cancels the group's requests; requests that are made in it later are cancelled as they begin.
    ///
    /// - Returns: The number of cancelled requests.
    @discardableResult
    public func cancel() -> Int { members.end() }
}
