// SPDX-License-Identifier: Apache-2.0

extension Recovery {
    /// The memory of one sequence of attempts, on which the next decision depends.
    ///
    /// A value: the loop has one. The remaining bytes of a body are requested with a copy. Only the copy's challenges
    /// are taken over when their response has arrived. Each request of a download begins with a new memory.
    struct Memory: Sendable {
        private struct Parts: Sendable {
            var redirects: [Response.Redirect] = []
            var retries = 0
            var challenges = 0
            var hasAskedUnconditionally = false
            var refusedAuthors: Set<Int> = []
        }

        // Most calls have one attempt, so they have nothing to store or copy.
        private var parts: Shared<Parts>?

        init() {}

        /// The redirects that were followed.
        var redirects: [Response.Redirect] { parts?.value.redirects ?? [] }
        /// The number of requests that were sent again because something failed.
        var retries: Int { parts?.value.retries ?? 0 }
        /// The number of challenges to which authorizers have responded.
        var challenges: Int { parts?.value.challenges ?? 0 }
        /// The authorizers whose credentials were refused and replaced by those of another one; they no longer add
        /// theirs.
        var refusedAuthors: Set<Int> { parts?.value.refusedAuthors ?? [] }

        /// Whether the request was sent once more because a store couldn't use the response to its conditions.
        var hasAskedUnconditionally: Bool { parts?.value.hasAskedUnconditionally ?? false }

        mutating func follow(_ redirect: Response.Redirect) { change { $0.redirects.append(redirect) } }
        mutating func countRetry() { change { $0.retries += 1 } }
        mutating func countChallenge() { change { $0.challenges += 1 } }
        mutating func noteUnconditionalRequest() { change { $0.hasAskedUnconditionally = true } }
        mutating func refuse(_ author: Int) { change { $0.refusedAuthors.insert(author) } }

        /// Takes over the challenges of a request for the remaining bytes of a body, but not its redirects.
        mutating func takeChallenges(of other: Memory) {
            guard other.challenges != challenges || other.refusedAuthors != refusedAuthors else { return }
            change { ($0.challenges, $0.refusedAuthors) = (other.challenges, other.refusedAuthors) }
        }

        private mutating func change(_ change: (inout Parts) -> Void) {
            var changed = parts ?? Shared(Parts())
            parts = nil
            change(&changed.value)
            parts = changed
        }
    }
}

extension [Response.Redirect] {
    /// Whether one of these redirects led to another origin than that of the request that follows them.
    ///
    /// Credentials are not sent after that.
    func haveLeft(_ origin: Origin) -> Bool { contains { $0.request.origin != origin } }
}
