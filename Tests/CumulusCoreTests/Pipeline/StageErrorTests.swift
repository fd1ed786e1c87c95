// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

/// Each stage's failure has its stage and its request; cancellation passes unchanged.
@Suite struct StageErrorTests {
    struct Trouble: Error, CustomStringConvertible { let description = "trouble" }
    struct Stubborn: Encodable, Sendable {
        func encode(to encoder: any Encoder) throws { throw Trouble() }
    }
    struct Failing: Authorizer {
        let error: any Error
        func authorize(_ request: inout EncodedRequest) async throws { throw error }
        func intercept(
            _ request: EncodedRequest,
            next: InterceptorChain
        ) async throws -> TransportResponse { throw error }
    }

    /// A site whose stage fails with an error.
    private func site(failing stage: RequestStage, with error: any Error & Sendable) -> (Resource, Payload) {
        let transport = StubTransport { _ in
            switch stage {
            case .transmission: .failure(error)
            case .recovery: .response(.found, headers: [.location: "ftp://x/"])
            case .delivery: .script([.chunk([1]), .fail(error)])
            default: .json("{}")
            }
        }
        let site = Resource(
            stage == .addressing ? "nonsense" : "http://a.example/x?token=s3cret",
            transport: transport.watched
        ) {
            $0.retry = .never
        }
        switch stage {
        case .preflight: site.setRules { $0.preflights = [{ _ in throw error }] }
        case .interception: site.setRules { $0.interceptors = [Failing(error: error).intercept] }
        case .authorization: site.setRules { $0.authorizers = [.custom(Failing(error: error))] }
        case .validation: site.setRules { $0.validators = [{ _ in throw error }] }
        case .postProcessing: site.setRules { $0.postProcessors = [{ _, _ in throw error }] }
        default: break
        }
        return (site, stage == .encoding ? .value(Stubborn()) : .none)
    }

    private func failure(_ stage: RequestStage, _ error: any Error & Sendable) async -> any Error {
        let (site, payload) = site(failing: stage, with: error)
        do {
            if stage == .decoding {
                _ = try await site.post(payload, as: [Int].self)
            } else {
                _ = try await site.post(payload, as: JSON.self)
            }
            Issue.record("\(stage) did not fail")
            return error
        } catch {
            return error
        }
    }

    @Test(arguments: RequestStage.allCases) func saysItsStage(stage: RequestStage) async throws {
        let error = try #require(await failure(stage, Trouble()) as? CumulusError)
        #expect(error.stage == stage)
        #expect(!"\(error)".contains("s3cret"))
        #expect((error.request != nil) == (stage != .addressing))
    }

    @Test(arguments: RequestStage.allCases.filter { ![.addressing, .encoding, .recovery, .decoding].contains($0) })
    func letsCancellationPass(stage: RequestStage) async {
        #expect(await failure(stage, CancellationError()) is CancellationError)
    }

    static let kinds: [(TransportFailure.Kind, CumulusError.Code)] = [
        (.invalidRequest, .invalidRequest), (.unsupported, .unsupported), (.lookup, .lookup), (.connect, .connect),
        (.tls, .tls), (.timeout(.connect), .timeout), (.connectionClosed, .connectionClosed),
        (.truncated, .truncatedBody), (.malformedResponse, .malformedResponse), (.headerTooLarge, .headerTooLarge),
        (.requestBody, .requestBody), (.shutdown, .shutdown), (.other, .transport),
    ]

    @Test(arguments: kinds) func transportFailuresHaveTheirCodes(kind: TransportFailure.Kind, code: CumulusError.Code)
        async
    {
        let error = await failure(.transmission, TransportFailure(kind, "it failed")) as? CumulusError
        #expect(error?.code == code)
        #expect(error?.message == "it failed")
        let limit = kind == .timeout(.connect) ? " (connecting)" : ""
        #expect(error?.description == "\(code)\(limit) POST http://a.example/x?token=<redacted>: it failed")
    }

    @Test func aTimeoutSaysPhaseLimitAndElapsed() async {
        let failure = TransportFailure(.timeout(.idle), "silent", limit: .seconds(1), elapsed: .seconds(2))
        let error = await self.failure(.transmission, failure) as? CumulusError
        #expect(error?.phase == .idle)
        #expect(error?.limit == .seconds(1))
        #expect(error?.elapsed == .seconds(2))
    }

    @Test func aRefusedPreflightSendsNothing() async {
        let transport = StubTransport { _ in .text("ok") }
        let site = Resource("http://a.example", transport: transport.watched) {
            $0.preflights = [{ _ in throw Trouble() }]
        }
        await #expect(throws: CumulusError.self) { _ = try await site["a"].get() }
        #expect(transport.requests.isEmpty)
    }

    @Test(
        "CR, LF, NUL and spaces at the edge of a header are refused",
        arguments: [
            ("X-A", "a\r\nB: c"), ("X-A", "a\nb"), ("X-A", "a\0b"), ("X-A", " a"), ("X-A", "a\t"), ("X A", "b"),
            ("X-A:", "b"), ("", "b"), ("X-\r\nB", "c"),
        ]
    )
    func badHeadersAreRefused(name: String, value: String) async {
        let transport = StubTransport { _ in .text("ok") }
        let site = Resource("http://a.example", transport: transport.watched)
        for viaSetting in [true, false] {
            do {
                if viaSetting { site.setRules { $0.headers[Headers.Name(name)] = value } }
                _ = try await site.get(headers: viaSetting ? [:] : [Headers.Name(name): value])
                Issue.record("it was sent")
            } catch {
                #expect((error as? CumulusError)?.code == .invalidHeader)
                #expect((error as? CumulusError)?.stage == .encoding)
            }
            site.setRules { $0.inherit(\.headers) }
        }
        #expect(transport.requests.isEmpty)
    }
}
