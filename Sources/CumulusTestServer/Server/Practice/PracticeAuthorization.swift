// SPDX-License-Identifier: Apache-2.0

import Crypto
import CumulusCore
import CumulusPrimitives
import CumulusTesting
import HTTPTypes

/// The practice service's protected places: Basic and Digest.
struct PracticeAuthorization: Sendable {
    private static let nonce = "dcd98b7102dd2f0e8b11d0f600bfb0c093"

    func install(in routes: inout Routes) {
        routes.on(nil, "/test/protected") { request in
            let long = String(repeating: "0123456789abcdef", count: 8)
            let isKnown = ["test:test", "\(long):\(long)"].contains { PracticeAuthorization.isBasic($0, request) }
            return isKnown ? .text("OK") : PracticeAuthorization.challenge("Basic realm=\"Testing HTTP Auth\"")
        }
        routes.on(nil, "/test/hello_with_basic_auth") { request in
            PracticeAuthorization.isBasic("test:12345", request)
                ? .text("Hello World") : PracticeAuthorization.challenge("Basic realm=\"test\"")
        }
        routes.on(nil, "/test/hello_with_digest_auth") { request in
            PracticeAuthorization.isDigest(user: "test", password: "12345", request)
                ? .text("Hello World")
                : PracticeAuthorization.challenge(
                    "Digest realm=\"test\", nonce=\"\(PracticeAuthorization.nonce)\", qop=\"auth\", algorithm=MD5"
                )
        }
    }

    private static func challenge(_ text: String) -> ServerResponse {
        ServerResponse(.unauthorized, headers: [.wwwAuthenticate: text], body: Array("who are you?".utf8))
    }

    private static func isBasic(_ pair: String, _ request: ServerRequest) -> Bool {
        request.headers[.authorization] == "Basic \(base64(Array(pair.utf8)))"
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let part = bytes[start..<min(start + 3, bytes.count)]
            let padded = part.reduce(0) { $0 << 8 | UInt32($1) } << (8 * UInt32(3 - part.count))
            for place in 0..<4 {
                text.append(place <= part.count ? alphabet[Int(padded >> (18 - 6 * UInt32(place)) & 63)] : 0x3D)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// RFC 7616 section 3.4.1, with MD5 and `qop=auth`.
    private static func isDigest(user: String, password: String, _ request: ServerRequest) -> Bool {
        guard let field = request.headers[.authorization]?.cut(at: " "), field.before == "Digest" else { return false }
        var values: [String: String] = [:]
        for pair in field.behind.parts(at: ",") {
            guard let halves = pair.cut(at: "=") else { continue }
            let value = halves.behind.utf8.filter { $0 != UInt8(ascii: "\"") }
            values[String(halves.before.trimmed)] = String(decoding: value, as: UTF8.self)
        }
        guard values["username"] == user, values["nonce"] == nonce, values["uri"] == request.target else {
            return false
        }
        let first = md5("\(user):test:\(password)")
        let second = md5("\(request.method.rawValue):\(request.target)")
        let middle = [nonce, values["nc"] ?? "", values["cnonce"] ?? "", values["qop"] ?? ""].joined(separator: ":")
        return values["response"] == md5("\(first):\(middle):\(second)")
    }

    private static func md5(_ text: String) -> String {
        Insecure.MD5.hash(data: Array(text.utf8)).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count < 2 ? "0" + digits : digits
        }.joined()
    }
}
