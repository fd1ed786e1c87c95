// SPDX-License-Identifier: Apache-2.0

import CumulusTestServer
import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCore

/// The server's own proof (`rspauth`) where it covers the response's body (`auth-int`).
@Suite(.timeLimit(.minutes(10))) struct ServerProofTests {
    private static let space: DigestSpace = {
        var options = DigestSpace.Options()
        options.protections = ["auth-int"]
        return DigestSpace(user: "ada", password: "lovelace", options: options)
    }()

    /// A service that proves `hashed`, and sends `pieces`.
    private func service(
        proving hashed: [UInt8],
        _ pieces: [[UInt8]],
        status: HTTPResponse.Status = .ok,
        _ headers: Headers = [:],
        capabilities: TransportCapabilities = .init()
    ) -> StubTransport {
        StubTransport(capabilities: capabilities) { (request: StubRequest) -> StubResponse in
            let field = request.headers[.authorization]
            let target = request.request.target
            let method = request.method.rawValue
            switch Self.space.judge(method: method, target: target, authorization: field, body: request.body) {
            case .refused(let challenges):
                return .response(.unauthorized, headers: [.wwwAuthenticate: challenges[0]])
            case .accepted(let info):
                let own = Self.space.proof(answering: field, target: target, body: hashed) ?? ""
                var headers = headers
                headers["Authentication-Info"] = "\(info), \(own)"
                let steps = request.method == .head ? [] : pieces.map(StubResponse.Step.chunk)
                return .script(steps, status: status, headers: headers)
            }
        }
    }

    private func site(_ transport: StubTransport) -> Resource {
        let site = Resource("http://a.example/vault", transport: transport.watched) {
            $0.authorizers = [.digest(user: "ada", password: "lovelace")]
        }
        return site
    }

    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test("A body that the server has proven arrives, in one piece, in several, and empty", arguments: [1, 3, 0])
    func right(pieces: Int) async throws {
        let all = [String](repeating: "gold", count: pieces)
        let site = site(service(proving: bytes(all.joined()), all.map(bytes)))
        let response = try await site.get()
        #expect(response.text == all.joined() && response.attempts.map(\.reason) == [.call, .challenge])
        var text = ""
        for try await chunk in try await site.call(.get).stream() {
            text += String(decoding: chunk.bytes, as: UTF8.self)
        }
        #expect(text == all.joined())
    }

    @Test("A body that isn't the proven one fails the request, which is not repeated", arguments: [1, 3])
    func wrong(pieces: Int) async throws {
        let transport = service(proving: bytes("gold"), [[UInt8]](repeating: bytes("lead"), count: pieces))
        let error = try await failure { try await site(transport).get() }
        #expect(error.code == .authorization && error.stage == .authorization)
        #expect(error.message.contains("rspauth") && !"\(error)".contains("lovelace"))
        #expect(transport.requests.count == 2)
    }

    @Test("A stream of a body that isn't the proven one ends with the error")
    func wrongStream() async throws {
        let site = site(service(proving: bytes("gold"), [bytes("le"), bytes("ad")]))
        let stream = try await site.call(.get).stream()
        var text = ""
        let error = try await failure {
            for try await chunk in stream { text += String(decoding: chunk.bytes, as: UTF8.self) }
        }
        #expect(error.code == .authorization && error.message.contains("rspauth"))
        #expect(text == "lead")
    }

    @Test("The proof covers the body as it was sent, before its content coding is removed")
    func coded() async throws {
        let headers: Headers = [.contentEncoding: "gzip"]
        let good = site(service(proving: CodedSample.gzip, [CodedSample.gzip], headers))
        #expect(try await good.get().text == CodedSample.text)
        let bad = site(service(proving: bytes(CodedSample.text), [CodedSample.gzip], headers))
        #expect(try await failure { try await bad.get() }.code == .authorization)
    }

    @Test("A body that the transport has decoded can't be checked, but one without a coding is")
    func decodedElsewhere() async throws {
        var capabilities = TransportCapabilities()
        capabilities.decodesContent = true
        let headers: Headers = [.contentEncoding: "gzip"]
        let decoded = service(proving: CodedSample.gzip, [bytes("gold")], headers, capabilities: capabilities)
        #expect(try await site(decoded).get().text == "gold")
        let plain = service(proving: bytes("gold"), [bytes("lead")], capabilities: capabilities)
        #expect(try await failure { try await site(plain).get() }.code == .authorization)
    }

    @Test("Responses that leave the body out aren't checked")
    func leftOut() async throws {
        let site = site(service(proving: bytes("gold"), [bytes("gold")]))
        #expect(try await site.head().isSuccessful)
        #expect(try await self.site(service(proving: bytes("gold"), [], status: .notModified)).get().statusCode == 304)
    }

    @Test("An error's body is checked, too, and a password that was asked for")
    func others() async throws {
        let gone = service(proving: bytes("gold"), [bytes("lead")], status: .gone)
        let error = try await failure { try await site(gone).get() }
        #expect(error.code == .authorization && error.statusCode == 410)
        let asked = Resource(
            "http://a.example/vault",
            transport: service(proving: bytes("gold"), [bytes("lead")]).watched
        ) {
            $0.authorizers = [.prompting { _ in Credentials(user: "ada", password: "lovelace") }]
        }
        #expect(try await failure { try await asked.get() }.message.contains("rspauth"))
    }

    @Test("A download doesn't check the proof of a body: its digest does")
    func downloads() async throws {
        let folder = try TemporaryFolder()
        let headers: Headers = [.eTag: "\"1\"", .contentLength: "8"]
        let site = site(service(proving: bytes("gold"), [bytes("lead"), bytes("lead")], headers))
        try await site.download(to: .file(folder.path + "/lead"))
        #expect(try folder.bytes("lead") == bytes("leadlead"))
        let sum = try Checksum(.sha256, "b81aad4cd2e97613959936434d5bbdfd078232916261152d1eb72a53bc553f7b")
        let error = try await failure {
            try await site.download(to: .file(folder.path + "/vault"), options: DownloadOptions(checksum: sum))
        }
        #expect(error.code == .checksum && folder.names == ["lead"])
        let right = self.site(service(proving: bytes("gold"), [bytes("go"), bytes("ld")]))
        try await right.download(to: .file(folder.path + "/vault"))
        #expect(try folder.bytes("vault") == bytes("gold"))
    }
}
