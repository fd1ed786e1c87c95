// SPDX-License-Identifier: Apache-2.0

/// Who may use which token, who waits and who renews it: a value without I/O and without a clock.
struct TokenState {
    /// What a caller does.
    enum Step {
        case use(HeldToken)
        /// Waits for a request for a token; if that fails, an older one may do.
        case wait(SharedWork<HeldToken>, orElse: HeldToken?)
        /// The same, and the caller begins it.
        case begin(SharedWork<HeldToken>, orElse: HeldToken?)
        /// A renewal failed a moment ago, and this is what it failed with.
        case fail(any Error)
        /// The token that was refused is none of these.
        case stranger
    }

    /// For how long after a failure nobody tries again.
    static let pause = Duration.seconds(1)
    /// How many tokens that were replaced are remembered, since requests that had one may still be refused.
    private static let mostReplaced = 16

    private(set) var held: HeldToken?
    private(set) var flight: SharedWork<HeldToken>?
    private var failure: (error: any Error, until: Moment)?
    private var replaced: [String] = []

    /// The latest token, good or not: what a renewal begins with.
    private(set) var latest: HeldToken?

    /// What a request without a proof does.
    mutating func ask(at now: Moment) -> Step {
        let good = held.flatMap { held in held.end.map { now < $0 } ?? true ? held : nil }
        if let good {
            let isDue = good.renewal.map { now >= $0 } ?? false
            // One renews it early, and whoever comes meanwhile goes on with what there is.
            if !isDue || flight != nil || isPaused(at: now) { return .use(good) }
            return begin(orElse: good)
        }
        if let flight { return .wait(flight, orElse: nil) }
        if let failure, now < failure.until { return .fail(failure.error) }
        return begin(orElse: nil)
    }

    /// What a request does whose proof was refused.
    mutating func refuse(_ header: String, at now: Moment) -> Step {
        if let held, held.header == header {
            forget()
            return ask(at: now)
        }
        guard replaced.contains(header) else { return .stranger }
        // Another one has been got since.
        return ask(at: now)
    }

    /// Begins a renewal whatever there is, unless one is under way.
    mutating func insist() -> Step {
        if let flight { return .wait(flight, orElse: nil) }
        return begin(orElse: nil)
    }

    /// Takes note of how a request for a token ended.
    mutating func end(_ ended: SharedWork<HeldToken>, _ result: Result<HeldToken, any Error>, at now: Moment) {
        guard flight === ended else { return }
        flight = nil
        switch result {
        case .success(let new):
            if held !== new { forget() }
            held = new
            latest = new
            failure = nil
        case .failure(let error): failure = (error, now + TokenState.pause)
        }
    }

    /// Forgets the token.
    mutating func forget() {
        guard let old = held else { return }
        if !replaced.contains(old.header) { replaced.append(old.header) }
        if replaced.count > TokenState.mostReplaced { replaced.removeFirst() }
        held = nil
    }

    /// Forgets everything that there was.
    mutating func clear() {
        forget()
        latest = nil
        failure = nil
        flight = nil
    }

    private func isPaused(at now: Moment) -> Bool { failure.map { now < $0.until } ?? false }

    private mutating func begin(orElse good: HeldToken?) -> Step {
        let flight = SharedWork<HeldToken>(outlivesWaiters: true)
        self.flight = flight
        return .begin(flight, orElse: good)
    }
}
