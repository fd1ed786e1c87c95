// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import HTTPTypes
import Testing

@testable import CumulusCLI
@testable import CumulusCore
@testable import CumulusOAuth

/// The hint below an error depends on its code and values: its message may change.
@Suite struct ErrorHintTests {
    /// Messages that once decided, and one that never did.
    private static let messages = [
        "something else", "the certificate's issuer is not trusted", "the proxy requires credentials",
        "the response does not start with HTTP/1.", "the response is of type text/html, not text/event-stream",
    ]

    /// The hints of an error with each of the messages; `make` makes the error.
    private func hints(_ make: (String, EncodedRequest) throws -> CumulusError) throws -> Set<String> {
        let request = EncodedRequest(method: .get, url: try RequestURL("https://x.y/"))
        return Set(try Self.messages.map { ErrorHint.text(for: try make($0, request)) ?? "" })
    }

    @Test(
        "a failure that an option can avoid has it as its hint, whatever its message",
        arguments: [
            (
                .untrustedIssuer,
                "--verify FILE trusts your own authority; --verify=no trusts every server, for tests only"
            ),
            (.missingClientCertificate, "--cert FILE --cert-key FILE sends a client certificate"),
            (.noApplicationProtocol, "--http-version 1.1 avoids HTTP/2"),
            (.invalidHTTP2, "--http-version 1.1 avoids HTTP/2"),
            (.notHTTP1, "--http-version 2 reaches a server that supports only HTTP/2"),
            (.notTLS, "this server does not seem to support TLS; did you mean http://x.y:443?"),
            (.expiredCertificate, ""), (nil, ""),
        ] as [(TransportFailure.Reason?, String)]
    )
    func failures(reason: TransportFailure.Reason?, hint: String) throws {
        let found = try hints { message, request in
            var failure = TransportFailure(reason == .notHTTP1 ? .malformedResponse : .tls, message)
            failure.reason = reason
            return CumulusError(failure, stage: .transmission, request: request)
        }
        #expect(found == [hint])
    }

    @Test(
        "a proxy that requires a password has a hint, unless one was sent or another scheme is required",
        arguments: [
            ("http://p:1", .credentials, [], true), ("http://p:1", .credentials, ["Digest", "BASIC"], true),
            ("http://p:1", .credentials, ["Digest"], false), ("http://ada:x@p:1", .credentials, [], false),
            ("http://p:1", .status(403), [], false),
        ] as [(String, ProxyRefusal.Reason, [String], Bool)]
    )
    func proxies(url: String, reason: ProxyRefusal.Reason, schemes: [String], hasHint: Bool) throws {
        let origin = Origin(scheme: .https, host: "x.y")
        let proxy = try #require(try ProxyPolicy.url(url).proxy(for: origin))
        let found = try hints { message, request in
            let refusal = ProxyRefusal(by: proxy, reason, schemes: schemes)
            let failure = TransportFailure(.proxy, message, cause: refusal)
            return CumulusError(failure, stage: .transmission, request: request)
        }
        #expect(found == [hasHint ? "--proxy-user USER:PASSWORD authorizes requests to the proxy" : ""])
    }

    @Test func refusedAddressCanBeAllowed() throws {
        let found = try hints { message, request in
            let refusal = AddressRefusal(.loopback, host: "x.y", address: "127.0.0.1")
            let failure = TransportFailure(.forbiddenAddress, message, cause: refusal)
            return CumulusError(failure, stage: .transmission, request: request)
        }
        #expect(found == ["--allow-address HOST makes an exception to --public-only"])
    }

    @Test("a document in place of a stream of events has a hint", arguments: [MediaType.eventStream, .json])
    func documents(accepted: MediaType) throws {
        let found = try hints { message, request in
            let mismatch = MediaTypeMismatch(MediaType("text", "html"), accepting: [accepted])
            return CumulusError(.decoding, stage: .decoding, message, request: request, cause: mismatch)
        }
        #expect(found == [accepted == .eventStream ? "cumulus URL prints other responses" : ""])
    }

