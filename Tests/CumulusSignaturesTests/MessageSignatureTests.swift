// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusSignatures

/// The authorizer of message signatures: its default components, and its parameters.
@Suite(.timeLimit(.minutes(10))) struct MessageSignatureTests {
    private let now = Date(timeIntervalSince1970: 1_618_884_473)

    private func signed(
        _ request: EncodedRequest,
        _ change: (inout MessageSignatureOptions) -> Void = { _ in }
    ) async throws -> (input: String, signature: String, request: EncodedRequest) {
        var options = MessageSignatureOptions()
        change(&options)
        let authorizer = MessageSignatureAuthorizer(.hmac("secret"), keyID: "atlas", options: options) { now }
        var signed = request
        try await authorizer.authorize(&signed)
        func field(_ name: String) throws -> String {
            try #require(signed.headers[name])
        }
        return (try field("Signature-Input"), try field("Signature"), signed)
    }

    private func request(
        _ method: HTTPRequest.Method = .get,
        body: RequestBody = .none,
        headers: HTTPFields = [:]
    ) throws -> EncodedRequest {
        EncodedRequest(method: method, url: try RequestURL("https://a.example/b?c"), headers: headers, body: body)
    }

    @Test func withoutABodyTheRequestLineIsCovered() async throws {
        let (input, _, request) = try await signed(request())
        #expect(
            input
                == #"sig1=("@method" "@authority" "@path" "@query");created=1618884473;keyid="atlas";alg="hmac-sha256""#
        )
        #expect(request.headers.count == 2)
    }

    @Test(arguments: [
        (ContentDigest.sha256, "sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:"),
        (
            .sha512,
            "sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:"
        ),
    ])
    func aBodyIsCoveredByItsDigest(digest: ContentDigest, value: String) async throws {
        let bytes = ByteChunk(#"{"hello": "world"}"#)
        let again = StreamBody(replay: .restartable) { _, writer in try await writer.write(bytes) }
        var inputs: Set<String> = []
        for body in [RequestBody.bytes(bytes), .stream(again)] {
            let (input, signature, request) = try await signed(
                request(.post, body: body, headers: [.contentType: "application/json"])
            ) { $0.digest = digest }
            #expect(input.contains(#""@query" "content-type" "content-digest")"#))
            #expect(request.headers["Content-Digest"] == value)
            inputs.insert(signature)
        }
        #expect(inputs.count == 1)
    }

    @Test func aBodyThatCanBeReadOnceIsRefused() async throws {
        let request = try request(.post, body: .stream(StreamBody { _, _ in }))
        await #expect {
            _ = try await signed(request)
        } throws: {
            "\($0)".contains("only once")
        }
    }

    @Test func aDigestOfYourOwnIsCoveredAsItIs() async throws {
        var own = try request(.post, body: .bytes(ByteChunk("x")))
        try own.setHeader("Content-Digest", to: "sha-256=:AAAA:")
        #expect(
            try await signed(own).request.headers["Content-Digest"] == "sha-256=:AAAA:"
        )
    }

    @Test func otherSignaturesStay() async throws {
        var own = try request()
        try own.setHeader("Signature-Input", to: "proxy=();created=1")
        try own.setHeader("Signature", to: "proxy=:AA==:")
        let (input, signature, _) = try await signed(own) { $0.label = "mine" }
        #expect(input.hasPrefix("proxy=();created=1, mine=("))
        #expect(signature.hasPrefix("proxy=:AA==:, mine=:"))
    }

    @Test func whatASignatureSaysOfItself() async throws {
        let (input, _, request) = try await signed(request()) {
            $0.components = ["date", .method]
            $0.lifetime = .seconds(300)
            $0.tag = "atlas-api"
            $0.namesAlgorithm = false
        }
        #expect(
            input
                == #"sig1=("date" "@method");created=1618884473;expires=1618884773;keyid="atlas";tag="atlas-api""#
        )
        #expect(request.headers[.date] == "Tue, 20 Apr 2021 02:07:53 GMT")
        let first = try await signed(request) { $0.hasNonce = true }.input
        let second = try await signed(request) { $0.hasNonce = true }.input
        #expect(first.contains(";nonce=\"") && first != second)
        let silent = try await signed(self.request()) {
            $0.components = []
            $0.tellsTime = false
        }
        #expect(silent.input == #"sig1=();keyid="atlas";alg="hmac-sha256""#)
    }

    @Test(arguments: ["", "Sig", "1a", "a b", "a=b", "ü"]) func badLabelsAreRefused(label: String) async throws {
        let request = try request()
        await #expect(throws: AuthorizationProblem.self) { _ = try await signed(request) { $0.label = label } }
    }

    @Test(
        "a request that is sent once more within its attempt has a new nonce, if it has one",
        arguments: [true, false]
    )
    func nonces(hasNonce: Bool) async throws {
        let transport = StubTransport { request in
            request.number == 1 ? .response(.misdirectedRequest) : .text("ok")
        }
        let site = Resource("https://api.example.com", transport: transport.watched) { rules in
            var options = MessageSignatureOptions()
            options.hasNonce = hasNonce
            rules.authorizers = [.messageSignature(.hmac("geheim"), keyID: "atlas", options: options) { now }]
        }
        #expect(try await site.get().text == "ok")
        let inputs = transport.requests.map { $0.headers["Signature-Input"] }
        #expect(inputs.count == 2 && (inputs[0] != inputs[1]) == hasNonce)
    }

    @Test("through a resource: signed once per attempt, bound to its origin, the key never shown")
    func throughAResource() async throws {
        let transport = StubTransport { _ in .text("ok") }
        let site = Resource("https://api.example.com", transport: transport.watched) {
            $0.authorizers = [.messageSignature(.hmac("geheim"), keyID: "atlas")]
        }
        try await site["a"].get().requireSuccess()
        let headers = try #require(transport.lastRequest?.headers)
        #expect(headers["Signature"]?.hasPrefix("sig1=:") == true)
        var dumped = "\(site.authorizers)"
        dump(site.authorizers, to: &dumped)
        #expect(!dumped.contains("geheim"))
    }

    @Test("The deadline and cancelAll() end the wait for a signature", arguments: [true, false])
    func slowSigners(hasDeadline: Bool) async throws {
        struct Hardware: MessageSigner {
            let algorithm = "hmac-sha256"
            let gate = Gate()
            func signature(of base: [UInt8]) async throws -> [UInt8] {
                try await gate.wait()
                return []
            }
        }
        var capabilities = TransportCapabilities()
        capabilities.attachesExchanges = true
        let (transport, clock, signer) = (
            StubTransport(capabilities: capabilities) { $0.on(nil, "*", .text("in")) }, ManualClock(), Hardware()
        )
        let site = Resource("https://a.example", transport: transport.watched) {
            $0.clock = clock
            $0.authorizers.append(.messageSignature(signer, keyID: nil))
        }
        if hasDeadline { site.setRules { $0.deadline = .seconds(3) } }
        let call = Task { try await site.get() }
        try await eventually { signer.gate.waiterCount == 1 }
        if hasDeadline {
            try await eventually { clock.timeToNextSleeper == .seconds(3) }
            clock.advance(by: .seconds(3))
            #expect(try await failure { try await call.value }.code == .timeout)
        } else {
            site.cancelAll()
            await #expect(throws: CancellationError.self) { _ = try await call.value }
        }
        #expect(transport.requests.isEmpty)
    }

    @Test func signersThatOnlyComputeNeedNoTaskAndNoChallenge() {
        let authorizer = MessageSignatureAuthorizer(.hmac("secret"), keyID: nil)
        #expect(!authorizer.mayWait && !authorizer.respondsToChallenges)
    }
}
