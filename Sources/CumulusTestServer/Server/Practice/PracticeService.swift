// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import CumulusTesting
import HTTPTypes

/// The service that the tests of Cumulus and Cycles used: items and lists, codings, queries, downloads, authentication,
/// every status.
///
/// ```swift
/// let server = try await LoopbackServer.start { PracticeService().install(in: &$0) }
/// let item = try await Resource(server.url)["test/get/item"].get(as: JSON.self)
/// ```
///
/// `/index` and the slow `/slow` (1 s), `/superslow` (5 s), `/crazyslow` (20 s); `/echo`; `/modified`; below `/test`:
/// `get`, `head`, `delete`, `post`, `put`, `protected`, `response_codes/:code`, `encoding`, `decoding`, `query`,
/// `last-modified`, `if-modified`, `upload/hero`, `stream`, `download`, `benchmarks`, `hello`, `echo`, `dumpmeta`,
/// `dumpupload`, `hello_with_basic_auth`, `hello_with_digest_auth` (test, 12345); and `/resources/*`.
public struct PracticeService: Sendable {
    /// The bytes of `hero`, a small file.
    public let hero: [UInt8]
    /// The bytes of `massive`, a large file.
    public let massive: [UInt8]

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - heroSize: The length of the small file. Default: 20,000 bytes.
    ///   - massiveSize: The length of the large file. Default: 1,000,000 bytes.
    public init(heroSize: Int = 20_000, massiveSize: Int = 1_000_000) {
        hero = PracticeService.bytes(heroSize)
        massive = PracticeService.bytes(massiveSize)
    }

    /// Adds the service's routes after the existing ones.
    public func install(in routes: inout Routes) {
        installIndex(in: &routes)
        installItems(in: &routes)
        installEcho(in: &routes)
        PracticeCodings().install(in: &routes)
        PracticeFiles(hero: hero, massive: massive).install(in: &routes)
        PracticeAuthorization().install(in: &routes)
    }

    /// Bytes that differ by position, and are always the same.
    private static func bytes(_ count: Int) -> [UInt8] {
        var state: UInt32 = 0x2545_F491
        return (0..<max(0, count)).map { _ in
            state = state &* 1_664_525 &+ 1_013_904_223
            return UInt8(truncatingIfNeeded: state >> 24)
        }
    }

    private func installIndex(in routes: inout Routes) {
        routes.on(nil, "/index") { _ in .text("OK") }
        routes.on(nil, "/index/slow") { _ in .text("OK").delayed(by: .seconds(1)) }
        for (path, seconds) in [("/slow", 1), ("/superslow", 5), ("/crazyslow", 20)] {
            routes.on(nil, path) { _ in .text("OK").delayed(by: .seconds(seconds)) }
        }
    }

    private func installItems(in routes: inout Routes) {
        let item = #"{"message":"OK"}"#
        let list = "[\(item),\(item),\(item)]"
        let large = "[" + Array(repeating: item, count: 10_000).joined(separator: ",") + "]"
        let nested = (1...5).reduce(item) { inner, depth in #"{"depth":\#(depth),"inner":\#(inner)}"# }
        let complicated = "[" + Array(repeating: nested, count: 100).joined(separator: ",") + "]"
        let bodies = ["item": item, "list": list, "large-list": large, "complicated-list": complicated]
        for (name, body) in bodies {
            routes.get("/test/get/\(name)") { _ in .json(body) }
            for verb in ["post", "put"] {
                routes.on(HTTPRequest.Method(rawValue: verb.uppercased()), "/test/\(verb)/\(name)") { request in
                    ServerResponse(
                        headers: [.contentType: request.headers[.contentType] ?? "application/json"],
                        body: request.body
                    )
                }
            }
        }
        for name in ["item", "list"] {
            routes.on(.head, "/test/head/\(name)") { _ in .json(bodies[name] ?? item) }
            routes.delete("/test/delete/\(name)") { _ in .json(bodies[name] ?? item) }
        }
        for (name, body) in [("small", item), ("large", large), ("complicated", complicated)] {
            for method in [HTTPRequest.Method.get, .post, .put] {
                routes.on(method, "/test/benchmarks/\(name)-resource.json") { _ in .json(body) }
            }
        }
        for (name, bytes) in [("small", hero), ("large", massive)] {
            for method in [HTTPRequest.Method.get, .post, .put] {
                routes.on(method, "/test/benchmarks/\(name)-file.png") { _ in
                    ServerResponse(headers: [.contentType: "image/png"], body: bytes)
                }
            }
        }
    }

    private func installEcho(in routes: inout Routes) {
        routes.put("/echo") { request in
            ServerResponse(headers: [.contentType: request.headers[.contentType] ?? "text/plain"], body: request.body)
        }
        routes.on(nil, "/test/echo") { request in PracticeService.echo(request) }
        routes.on(nil, "/test/query") { request in
            let members = request.queryItems.map { item in
                "\(PracticeService.json(item.name)):\(PracticeService.json(item.value ?? ""))"
            }
            return .json("{\(members.joined(separator: ","))}")
        }
        routes.get("/test/hello") { _ in .text("Hello World") }
        routes.on(nil, "/test/dumpmeta") { request in
            let fields = request.headers.map { field in
                "\(PracticeService.json(field.name.rawName)):\(PracticeService.json(field.value))"
            }
            let method = "\"REQUEST_METHOD\":\(PracticeService.json(request.method.rawValue))"
            return .json("{\(([method] + fields).joined(separator: ","))}")
        }
        routes.on(nil, "/test/dumpupload/") { request in
            ServerResponse(headers: [.contentType: "application/octet-stream"], body: request.body)
        }
        routes.on(nil, "/test/response_codes/:code") { request in
            let name = request.parameters["code"] ?? ""
            let code = Int(name) ?? (200...599).first { PracticeService.name(of: $0) == name }
            guard let code, 200...599 ~= code else { return .text("there is no such status", status: .notFound) }
            return ServerResponse(HTTPResponse.Status(code: code))
        }
    }

    /// The echo of Cycles' backend: `?content=&code=&delay=&header=Name:Value`.
    private static func echo(_ request: ServerRequest) -> ServerResponse {
        let code = request.queryValue("code").flatMap { Int($0) } ?? 200
        var answer = ServerResponse.text(request.queryValue("content") ?? request.text)
        answer.status = HTTPResponse.Status(code: 200...599 ~= code ? code : 200)
        answer.delay = .seconds(request.queryValue("delay").flatMap { Double($0) } ?? 0)
        for item in request.queryItems where item.name == "header" {
            guard let halves = item.value?.cut(at: ":"), let name = HTTPField.Name(String(halves.before)) else {
                continue
            }
            answer.headers[name] = String(halves.behind)
        }
        return answer
    }

    /// A status's name in a path, as in the originals: `not_found`.
    private static func name(of code: Int) -> String {
        let phrase = HTTPResponse.Status(code: code).reasonPhrase.lowercased()
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        return String(decoding: phrase.utf8.map { letters ~= $0 ? $0 : UInt8(ascii: "_") }, as: UTF8.self)
    }

    /// A text as a JSON string.
    static func json(_ text: String) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": escaped.append(contentsOf: "\\\(scalar)".unicodeScalars)
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value + 0x1_0000, radix: 16).dropFirst()
                escaped.append(contentsOf: "\\u\(digits)".unicodeScalars)
            default: escaped.append(scalar)
            }
        }
        return "\"\(String(escaped))\""
    }
}
