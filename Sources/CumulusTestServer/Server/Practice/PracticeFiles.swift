// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import CumulusTesting
import HTTPTypes

/// The practice service's files: uploads and downloads, whole and in ranges, with valid and stale validators.
struct PracticeFiles: Sendable {
    private static let tag = "\"practice\""
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"

    let hero: [UInt8]
    let massive: [UInt8]

    func install(in routes: inout Routes) {
        installDates(in: &routes)
        installDownloads(in: &routes)
        routes.put("/test/upload/hero") { [hero] request in
            request.body == hero ? .text("OK") : .text("these are other bytes", status: .badRequest)
        }
        for (name, bytes) in [("hero", hero), ("massive", massive)] {
            routes.get("/test/stream/\(name)") { _ in
                .stream(headers: [.contentType: "image/png"]) { writer in
                    for start in stride(from: 0, to: bytes.count, by: 16_384) {
                        try await writer.write(Array(bytes[start..<min(start + 16_384, bytes.count)]))
                    }
                }
            }
        }
        for (name, bytes) in [("hero.png", hero), ("massive.png", massive)] {
            routes.get("/resources/\(name)") { request in PracticeFiles.ranged(bytes, request) }
        }
    }

    private func installDates(in routes: inout Routes) {
        routes.get("/modified") { _ in .text("OK", date: PracticeFiles.date) }
        routes.get("/test/last-modified") { _ in .text("OK", date: PracticeFiles.date) }
        routes.get("/test/no-last-modified") { _ in .text("OK") }
        routes.get("/test/if-modified/not") { request in
            request.headers[.ifModifiedSince] == nil
                ? .text("OK", date: PracticeFiles.date)
                : ServerResponse(.notModified, headers: [.lastModified: PracticeFiles.date])
        }
        routes.get("/test/if-modified/is") { _ in .text("OK", date: "Mon, 07 Nov 1994 08:49:37 GMT") }
    }

    private func installDownloads(in routes: inout Routes) {
        routes.get("/test/download/hero") { [hero] _ in
            let disposition = "attachment; filename=\"hero.png\""
            return ServerResponse(
                headers: [.contentType: "image/png", .contentDisposition: disposition],
                body: hero
            )
        }
        routes.get("/test/download/massive") { [massive] in PracticeFiles.ranged(massive, $0) }
        for (kind, field, known) in [
            ("etag", HTTPField.Name.eTag, PracticeFiles.tag), ("date", .lastModified, PracticeFiles.date),
        ] {
            routes.get("/test/download/massive/\(kind)/notmodified") { [massive] request in
                if let condition = request.headers[.ifRange], condition != known { return ServerResponse(.badRequest) }
                return PracticeFiles.ranged(massive, request, [Headers.Name(field): known])
            }
            // Any copy of the client's is stale: the whole file is sent.
            routes.get("/test/download/massive/\(kind)/modified") { [massive] request in
                if let condition = request.headers[.ifRange], condition != known { return ServerResponse(.badRequest) }
                return ServerResponse(headers: [.contentType: "image/png", Headers.Name(field): known], body: massive)
            }
        }
        routes.get("/test/download/massive/resume/fail") { [massive] request in
            request.headers[.range] == nil
                ? ServerResponse(headers: [.eTag: PracticeFiles.tag, .acceptRanges: "bytes"], body: massive)
                : ServerResponse(.internalServerError)
        }
        routes.get("/test/download/empty") { _ in ServerResponse(headers: [.contentType: "image/png"]) }
        routes.on(.head, "/test/download/fail") { _ in ServerResponse(.badRequest) }
    }

    /// The bytes, or the one requested range of them (RFC 9110 section 14).
    private static func ranged(
        _ bytes: [UInt8],
        _ request: ServerRequest,
        _ fields: Headers = [.eTag: tag]
    ) -> ServerResponse {
        var headers = fields
        headers[.contentType] = "image/png"
        headers[.acceptRanges] = "bytes"
        let range = request.headers[.range] ?? ""
        guard let unit = range.cut(at: "="), unit.before == "bytes", let ends = unit.behind.cut(at: "-"),
            let first = Int(ends.before)
        else { return ServerResponse(headers: headers, body: bytes) }
        let last = min(Int(ends.behind) ?? .max, bytes.count - 1)
        guard first <= last else {
            headers[.contentRange] = "bytes */\(bytes.count)"
            return ServerResponse(.rangeNotSatisfiable, headers: headers)
        }
        headers[.contentRange] = "bytes \(first)-\(last)/\(bytes.count)"
        return ServerResponse(.partialContent, headers: headers, body: Array(bytes[first...last]))
    }
}

extension ServerResponse {
    fileprivate static func text(_ text: String, date: String) -> ServerResponse {
        var response = ServerResponse.text(text)
        response.headers[.lastModified] = date
        return response
    }
}
