// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes

/// Answers requests with fixtures; the others are refused, or sent by the transport behind it.
final class FixtureTransport: Transport {
    let capabilities: TransportCapabilities
    private let fixtures: FixtureSet
    private let coders: CoderRegistry
    /// `nil` if nothing is sent.
    private let next: (any Transport)?

    init(_ fixtures: FixtureSet, coders: CoderRegistry, next: (any Transport)?) {
        self.fixtures = fixtures
        self.coders = coders
        self.next = next
        var capabilities = next?.capabilities ?? TransportCapabilities()
        // A fixture may wait, so the call needs a task of its own.
        capabilities.attachesExchanges = false
        if next == nil {
            // It connects to nothing; addresses in URLs are checked before.
            capabilities.guardsAddresses = true
            capabilities.sendsTrailers = true
            capabilities.ignoresProxies = true
            capabilities.sendsNothing = true
        }
        self.capabilities = capabilities
    }

    var isOnOwnThread: Bool { next?.isOnOwnThread ?? false }

    /// The transport behind the fixtures, over another route: a fixture must not be stored as the service's response.
    func identity(at origin: Origin) -> TransportIdentity {
        (next?.identity(at: origin) ?? .anonymous).over("fixtures")
    }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        try Task.checkCancellation()
        do {
            if let found = try found(for: request) {
                return try await give(found.fixture, to: request, of: found.signature, started: request.clock.now)
            }
            guard let next else {
                throw FixtureProblem("there is no fixture for \(request); the fixtures are: \(known)")
            }
            return try await next.send(request)
        } catch let problem as FixtureProblem {
            throw CumulusError(.fixture, stage: .transmission, problem.description, cause: problem)
        }
    }

    /// The fixture for a request, with its signature; `nil` if there is none, or it is masked.
    private func found(for request: TransportRequest) throws -> (fixture: Fixture, signature: FixtureSignature)? {
        let path = FixtureSignature.path(of: request.target)
        let entry = try fixtures.entry(for: request.method, request.origin, path)
        return entry.flatMap { entry in entry.fixture.map { ($0, entry.signature) } }
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
                throw FixtureProblem("all \(sequence.count) responses of the fixture for \(signature) have been used")
            }
            return try await give(next.delayed(by: fixture.delay), to: request, of: signature, started: started)
        }
        let sent = try await request.body.read { _ in }
        _ = try await request.body.trailers()
        let pause = StubPause(request: request, started: started, answerer: "fixture")
        try await pause.wait(fixture.delay, phase: .response)
        if case .failure(let failure) = fixture.content { throw failure }
        do {
            return try FixtureResponse(fixture, to: request, coders: coders, sent: sent).response
        } catch let problem as FixtureProblem {
            throw problem
        } catch {
            throw FixtureProblem("the fixture for \(signature) can't be encoded: \(error)")
        }
    }
}

extension FixtureTransport {
    /// Puts fixtures before a transport, where there are any and they are used.
    static func before(_ next: any Transport, in settings: Resource.Settings) -> any Transport {
        let fixtures = settings.fixtures
        switch settings.fixtureUse {
        case .off: return next
        case .known: return fixtures.isEmpty ? next : FixtureTransport(fixtures, coders: settings.coders, next: next)
        case .only: return FixtureTransport(fixtures, coders: settings.coders, next: nil)
        }
    }
}
