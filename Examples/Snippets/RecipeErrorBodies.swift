// SPDX-License-Identifier: Apache-2.0

import Cumulus

// snippet.type
// {"code": "sold_out", "message": "None is left", "fields": {"item": "7"}}
struct ShopRefusal: Error, Decodable, Sendable {
    var code: String
    var message: String
    var fields: [String: String]?
}
// snippet.end

struct ShopOrder: Codable, Sendable {
    var item: Int
}

// snippet.use
struct Shop: Sendable {
    private let site: Resource

    init(site: Resource) {
        self.site = site
        site.setRules { $0.errorDecoders = [.decoding(ShopRefusal.self)] }
    }

    /// Throws the shop's error as a `ShopRefusal`, and all others as a `CumulusError`.
    func order(_ item: Int) async throws -> ShopOrder {
        do {
            return try await site["orders"].post(body: ShopOrder(item: item), as: ShopOrder.self)
        } catch let error as CumulusError {
            throw error.serviceError(as: ShopRefusal.self) ?? error
        }
    }
}
// snippet.end
