// SPDX-License-Identifier: Apache-2.0

extension RequestGroup {
    /// The results of requests for values of one type.
    public struct Values<Value: Sendable>: Sendable {
        /// The result of each request, in the order of the calls.
        public let results: [Result<Value, any Error>]

        /// The values of the requests that succeeded, in order.
        public var values: [Value] { results.compactMap { try? $0.get() } }
        /// The errors of the requests that failed, in order.
        public var errors: [any Error] {
            results.compactMap { if case .failure(let error) = $0 { error } else { nil } }
        }
        /// Whether all requests succeeded; true if there were none.
        public var isSuccessful: Bool { errors.isEmpty }

        /// Returns all values, in order.
        ///
        /// - Throws: The first error, if there is one.
        public func get() throws -> [Value] { try results.map { try $0.get() } }
    }

    /// Sends requests concurrently and waits for all of them; a failure doesn't affect the others.
    ///
    /// ```swift
    /// let names = ["ada", "grace"]
    /// let users = await RequestGroup().values(of: names.map { site["users"][segment: $0].call(.get, as: User.self) })
    /// if users.isSuccessful { show(users.values) }
    /// ```
    ///
    /// The limits of their resources apply. Cancelling the calling task cancels the group. A group runs once: in a
    /// second run, each result is the error ``AlreadyRun``.
    ///
    /// - Parameter calls: The calls.
    /// - Returns: The result of each call.
    public func values<Value: Sendable>(of calls: [Call<Value>]) async -> Values<Value> {
        var found: [Int: Result<Value, any Error>] = [:]
        let outcome = await run {
            await withTaskGroup(of: (Int, Result<Value, any Error>).self) { tasks in
                for (index, call) in calls.enumerated() {
                    tasks.addTask {
                        do {
                            return (index, .success(try await call.send()))
                        } catch {
                            return (index, .failure(error))
                        }
                    }
                }
                for await (index, result) in tasks { found[index] = result }
            }
        }
        let missing = outcome.error ?? CancellationError()
        return Values(results: calls.indices.map { found[$0] ?? .failure(missing) })
    }
}
