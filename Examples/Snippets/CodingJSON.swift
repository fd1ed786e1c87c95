// SPDX-License-Identifier: Apache-2.0

import Cumulus
import Foundation

struct Report: Codable, Sendable {
    var title: String
    var pages: Int
}

func exactness() throws {
    // snippet.exact
    let json = try JSON(parsing: #"{"price":19.90,"id":9007199254740993,"price":19.95}"#)
    let price = json["price"].number?.text  // "19.95", as written
    let id = json["id"].int  // exact, unlike a Double
    let report = try json.decode(as: [String: Double].self)  // no second parse
    let text = String(decoding: json.encoded(.prettyPrinted), as: UTF8.self)
    // snippet.end
    _ = (price, id, report, text)
}

// snippet.foundation
/// Foundation's coders for one of your types: `$0.coders.register(FoundationJSONCoder(), for: Report.self)`.
struct FoundationJSONCoder: BodyCoder {
    var mediaType: MediaType { .json }

    func encode(_ value: any Encodable & Sendable, as mediaType: MediaType?) throws -> ByteChunk {
        ByteChunk(try JSONEncoder().encode(value))
    }

    func decode<Value: Decodable>(_ type: Value.Type, from bytes: ByteChunk, of mediaType: MediaType?) throws -> Value {
        try JSONDecoder().decode(type, from: bytes.data)
    }
}
// snippet.end
