// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes

extension ExchangePrinter {
    /// The limit for a body in memory for hiding its secrets.
    private static let heldLimit = 16 << 20

    /// Prints a request that is not sent, with its whole body.
    ///
    /// Without formatting it is written as on a connection; secrets stay hidden, and the announced length is that of
    /// the written body.
    mutating func printUnsent(_ request: TransportRequest) async throws {
        var request = request
        switch request.body {
        case .none: break
        case .bytes(let bytes):
            if style.isWire { return try printWire(request, held: bytes.bytes) }
        case .file, .stream:
            if style.isWire, style.showsSecrets { return try await printStreamed(request) }
            guard style.parts.contains(.requestBody) else { break }
            guard let held = try await ExchangePrinter.held(request.body) else {
                warn("cumulus: note: a body larger than 16 MiB is printed only to a pipe and with --show-secrets")
                break
            }
            if style.isWire { return try printWire(request, held: held) }
            // The head still shows the framing.
            try print(headOf: request)
            request.body = .bytes(ByteChunk(held))
            return try print(bodyOf: request)
        }
        try print(request)
    }

    /// Writes a request whose body is in memory, chunked if its length would not be known before its end.
    private mutating func printWire(_ request: TransportRequest, held: [UInt8]) throws {
        let type = request.headers[.contentType].flatMap { MediaType($0) }
        var shown = held
        defer { noteRedaction(of: request, isBodyRedacted: shown != held) }
        if !style.showsSecrets {
            guard request.headers[.contentEncoding] == nil else {
                if style.parts.contains(.requestHead) { try write(head(of: request, length: nil)) }
                return warn("cumulus: note: the request's body is compressed and shown only with --show-secrets")
            }
            guard let open = SecretRedaction.body(ByteChunk(held), of: type) else {
                if style.parts.contains(.requestHead) { try write(head(of: request, length: nil)) }
                return noteHidden(held.count, of: type)
            }
            shown = open
        }
        if style.parts.contains(.requestHead) { try write(head(of: request, length: shown.count)) }
        guard style.parts.contains(.requestBody) else { return }
        if request.body.length != nil { return try write(shown) }
        if !shown.isEmpty { try write(ExchangePrinter.chunk(shown)) }
        try write(Array("0\r\n\r\n".utf8))
    }

    /// Says that what was written differs from what would be sent.
    private func noteRedaction(of request: TransportRequest, isBodyRedacted: Bool) {
        var open = self.style
        open.showsSecrets = true
        guard !style.showsSecrets,
            isBodyRedacted || HeadText(style: style).text(of: request) != HeadText(style: open).text(of: request)
        else { return }
        warn("cumulus: note: the request is printed without its secrets; --show-secrets includes them")
    }

    /// Writes a request piece by piece.
    private mutating func printStreamed(_ request: TransportRequest) async throws {
        if style.parts.contains(.requestHead) { try write(head(of: request, length: nil)) }
        guard style.parts.contains(.requestBody) else { return }
        let (isChunked, output) = (request.body.length == nil, console)
        try await request.body.read { piece in
            if piece.isEmpty { return }
            try output.write(isChunked ? ExchangePrinter.chunk(piece.bytes) : piece.bytes)
        }
        if isChunked { try write(Array("0\r\n\r\n".utf8)) }
    }

    private func head(of request: TransportRequest, length: Int?) -> [UInt8] {
        Array(HeadText(style: style).text(of: request, length: length).utf8)
    }

    /// A chunk with its length (RFC 9112 section 7.1).
    private static func chunk(_ bytes: [UInt8]) -> [UInt8] {
        Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n".utf8)
    }

    /// All bytes of a body; `nil` if it exceeds the limit.
    private static func held(_ body: RequestBody) async throws -> [UInt8]? {
        if let length = body.length, length > Int64(heldLimit) { return nil }
        let holder = HeldBody()
        do {
            try await body.read { try holder.take($0, upTo: heldLimit) }
        } catch is HeldBody.Full {
            return nil
        }
        return holder.all
    }
}
