// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes
import Tracing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension SpanAttributes {
    /// Adds the attributes of a request; `method` is its name if it is known.
    mutating func describe(_ request: TransportRequest, _ server: ServerName, _ method: String?, _ template: String?) {
        self["http.request.method"] = method ?? KnownMethods.other
        if method == nil { self["http.request.method_original"] = request.method.rawValue }
        self["server.address"] = server.address
        self["server.port"] = server.port
        self["url.full"] = request.redactedURL
        if let template { self["url.template"] = template }
        if request.resendCount > 0 { self["http.request.resend_count"] = request.resendCount }
    }

    /// Adds the peer of the connection: an address and a port, as in `192.0.2.1:443`.
    mutating func describe(peer: String?) {
        guard let peer = peer.flatMap(PeerName.init) else { return }
        self["network.peer.address"] = peer.address
        self["network.peer.port"] = peer.port
    }
}

/// An address and a port of a peer, from a text such as `192.0.2.1:443` or `[2001:db8::1]:443`.
struct PeerName {
    let address: String
    let port: Int

    /// `nil` for another text.
    init?(_ text: String) {
        guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")),
            let port = Int(text[text.utf8.index(after: colon)...])
        else { return nil }
        let brackets = text.utf8.first == UInt8(ascii: "[") ? 1 : 0
        address = String(Substring(text[..<colon].utf8.dropFirst(brackets).dropLast(brackets)))
        self.port = port
    }
}

extension TransportRequest {
    /// The absolute URL, with only the names of its query items, as in logs.
    fileprivate var redactedURL: String {
        if target == "*" { return "\(origin)" }
        let bytes = target.utf8
        let end = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.endIndex
        let path = SecretRedaction.target(String(target[..<end]), mark: "REDACTED")
        guard end < bytes.endIndex else { return "\(origin)\(path)" }
        let items = bytes[bytes.index(after: end)...].split(
            separator: UInt8(ascii: "&"),
            omittingEmptySubsequences: false
        )
        let shown = items.map { item in
            if item.isEmpty { return "" }
            // An item without a name may be a secret as a whole.
            guard let equals = item.firstIndex(of: UInt8(ascii: "=")) else { return "REDACTED" }
            return "\(Substring(item[..<equals]))=REDACTED"
        }
        return "\(origin)\(path)?\(shown.joined(separator: "&"))"
    }
}

/// The name and port that a request is addressed to: those of its `Host` field, or of its origin.
struct ServerName: Sendable, Hashable {
    let address: String
    let port: Int

    /// The name of the `Host` field, for which HTTPTypes has no constant.
    private static let host = HTTPField.Name("Host")

    init(of request: TransportRequest) {
        let origin = request.origin
        guard let name = ServerName.host, let host = request.headers[name],
            let named = try? RequestURL("\(origin.scheme)://\(host)").origin
        else {
            self.init(of: origin)
            return
        }
        self.init(of: named)
    }

    init(of origin: Origin) { (address, port) = (origin.host, origin.port) }
}

/// The methods that attributes name; others are `_OTHER`.
enum KnownMethods {
    static let other = "_OTHER"
    /// The methods that the environment lists, which is read once.
    private static let names = names(
        listed: getenv("OTEL_INSTRUMENTATION_HTTP_KNOWN_METHODS").map { String(cString: $0) }
    )

    /// The methods of a comma-separated list; without a list, those of RFC 9110, RFC 5789 and the draft of QUERY.
    static func names(listed: String?) -> Set<String> {
        guard let listed else {
            return ["CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "QUERY", "TRACE"]
        }
        let names = listed.utf8.split(separator: UInt8(ascii: ",")).map { name in
            String(Substring(name.trimmed))
        }
        return Set(names)
    }

    /// The method's name if it is known; `nil` for another one.
    static func name(of method: HTTPRequest.Method, among names: Set<String> = names) -> String? {
        names.contains(method.rawValue) ? method.rawValue : nil
    }
}

/// The versions of HTTP that attributes name.
enum ProtocolVersion {
    /// The number of a protocol as in a status line; `nil` for an unknown one.
    static func number(of name: String) -> String? {
        switch name {
        case "HTTP/1.0": "1.0"
        case "HTTP/1.1": "1.1"
        case "HTTP/2", "HTTP/2.0", "h2": "2"
        case "HTTP/3", "HTTP/3.0", "h3": "3"
        default: nil
        }
    }
}

extension Substring.UTF8View {
    /// The bytes without blanks at both ends.
    fileprivate var trimmed: Substring.UTF8View {
        var bytes = self
        while bytes.first == UInt8(ascii: " ") { bytes.removeFirst() }
        while bytes.last == UInt8(ascii: " ") { bytes.removeLast() }
        return bytes
    }
}
