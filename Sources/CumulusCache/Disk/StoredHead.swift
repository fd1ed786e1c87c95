// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The bytes of a head's file: the response without its body, and the name of the body's file, authenticated with the
/// folder's key.
struct StoredHead {
    /// The request's method, and its URL without the values of its query.
    ///
    /// Users see them; the rules don't use them.
    let method: String
    let url: String
    let response: CachedResponse
    /// The name of the body's file.
    let body: String
    let length: Int64

    private static let magic = Array("CUCACHE3".utf8)
    private static let codeLength = 32
    /// The longest head that is read, in bytes.
    static let longest = 1 << 20

    /// The file's bytes.
    ///
    /// - Parameters:
    ///   - place: The code of the place, so that a file that was moved isn't accepted.
    ///   - key: The folder's key.
    /// - Returns: The bytes, followed by an authentication code.
    func bytes(of place: [UInt8], keyedBy key: [UInt8]) -> [UInt8] {
        var writer = ByteWriter(bytes: StoredHead.magic)
        writer.add(method)
        writer.add(url)
        writer.add(UInt64(response.status.code))
        writer.add(response.status.reasonPhrase)
        writer.add(response.responseTime.timeIntervalSince1970.bitPattern)
        writer.add(UInt64(bitPattern: response.delay))
        writer.add(UInt64(response.selecting.fields.count))
        for field in response.selecting.fields {
            writer.add(field.name)
            writer.add(field.digest == nil ? 0 : 1)
            writer.add(field.digest ?? "")
        }
        writer.add(UInt64(response.fields.count))
        for field in response.fields {
            writer.add(field.name.rawName)
            // Its bytes, which need not be UTF-8.
            field.withUnsafeBytesOfValue { writer.add($0) }
        }
        writer.add(body)
        writer.add(UInt64(bitPattern: length))
        return writer.bytes + HMAC(key: key).code(of: place + writer.bytes)
    }

    /// Reads a file's bytes; `nil` if any byte has changed.
    init?(_ bytes: [UInt8], of place: [UInt8], keyedBy key: [UInt8]) {
        guard bytes.count > StoredHead.magic.count + StoredHead.codeLength, bytes.starts(with: StoredHead.magic) else {
            return nil
        }
        let content = bytes.dropLast(StoredHead.codeLength)
        guard HMAC(key: key).code(of: place + content).elementsEqual(bytes.suffix(StoredHead.codeLength)) else {
            return nil
        }
        var reader = ByteReader(rest: content.dropFirst(StoredHead.magic.count))
        guard let method = reader.text(), let url = reader.text(),
            let code = reader.number().flatMap({ Int(exactly: $0) }), 100...999 ~= code, let reason = reader.text(),
            let responseTime = reader.number().map({ Double(bitPattern: $0) }), responseTime.isFinite,
            abs(responseTime) < 1e12,
            let delay = reader.number().map({ Int64(bitPattern: $0) }), let selecting = reader.selecting(),
            let fields = reader.fields(), let body = reader.text(), FileName.isOneComponent(body.utf8),
            let length = reader.number().map({ Int64(bitPattern: $0) }), length >= 0, reader.rest.isEmpty
        else { return nil }
        response = CachedResponse(
            status: .init(code: code, reasonPhrase: reason),
            fields: fields,
            selecting: selecting,
            responseTime: Date(timeIntervalSince1970: responseTime),
            delay: delay
        )
        (self.method, self.url, self.body, self.length) = (method, url, body, length)
    }

    /// The name of the body, which precedes the length and the code at the end.
    static func bodyName(in bytes: [UInt8]) -> String? {
        let end = bytes.count - codeLength - 8
        let count = 32 + CacheFolder.bodyEnding.utf8.count
        guard end >= count else { return nil }
        return String(validating: bytes[(end - count)..<end], as: UTF8.self).flatMap {
            CacheFolder.isOwn($0) ? $0 : nil
        }
    }

    init(_ response: CachedResponse, at place: CachePlace, body: String, length: Int64) {
        (method, url) = (place.method, place.shownURL)
        (self.response, self.body, self.length) = (response, body, length)
    }
}

/// Writes numbers, and texts preceded by their lengths.
private struct ByteWriter {
    var bytes: [UInt8]

    mutating func add(_ number: UInt64) { withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) } }

    mutating func add(_ text: String) { add(text.utf8) }

    mutating func add(_ content: some Collection<UInt8>) {
        add(UInt64(content.count))
        bytes.append(contentsOf: content)
    }
}

/// Reads the output of ``ByteWriter``.
private struct ByteReader {
    var rest: ArraySlice<UInt8>

    mutating func number() -> UInt64? {
        guard rest.count >= 8 else { return nil }
        defer { rest = rest.dropFirst(8) }
        return rest.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    mutating func text() -> String? { content().flatMap { String(validating: $0, as: UTF8.self) } }

    mutating func content() -> ArraySlice<UInt8>? {
        guard let count = number(), count <= UInt64(rest.count) else { return nil }
        defer { rest = rest.dropFirst(Int(count)) }
        return rest.prefix(Int(count))
    }

    /// The number of elements that take 16 bytes or more each.
    private mutating func count() -> Int? {
        guard let count = number(), count <= UInt64(rest.count / 16) else { return nil }
        return Int(count)
    }

    mutating func selecting() -> SelectingFields? {
        guard let count = count() else { return nil }
        var fields: [SelectingFields.Field] = []
        for _ in 0..<count {
            guard let name = text(), let isThere = number(), let digest = text() else { return nil }
            fields.append(SelectingFields.Field(name: name, digest: isThere == 1 ? digest : nil))
        }
        return SelectingFields(fields)
    }

    mutating func fields() -> HTTPFields? {
        guard let count = count() else { return nil }
        var fields = HTTPFields()
        for _ in 0..<count {
            guard let name = text().flatMap({ HTTPField.Name($0) }), let value = content() else { return nil }
            fields.append(HTTPField(name: name, value: value))
        }
        return fields
    }
}
