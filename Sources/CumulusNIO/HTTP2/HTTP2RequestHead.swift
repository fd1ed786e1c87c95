// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes
import NIOHPACK

/// Creates a request's field section (RFC 9113 section 8.3.1); its parts have already been checked.
enum HTTP2RequestHead {
    /// The pseudo-header fields, the caller's fields, and the length of the body if it is known.
    ///
    /// The caller's own `host` becomes the authority. The fields of a large head are not added to the compression
    /// table: lighttpd stops reading a head that is too large for it, so the two tables would differ from then on, and
    /// every later request on the connection would fail.
    static func fields(of request: TransportRequest, host: String? = nil, isLarge: Bool = false) -> HPACKHeaders {
        var fields = HPACKHeaders()
        fields.reserveCapacity(request.headers.count + 5)
        fields.add(name: ":method", value: request.method.rawValue)
        fields.add(name: ":scheme", value: request.origin.scheme.rawValue)
        fields.add(name: ":authority", value: host ?? request.origin.authority)
        // Rarely repeated: it would only evict others from the table.
        fields.add(name: ":path", value: request.target, indexing: .nonIndexable)
        for field in request.headers where isSent(field) {
            let name = field.name.canonicalName
            fields.add(name: name, value: field.value, indexing: indexing(of: name, isLarge: isLarge))
        }
        if let length = contentLength(of: request) {
            fields.add(name: "content-length", value: String(length), indexing: .nonIndexable)
        }
        return fields
    }

    /// The size of the field section as SETTINGS_MAX_HEADER_LIST_SIZE counts it (RFC 9113 section 6.5.2).
    static func size(of request: TransportRequest, host: String?) -> Int {
        fields(of: request, host: host).reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 32 }
    }

    /// False for fields that are expressed in another way, and for connection-specific ones (RFC 9113 section 8.2.2).
    private static func isSent(_ field: HTTPField) -> Bool {
        let name = field.name.canonicalName
        switch name.utf8.count {
        case 2 where name == "te": return field.value.lowercased() == "trailers"
        case 4: return name != "host"
        case 7: return name != "upgrade"
        case 10: return name != "connection" && name != "keep-alive"
        case 14: return name != "content-length" && name != "http2-settings"
        case 16: return name != "proxy-connection"
        case 17: return name != "transfer-encoding"
        // A proxy's credentials go to that proxy only.
        case 19: return name != "proxy-authorization"
        default: return true
        }
    }

    /// Secrets are not put into tables, where others on the way could probe for them (RFC 7541 section 7.1.3).
    private static func indexing(of name: String, isLarge: Bool) -> HPACKIndexing {
        switch name {
        case "authorization", "cookie": .neverIndexed
        default: isLarge ? .nonIndexable : .indexable
        }
    }

    private static func contentLength(of request: TransportRequest) -> Int64? {
        switch request.body {
        case .none:
            switch request.method {
            case .post, .put, .patch: 0
            default: nil
            }
        case .bytes(let chunk): Int64(chunk.count)
        case .file(let file): file.length
        case .stream(let stream): stream.length
        }
    }
}
