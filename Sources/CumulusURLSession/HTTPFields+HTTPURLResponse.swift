// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
package import HTTPTypes

#if canImport(FoundationNetworking)
import Foundation
package import FoundationNetworking
#else
package import Foundation
#endif

extension HTTPFields {
    /// Creates fields from a URL response, sorted by name, since its dictionary has no order.
    package init(_ response: HTTPURLResponse) {
        self.init()
        let fields = response.allHeaderFields.compactMap { key, value -> (String, String)? in
            guard let name = key as? String, let value = value as? String else { return nil }
            return (name, value)
        }
        for (rawName, value) in fields.sorted(by: { $0.0 < $1.0 }) {
            guard let name = HTTPField.Name(rawName) else { continue }
            let values = name == .setCookie ? Self.splitCookies(value) : [value]
            for value in values { append(HTTPField(name: name, value: value)) }
        }
    }

    /// Separates the cookies that the dictionary joined by commas.
    ///
    /// A comma is a separator if a cookie's name and `=` follow; the comma in a date is not (RFC 6265 section 3).
    static func splitCookies(_ joined: String) -> [String] {
        var cookies: [String] = []
        var current = ""
        for part in joined.parts(at: ",") {
            let cookie = part.dropping(" ")
            let name = cookie.before("=", ";")
            let startsCookie =
                !name.isEmpty && name.utf8.allSatisfy(isTokenByte) && cookie[name.endIndex...].begins(with: "=")
            if startsCookie || current.isEmpty {
                if !current.isEmpty { cookies.append(current) }
                current = String(cookie)
            } else {
                current += "," + part
            }
        }
        if !current.isEmpty { cookies.append(current) }
        return cookies
    }

    /// RFC 9110 section 5.6.2.
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
