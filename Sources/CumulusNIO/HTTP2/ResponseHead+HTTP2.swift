// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes
import NIOHPACK

extension ResponseHead {
    /// Creates the head for callers; its fields are built at the first access.
    init(status: Int, _ fields: HPACKHeaders, connectionHadServed: Bool) {
        self.init(
            status: HTTPResponse.Status(code: status),
            protocolName: "HTTP/2",
            mayBeCoded: fields.contains(name: "content-encoding"),
            connectionHadServed: connectionHadServed,
            lazily: { HTTPFields(fields) }
        )
    }
}

extension HTTPFields {
    /// The fields without the pseudo-header fields.
    init(_ fields: HPACKHeaders) {
        self.init()
        reserveCapacity(fields.count)
        for (name, value, _) in fields where name.utf8.first != UInt8(ascii: ":") {
            guard let name = HTTPField.Name(name) else { continue }
            append(HTTPField(name: name, value: value))
        }
    }

    /// The fields that are allowed in trailers (RFC 9110 section 6.5.1).
    init(trailers fields: HPACKHeaders) {
        self.init()
        for (name, value, _) in fields {
            let isForbidden = HTTP1FieldNames.forbiddenInTrailers.contains { forbidden in
                forbidden.withUTF8Buffer { name.utf8.elementsEqual($0) }
            }
            guard !isForbidden, let name = HTTPField.Name(name) else { continue }
            append(HTTPField(name: name, value: value))
        }
    }
}

extension HPACKHeaders {
    /// The approximate size of the section in bytes: its content, without the compression.
    var approximateSize: Int64 {
        var size = 0
        for (name, value, _) in self { size += name.utf8.count + value.utf8.count + 2 }
        return Int64(size)
    }
}
