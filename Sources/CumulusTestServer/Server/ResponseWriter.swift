// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// Writes one response: in HTTP/1.1 with the requested framing, right or wrong, or in HTTP/2, which has its own
/// framing.
struct ResponseWriter {
    let link: ServerLink
    let method: HTTPRequest.Method
    let isHTTP11: Bool
    /// Whether the request allows the connection to stay open.
    let allowsKeepAlive: Bool

    /// Sends head, body and trailers; returns whether the connection can serve another request.
    func write(_ response: ServerResponse) async throws -> Bool {
        // In real time, like a slow server.
        if response.delay > .zero { try await Task.sleep(for: response.delay) }
        if link.isHTTP2 { return try await writeParts(response) }
        for early in response.informational {
            try await link.send(head(early.status, early.headerFields))
        }
        let framing = framing(of: response)
        let keepsAlive = allowsKeepAlive && !response.closesConnection && framing != .untilClose
        let head = head(response.status, fields(of: response, framing: framing, keepsAlive: keepsAlive))
        if !hasBody(response) {
            try await link.send(head)
            return keepsAlive
        }
        let faults = BodyFaults(response.faults)
        if case .bytes(let bytes) = response.content, framing != .chunked, faults == nil {
            // One piece for head and body, as a real server would.
            try await link.send(head + bytes)
            return keepsAlive
        }
        try await link.send(head)
        try await writeBody(response, ServerBodyWriter(link: link, isChunked: framing == .chunked, faults: faults))
        if framing == .chunked {
            try await link.send(Array("0\r\n".utf8) + lines(response.trailers) + Array("\r\n".utf8))
        }
        return keepsAlive
    }

    private func writeParts(_ response: ServerResponse) async throws -> Bool {
        for early in response.informational { try await link.sendHead(early.status, early.headerFields) }
        let framing = framing(of: response)
        var fields = response.headers
        if case .contentLength(let count) = framing, fields[.contentLength] == nil, hasLength(response) {
            fields[.contentLength] = String(count)
        }
        try await link.sendHead(response.status, fields)
        if hasBody(response) {
            let faults = BodyFaults(response.faults)
            try await writeBody(response, ServerBodyWriter(link: link, isChunked: false, faults: faults))
        }
        try await link.sendEnd(response.trailers)
        return true
    }

    private func writeBody(_ response: ServerResponse, _ writer: ServerBodyWriter) async throws {
        try await writer.faults?.begin()
        switch response.content {
        case .bytes(let bytes): try await writer.write(bytes)
        case .script(let steps): for step in steps { try await writer.perform(step) }
        case .stream(let write): try await write(writer)
        case .raw: break
        }
        try writer.faults?.finish()
    }

    private func hasBody(_ response: ServerResponse) -> Bool {
        let status = response.status.code
        return method != .head && status != 204 && status != 304 && !(100..<200).contains(status)
    }

    private func hasLength(_ response: ServerResponse) -> Bool {
        response.status != .noContent && response.status != .notModified
    }

    private func framing(of response: ServerResponse) -> ServerResponse.Framing {
        if response.framing != .automatic { return response.framing }
        if case .bytes(let bytes) = response.content, response.trailers.isEmpty { return .contentLength(bytes.count) }
        return isHTTP11 ? .chunked : .untilClose
    }

    private func fields(
        of response: ServerResponse,
        framing: ServerResponse.Framing,
        keepsAlive: Bool
    ) -> HTTPFields {
        var fields = response.headers
        let canHaveLength = hasLength(response)
        switch framing {
        case .contentLength(let count):
            if canHaveLength, fields[.contentLength] == nil { fields[.contentLength] = String(count) }
        case .chunked:
            if canHaveLength { fields[.transferEncoding] = "chunked" }
        case .untilClose, .automatic: break
        }
        if !keepsAlive {
            fields[.connection] = "close"
        } else if !isHTTP11 {
            fields[.connection] = "keep-alive"
        }
        return fields
    }

    private func head(_ status: HTTPResponse.Status, _ fields: HTTPFields) -> [UInt8] {
        Array("HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n".utf8) + lines(fields) + Array("\r\n".utf8)
    }

    private func lines(_ fields: HTTPFields) -> [UInt8] {
        var bytes: [UInt8] = []
        for field in fields {
            bytes += Array("\(field.name.rawName): ".utf8)
            bytes += field.withUnsafeBytesOfValue(Array.init)
            bytes += [13, 10]
        }
        return bytes
    }
}