    @Test func tokensFromAnotherOriginNeedADeclaration() throws {
        let found = try hints { message, request in
            let problem = OAuth2Error(.undeclaredOrigin, message).remedied(by: ".issuer(...)")
            return CumulusError(.authorization, stage: .authorization, "\(problem)", request: request, cause: problem)
        }
        #expect(found == ["cumulus login URL --issuer URL --share ORIGIN declares the origin"])
        let error = OAuth2Error(.undeclaredOrigin, "it may not receive secrets").remedied(by: ".issuer(...)")
        #expect(ErrorLine.text(for: error).hasPrefix("cumulus: authorization: it may not receive secrets\n  hint: "))
        #expect(ErrorHint.text(for: OAuth2Error(.denied, "declare it: .issuer(...)")) == nil)
    }

    @Test(
        "a paging problem names the part of --paging that solves it",
        arguments: [
            (.otherOrigin, "; origins=ORIGIN in --paging allows this origin"),
            (.ambiguousItems, "; items=PATH in --paging chooses one"),
            (.unknownForm, "; --paging can describe how to find the next page"), (.loop, ""),
        ] as [(PagingProblem.Kind, String)]
    )
    func pages(kind: PagingProblem.Kind, end: String) throws {
        let problem = PagingProblem(kind, "why")
        let error = CumulusError(.paging, stage: .decoding, "\(problem)", cause: problem)
        #expect(ErrorLine.text(for: error) == "cumulus: paging: why\(end)")
    }

    @Test("a host that does not identify the AWS service or region has a hint")
    func awsScope() async {
        for (scope, hint) in [("aws4", "-A aws4:REGION:SERVICE"), ("aws4:eu-central-1", "-A aws4:REGION:SERVICE")] {
            let console = MemoryConsole()
            let words = ["-A", scope, "-a", "key:secret", "https://x.y/"]
            _ = await console.run(words, over: StubTransport { _ in .response() })
            let text = console.notes.joined()
            #expect(text.contains("x.y doesn't identify the AWS service\n  hint: write \(hint)"), "\(text)")
        }
    }

    @Test(
        "a response of 401 names the option for a scheme that was not sent",
        arguments: [
            ("Basic realm=r", [], "-a USER:PASSWORD"), ("Bearer", [], "-A bearer -a TOKEN"),
            ("Basic realm=r, Digest realm=r, nonce=n", [], "-A digest -a USER:PASSWORD"),
            ("Digest realm=r, nonce=n", ["-a", "ada:x"], "-A digest -a USER:PASSWORD"),
            ("Basic realm=r", ["-a", "ada:wrong"], nil), ("Bearer", ["-A", "bearer", "-a", "wrong"], nil),
            ("Negotiate", [], nil),
        ] as [(String, [String], String?)]
    )
    func challenges(challenge: String, options: [String], hint: String?) async {
        let transport = StubTransport { _ in .response(.unauthorized, headers: [.wwwAuthenticate: challenge]) }
        let console = MemoryConsole()
        #expect(await console.run(options + ["https://x.y/f"], over: transport) == .clientError)
        let text = console.notes.joined(separator: "\n")
        #expect(text.contains("401 Unauthorized"), "\(text)")
        let end = hint.map { "\n  hint: the server accepts \(accepted(challenge)): \($0)" }
        #expect(end.map { text.hasSuffix($0) } ?? !text.contains("hint:"), "\(text)")
    }

    private func accepted(_ challenge: String) -> String {
        challenge.contains("Digest") ? "Digest" : challenge == "Bearer" ? "a token" : "a password"
    }

    @Test func fileOfTheSameNameHasTwoRemedies() throws {
        let found = try hints { message, request in
            CumulusError(.fileExists, stage: .delivery, message, request: request)
        }
        #expect(found.count == 1 && found.first?.hasPrefix("--overwrite replaces the file") == true)
    }
}
