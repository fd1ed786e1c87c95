// SPDX-License-Identifier: Apache-2.0

/// Decides who may use which token, who waits and who renews it: a value without I/O and without a clock.
struct TokenState {
    /// A caller's next step.
    enum Step {
        case use(HeldToken)
        /// Wait for a token request; if it fails, an older token may do.
        case wait(SharedWork<HeldToken>, orElse: HeldToken?)
        /// The same, and the caller starts it.
        case begin(SharedWork<HeldToken>, orElse: HeldToken?)
        /// A renewal has just failed, with this error.
        case fail(any Error)
        /// The refused token is not one of ours.
        case stranger
    }

    /// How long after a failure no new attempt is made.
    static let pause = Duration.seconds(1)
    /// How many replaced tokens are remembered, since requests that used them may still be refused.
    private static let mostReplaced = 16

    private(set) var held: HeldToken?
    private(set) var flight: SharedWork<HeldToken>?
    private var failure: (error: any Error, until: Moment)?
    private var replaced: [String] = []

    /// The latest token, even if it has expired: a renewal starts from it.
    private(set) var latest: HeldToken?

    /// The step of a request without a proof.
    mutating func ask(at now: Moment) -> Step {
        let good = held.flatMap { held in held.end.map { now < $0 } ?? true ? held : nil }
        if let good {
            let isDue = good.renewal.map { now >= $0 } ?? false
            // One caller renews it early; others continue with the current one in the meantime.
            if !isDue || flight != nil || isPaused(at: now) { return .use(good) }
            return begin(orElse: good)
        }
        if let flight { return .wait(flight, orElse: nil) }
        if let failure, now < failure.until { return .fail(failure.error) }
        return begin(orElse: nil)
    }

    /// The step of a request whose proof was refused.
    mutating func refuse(_ header: String, at now: Moment) -> Step {
        if let held, held.header == header {
            forget()
            return ask(at: now)
        }
        guard replaced.contains(header) else { return .stranger }
        // There is a newer token.
        return ask(at: now)
    }

    /// Starts a renewal in any case, unless one is running.
    mutating func insist() -> Step {
        if let flight { return .wait(flight, orElse: nil) }
        return begin(orElse: nil)
    }

    /// Notes the result of a token request.
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

    /// Forgets everything.
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
