// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// Secrets never reach a recording: not by a URL, a field, a body, a failure, or a file's name.
@Suite(.timeLimit(.minutes(10))) struct RecordedSecretsTests {
    private let folder: TemporaryFolder
    private let file: String

    init() throws {
        folder = try TemporaryFolder()
        file = "\(folder.path)/session.har"
    }

    /// Names of secrets in many spellings.
    static let names = [
        "password", "passwd", "pwd", "passphrase", "client_secret", "clientSecret", "token", "access_token",
        "refreshToken", "id_token", "api_key", "apikey", "apiKey", "X-Api-Key", "key", "auth", "authorization",
        "signature", "X-Amz-Signature", "X-Amz-Credential", "X-Amz-Security-Token", "sig", "session", "sessionid",
        "sid",
        "jwt", "assertion", "client_assertion", "code_verifier", "otp", "pin", "cvv", "csrf", "xsrf-token",
        "verification_code", "ticket", "SAMLResponse", "credential", "private_key", "mnemonic",
    ]

    /// A secret that is unique to a request, so that a leak can be traced.
    private static func secret(_ way: String, _ number: Int) -> String { "Hunter\(way)\(number)x" }

    /// All bytes of the recording and its folder, and all names of files.
    private func everything() throws -> String {
        var text = ""
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
            text += "\(name)\n"
            if let data = FileManager.default.contents(atPath: "\(folder.path)/\(name)") {
                text += String(decoding: data, as: UTF8.self)
            }
        }
        // Also what base64 hides.
        let har = try JSON(parsing: try Data(contentsOf: URL(fileURLWithPath: file)))
        for entry in har["log"]["entries"].array ?? [] {
            for body in [entry["request"]["postData"], entry["response"]["content"]] {
                guard body["encoding"].string == "base64", let base64 = body["text"].string else { continue }
                text += String(decoding: Data(base64Encoded: base64) ?? Data(), as: UTF8.self)
            }
        }
        return text
    }

    private func site(_ respond: @escaping StubRoutes.Respond, _ options: RecordingOptions = .init()) -> Resource {
        Resource(
            "https://api.example",
            transport: .recording(to: file, over: StubTransport(answering: respond), options: options)
        ) {
            $0.retry = .never
        }
    }

    @Test("secrets of 40 kinds in URLs, fields and bodies of both directions are not in the file")
    func fortyKinds() async throws {
        #expect(Self.names.count == 40)
        let site = site { request in
            let number = request.number - 1
            let (name, secret) = (Self.names[number], Self.secret("Answer", number))
            var headers: Headers = [
                "Location": "https://user:\(secret)@other.example/next?\(name)=\(secret)",
                "Set-Cookie": "sid=\(secret); Path=/", "Link": "</next?\(name)=\(secret)>; rel=\"next\"",
            ]
            if HTTPField.Name("X-\(name)") != nil { headers[Headers.Name("X-\(name)")] = secret }
            return .json(
                ["items": [["id": 1, name: .string(secret), "nested": .string("{\"\(name)\":\"\(secret)\"}")]]] as JSON,
                status: .created,
                headers: headers
            )
        }
        for (number, name) in Self.names.enumerated() {
            let secret = Self.secret("Question", number)
            var headers: Headers = [
                .authorization: "Bearer \(secret)", .cookie: "a=\(secret)", "Proxy-Authorization": "Basic \(secret)",
                "Referer": "https://x.example/?\(name)=\(secret)",
            ]
            if HTTPField.Name("X-\(name)") != nil { headers[Headers.Name("X-\(name)")] = secret }
            let body: Payload = number % 2 == 0 ? .json([name: .string(secret)]) : .form([name: secret])
            _ = try await site["a;\(name)=\(secret)"].post(body, query: [name: secret, "plain": "1"], headers: headers)
        }
        let text = try everything()
        #expect(text.contains("plain=1"))
        for way in ["Question", "Answer"] {
            let leaked = Self.names.indices.filter { text.contains(Self.secret(way, $0)) }.map { Self.names[$0] }
            #expect(leaked.isEmpty, "\(way): \(leaked)")
        }
        #expect(!text.contains("Hunter"))
    }

    @Test("secrets of 40 kinds in the text of an error are not in the file")
    func errorTexts() async throws {
        let site = site { request in
            let name = Self.names[request.number - 1]
            let secret = Self.secret("Error", request.number - 1)
            let texts = [
                "GET https://ada:\(secret)@api.example/x?\(name)=\(secret) was refused", "sent \(name)=\(secret)",
                "sent \(name): \(secret)", "sent {\"\(name)\":\"\(secret)\"}",
            ]
            return .failure(TransportFailure(.other, texts[request.number % texts.count]))
        }
        for name in Self.names {
            let error = await #expect(throws: CumulusError.self) { try await site[segment: name].get() }
            #expect(error?.code == .transport)
        }
        let text = try everything()
        let leaked = Self.names.indices.filter { text.contains(Self.secret("Error", $0)) }.map { Self.names[$0] }
        #expect(leaked.isEmpty, "\(leaked)")
        #expect(!text.contains("Hunter") && text.contains("\"_error\""))
    }

    /// Bodies whose format only hides, or doesn't reveal, where a secret ends.
    static let bodies: [(type: String, body: [UInt8])] = [
        ("text/plain", Array("user: ada\npassword: HunterText\n".utf8)),
        ("text/html", Array(#"<input name="csrf_token" value="HunterText">"#.utf8)),
        ("application/xml", Array("<login><password>\nHunterText\n</password></login>".utf8)),
        ("application/json", Array(#"{"password":"HunterText""#.utf8)),
        ("application/json; charset=utf-16", Array(#"{"password":"HunterText"}"#.utf16.flatMap { [UInt8($0), 0] })),
        ("application/x-ndjson", Array("{\"a\":1}\n{\"token\":\"HunterText\"}\n".utf8)),
        ("text/event-stream", Array("data: {\"access_token\":\"HunterText\"}\n\n".utf8)),
        ("application/x-pem-file", Array("-----BEGIN PRIVATE KEY-----\nHunterText\n-----END PRIVATE KEY-----\n".utf8)),
        (
            "multipart/form-data; boundary=b",
            Array("--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nHunterText\r\n--b--".utf8) + [0xFF]
        ),
        ("application/msgpack", [0x81, 0xA8] + Array("password".utf8) + [0xAA] + Array("HunterText".utf8)),
        ("application/octet-stream", Array("aws_secret_access_key = HunterText".utf8)),
        ("application/x-www-form-urlencoded", Array("a={\"password\":\"HunterText\"}".utf8)),
        ("application/graphql+json", Array(#"{"query":"{login(password:\"HunterText\")}"}"#.utf8)),
        ("", Array("https://ada:HunterText@api.example/".utf8)),
    ]

    @Test("texts whose secrets can't be told from other text are not recorded", arguments: bodies)
    func otherFormats(_ type: String, _ body: [UInt8]) async throws {
        let site = site { _ in .response(headers: type.isEmpty ? [:] : ["Content-Type": type], body: body) }
        let payload = Payload.raw(.bytes(ByteChunk(body)))
        _ = try await site.post(payload, headers: type.isEmpty ? [:] : ["Content-Type": type]).bytes
        let text = try everything().filter { $0 != "\0" }
        #expect(!text.contains("Hunter"))
        #expect(text.contains("redacted") || text.contains("The body was not recorded"))
    }

    @Test("secrets in coded bodies and in failures are not recorded either") func codedBodiesAndFailures() async throws
    {
        let encoder = try ContentCoding.gzip.makeEncoder()
        var room = [UInt8](repeating: 0, count: 1_000)
        let step = try room.withUnsafeMutableBytes { output in
            try Array(#"{"password":"HunterText"}"#.utf8).withUnsafeBytes {
                try encoder.encode($0, into: output, isLast: true)
            }
        }
        let coded = Array(room[..<step.produced])
        let site = site { request in
            if request.path == "/fail" { return .failure(TransportFailure(.other, "sent token=HunterText")) }
            return .bytes(coded, type: .json, headers: ["Content-Encoding": "gzip"])
        }
        _ = try await site.post(
            .raw(.bytes(ByteChunk(coded))),
            headers: [.contentType: "application/json", .contentEncoding: "gzip"]
        )
        _ = try? await site["fail"].get()
        let text = try everything()
        #expect(!text.contains("Hunter") && text.contains(#"\"password\":\"<redacted>\""#))
    }

    @Test("names that a user lists are secret, too") func listedNames() async throws {
        var options = RecordingOptions()
        options.secretNames = ["Membership", "m"]
        let site = site({ _ in .text("x", headers: ["membership": "Hunter1"]) }, options)
        _ = try await site.get(query: ["M": "Hunter2"], headers: ["MEMBERSHIP": "Hunter3"])
        #expect(!(try everything().contains("Hunter")))
    }

    @Test("other texts are recorded on request, and fields and JSON are still redacted") func unsearchableBodies()
        async throws
    {
        var options = RecordingOptions()
        options.includesUnsearchableBodies = true
        let site = site(
            { request in
                if request.path == "/html" { return .text("<p>Show your pass.</p>", type: .html) }
                return .json(#"{"token":"Hunter1"}"#)
            },
            options
        )
        _ = try await site["html"].get(headers: [.authorization: "Bearer Hunter2"])
        _ = try await site["json"].get()
        #expect(!(try everything().contains("Hunter")))
        let replay = Resource("https://api.example", transport: .replaying(from: file))
        #expect(try await replay["html"].get().text == "<p>Show your pass.</p>")
    }

    @Test func secretsAreIncludedOnRequest() async throws {
        var options = RecordingOptions()
        options.includesSecrets = true
        let site = site({ _ in .json(#"{"token":"Hunter1"}"#, headers: ["Set-Cookie": "a=Hunter2"]) }, options)
        _ = try await site.get(query: ["key": "Hunter3"], headers: [.authorization: "Bearer Hunter4"])
        let text = try everything()
        for number in 1...4 { #expect(text.contains("Hunter\(number)")) }
        // The redacted forms are compared.
        let replay = Resource("https://api.example", transport: .replaying(from: file))
        #expect(try await replay.get(as: JSON.self, query: ["key": "other"])["token"].string == "Hunter1")
    }
}
