// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// Stage 3e without a network: answers a request with its fixture.
///
/// It is a class, so that a pipeline without it has only one empty reference.
final class FixtureBook: Sendable {
    private let fixtures: FixtureSet
    private let sendsOthers: Bool
    private let coders: CoderRegistry

    /// `nil` if all requests are sent.
    init?(_ settings: SettingValues) {
        let use = settings.value(FixtureUseKey.self)
        let fixtures = settings.value(FixturesKey.self)
        guard use == .only || use == .known && !fixtures.isEmpty else { return nil }
        self.fixtures = fixtures
        sendsOthers = use == .known
        coders = settings.coders
    }

    /// The response; `nil` if the request must be sent.
    func answer(_ request: TransportRequest) async throws -> TransportResponse? {
        try Task.checkCancellation()
        let path = FixtureSignature.path(of: request.target)
        var entry = try fixtures.entry(for: request.method.rawValue, request.origin, path)
        // HEAD is GET without the body (RFC 9110 section 9.3.2).
        if entry == nil, request.method == .head {
            entry = try fixtures.entry(for: HTTPRequest.Method.get.rawValue, request.origin, path)
        }
        guard let entry, let fixture = entry.fixture else {
            if sendsOthers { return nil }
            throw FixtureProblem("there is no fixture for \(request); there are \(known)")
        }
        return try await give(fixture, to: request, of: entry.signature, started: request.clock.now)
    }

    private var known: String {
        let all = fixtures.signatures
        let shown = all.prefix(20).map(\.description).joined(separator: ", ")
        return all.isEmpty ? "none" : all.count > 20 ? "\(shown) and \(all.count - 20) more" : shown
    }

    private func give(
        _ fixture: Fixture,
        to request: TransportRequest,
        of signature: FixtureSignature,
        started: ContinuousClock.Instant
    ) async throws -> TransportResponse {
        if case .sequence(let sequence) = fixture.content {
            guard let next = sequence.next() else {
                throw FixtureProblem("all \(sequence.count) answers of the fixture for \(signature) have been used")
            }
            return try await give(next, to: request, of: signature, started: started)
        }
        let sent = try await request.body.read { _ in }
        try await wait(fixture.delay, for: request, started: started)
        if case .failure(let failure) = fixture.content { throw failure }
        do {
            return try FixtureAnswer(fixture, to: request, coders: coders, sent: sent).response
        } catch let problem as FixtureProblem {
            throw problem
        } catch {
            throw FixtureProblem("the fixture for \(signature) can't be encoded: \(error)")
        }
    }

    /// Waits on the request's clock, within its time limits.
    private func wait(_ delay: Duration, for request: TransportRequest, started: ContinuousClock.Instant) async throws {
        guard delay > .zero else { return }
        let done = started + delay
        let silence = request.deadlines.idle.map { (TransportFailure.Phase.response, started + $0) }
        let total = request.deadlines.total.map { (TransportFailure.Phase.total, $0) }
        let first = [silence, total].compactMap(\.self).min { $0.1 < $1.1 }
        guard let (phase, limit) = first, limit < done else { return try await request.clock.sleep(until: done) }
        try await request.clock.sleep(until: limit)
        throw TransportFailure.timeout(
            phase,
            phase == .total ? "the call" : "waiting for the fixture's answer",
            limit: limit - started,
            elapsed: request.clock.now - started,
            fate: .unknown
        )
    }
}
