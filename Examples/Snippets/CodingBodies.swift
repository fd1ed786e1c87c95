// SPDX-License-Identifier: Apache-2.0

import Cumulus
import Foundation

struct Event: Codable, Sendable {
    var startsAt: Double
}

func dynamic(site: Resource) async throws {
    // snippet.json
    let json = try await site["posts/1"].get(as: JSON.self)
    let author = json["author"]["name"].string ?? "unknown"  // `null` if a member is missing
    let draft: JSON = ["title": "Clouds", "tags": ["sky", "weather"], "public": true]
    let made = try await site["posts"].post(body: draft, as: JSON.self)
    // snippet.end
    _ = (author, made)
}

func strategies(site: Resource) {
    // snippet.strategies
    var coder = JSONCoder()
    coder.decoding.keys = .convertFromSnakeCase
    coder.encoding.keys = .convertToSnakeCase
    coder.decoding.dates = .iso8601
    site.setRules { $0.coders.registerJSON(coder) }
    // snippet.end
}

func customDates(site: Resource) {
    // snippet.dates
    var coder = JSONCoder()
    coder.decoding.dates = .custom { decoder in
        let text = try decoder.singleValueContainer().decode(String.self)
        let day = Date.ISO8601FormatStyle().year().month().day()  // 2026-11-29
        guard let date = (try? Date.ISO8601FormatStyle().parse(text)) ?? (try? day.parse(text)) else {
            throw CodingProblem("\(text) is not a date")
        }
        return date
    }
    site.setRules { $0.coders.registerJSON(coder) }
    // snippet.end
}

func texts(site: Resource) async throws {
    // snippet.text
    let text = try await site["motto"].get(as: String.self)
    let bytes = try await site["logo.png"].get(as: [UInt8].self)
    // snippet.end
    _ = (text, bytes)
}

// snippet.own
/// Encodes a list of strings as CSV with one column.
struct LinesCoder: BodyCoder {
    var mediaType: MediaType { "text/csv" }

    func encode(_ value: any Encodable & Sendable, as mediaType: MediaType?) throws -> ByteChunk {
        guard let lines = value as? [String] else { throw CodingProblem("\(type(of: value)) is not a list of strings") }
        return ByteChunk(lines.joined(separator: "\n"))
    }

    func decode<Value: Decodable>(_ type: Value.Type, from bytes: ByteChunk, of mediaType: MediaType?) throws -> Value {
        let lines = bytes.bytes.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
        guard let value = lines as? Value else { throw CodingProblem("lines can't be decoded as \(type)") }
        return value
    }
}
// snippet.end

func register(site: Resource) async throws {
    // snippet.register
    site.setRules { $0.coders.register(LinesCoder(), forMediaTypes: "text/csv") }
    let names = try await site["names.csv"].get(as: [String].self)
    let sent = try await site["names.csv"].put(.value(names, as: "text/csv"))
    // snippet.end
    _ = sent
}

func contentType(site: Resource) {
    // snippet.content-type
    site.setRules { $0.contentType = .json }  // Content-Type and Accept, inherited by children
    // snippet.end
}
