// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// Decides who may use which token, who waits and who renews it: a value without I/O and without a clock.
struct TokenState {
    /// What a caller wants.
    enum Wish {
        /// Any good token.
        case token
        /// Another token than the refused one, by its header.
        case replacement(of: String)
        /// Any good token, or one for which a person signs in.
        case person
        /// A new token, even if there is one.
        case login
    }

    /// A caller's next step.
    enum Step {
        case use(HeldToken)
        /// Wait for a token request; if it fails, an older token may do.
        case wait(SharedWork<HeldToken>, orElse: HeldToken?)
        /// The same, and the caller starts it.
        case begin(SharedWork<HeldToken>, TokenSource.Occasion, orElse: HeldToken?)
        /// Wait for a token request, whatever its result, and ask again.
        case queue(SharedWork<HeldToken>)
        /// A renewal has just failed, with this error.
        case fail(any Error)
        /// The refused token is not one of ours, or another would be refused, too.
        case stranger
    }

    private struct Flight {
        let work: SharedWork<HeldToken>
        let isLogin: Bool
        /// Whether it ends when no caller waits for it any more.
        let needsWaiters: Bool
    }

    /// How long after a failure no new attempt is made.
    static let pause = Duration.seconds(1)
    /// How long nothing is renewed after a new token was refused at once: such a service would cost a renewal for each
    /// request.
    static let trial = Duration.seconds(5)
    /// How many replaced tokens are remembered, since requests that used them may still be refused.
    private static let mostReplaced = 16

    /// Whether a person must act in a login.
    let asksPerson: Bool
    private(set) var held: HeldToken?
    /// The latest token, even if it has expired: a renewal starts from it.
    private(set) var latest: HeldToken?
    /// The user that requests get a token of: another one after each login, each logout and each replaced user.
    ///
    /// It changes together with the token, so a request whose user was the same before and after it got its token has the
    /// token of that user.
    private(set) var identity = AuthorizerIdentity.unique()
    private var flight: Flight?
    private var failure: (error: any Error, until: ContinuousClock.Instant)?
    private var trialEnd: ContinuousClock.Instant?
    private var replaced: [String] = []

    init(asksPerson: Bool = false) { self.asksPerson = asksPerson }

    /// The running token request.
    var running: SharedWork<HeldToken>? { flight?.work }

    /// The next step of a caller.
    mutating func step(for wish: Wish, at now: ContinuousClock.Instant) -> Step {
        switch wish {
        case .token: ask(at: now)
        case .replacement(let header): refuse(header, at: now)
        case .person: askPerson(at: now)
        case .login:
            if let flight { flight.isLogin ? join(flight) : queue(flight) } else { begin(.login) }
        }
    }

    /// The token request to wait for before everything is forgotten: none that needs a person.
    func unsettled() -> SharedWork<HeldToken>? {
        guard let flight, !flight.needsWaiters else { return nil }
        _ = flight.work.enter()
        return flight.work
    }

    /// Notes the result of a token request.
    mutating func end(
        _ ended: SharedWork<HeldToken>,
        _ result: Result<HeldToken, any Error>,
        at now: ContinuousClock.Instant
    ) {
        guard let flight, flight.work === ended else { return }
        self.flight = nil
        switch result {
        case .success(let new):
            if held !== new { forget() }
            if let user = new.identity, user != identity { identity = latest == nil ? user.following(identity) : user }
            held = new
            latest = new
            failure = nil
            if flight.isLogin { trialEnd = nil }
        case .failure(is AbandonedLogin): break
        case .failure(let error): failure = (error, now + TokenState.pause)
        }
    }

    /// Notes that a request was refused again with the token that it got in place of a refused one.
    mutating func refuseAgain(_ header: String, at now: ContinuousClock.Instant) {
        if held?.header == header || replaced.contains(header) { trialEnd = now + TokenState.trial }
    }

    /// Forgets a login that ended because no caller waited for it.
    mutating func abandon(_ ended: SharedWork<HeldToken>) {
        if flight?.work === ended { flight = nil }
    }

    /// Forgets everything.
    mutating func clear() {
        forget()
        latest = nil
        identity = .unique()
        failure = nil
        flight = nil
        trialEnd = nil
    }

    private func good(at now: ContinuousClock.Instant) -> HeldToken? {
        held.flatMap { held in held.end.map { now < $0 } ?? true ? held : nil }
    }

    /// The step of a request without a proof.
    private mutating func ask(at now: ContinuousClock.Instant) -> Step {
        if let good = good(at: now) {
            let isDue = good.renewal.map { now >= $0 } ?? false
            // One caller renews it early; others continue with the current one in the meantime.
            if !isDue || flight != nil || isPaused(at: now) { return .use(good) }
            return begin(.need, orElse: good)
        }
        if let flight { return join(flight) }
        if let failure, now < failure.until { return .fail(failure.error) }
        return begin(.need)
    }

    /// The step of a request whose proof was refused.
    private mutating func refuse(_ header: String, at now: ContinuousClock.Instant) -> Step {
        if let held, held.header == header {
            if let trialEnd, now < trialEnd { return .stranger }
            forget()
            return ask(at: now)
        }
        guard replaced.contains(header) else { return .stranger }
        // There is a newer token.
        return ask(at: now)
    }

    /// The step of a request for which a person must sign in.
    private mutating func askPerson(at now: ContinuousClock.Instant) -> Step {
        if let good = good(at: now) { return .use(good) }
        if let flight { return flight.isLogin ? join(flight) : queue(flight) }
        if let failure, now < failure.until, !(failure.error is LoginNeeded) { return .fail(failure.error) }
        return begin(.person)
    }

    /// Forgets the token.
    private mutating func forget() {
        guard let old = held else { return }
        if !replaced.contains(old.header) { replaced.append(old.header) }
        if replaced.count > TokenState.mostReplaced { replaced.removeFirst() }
        held = nil
    }

    private func isPaused(at now: ContinuousClock.Instant) -> Bool { failure.map { now < $0.until } ?? false }

    private func join(_ flight: Flight) -> Step {
        _ = flight.work.enter()
        return .wait(flight.work, orElse: nil)
    }

    private func queue(_ flight: Flight) -> Step {
        _ = flight.work.enter()
        return .queue(flight.work)
    }

    private mutating func begin(_ occasion: TokenSource.Occasion, orElse good: HeldToken? = nil) -> Step {
        let needsWaiters = occasion != .need && asksPerson
        let work = SharedWork<HeldToken>(outlivesWaiters: !needsWaiters)
        flight = Flight(work: work, isLogin: occasion != .need, needsWaiters: needsWaiters)
        return .begin(work, occasion, orElse: good)
    }
}
