// SPDX-License-Identifier: Apache-2.0

import Cumulus

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
    let text = json.encoded(.prettyPrinted)
    // snippet.end
    _ = (price, id, report, text)
}

func engine(site: Resource) {
    // snippet.engine
    site.coders.registerJSON(JSONCoder(engine: .foundation))
    // snippet.end
}
