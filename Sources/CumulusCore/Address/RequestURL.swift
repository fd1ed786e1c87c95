// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// An absolute http or https URL, parsed once and strictly: the host that is checked is the host connected to.
///
/// It follows RFC 3986, and refuses forms that parsers interpret differently: backslashes, control characters, escapes
/// in the host, addresses in unusual numeric forms. Characters that need an escape in a path or query are escaped.
public struct RequestURL: Sendable, Hashable {
    /// The scheme, host and port.
    public let origin: Origin
    /// The path, encoded, without dot segments; at least `/`.
    public let path: String
    /// The query, encoded, without its `?`; `nil` if there is none.
    public let query: String?

    /// Creates a URL from parts that are known to be encoded.
    package init(origin: Origin, path: String, query: String?) {
        self.origin = origin
        self.path = path
        self.query = query
    }

    /// The path and query as in a request line.
    public var target: String { query.map { "\(path)?\($0)" } ?? path }
}

extension RequestURL: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The URL with its query values redacted.
    public var debugDescription: String { redacted }

    /// A mirror that shows the URL with its query values redacted.
    public var customMirror: Mirror { Mirror(self, children: ["url": redacted]) }

    /// The whole URL; its query may contain secrets.
    public var description: String { "\(origin)\(target)" }

    /// The URL with its query values and the secret parameters of its path redacted.
    public var redacted: String {
        let path = RequestURL.shown(path[...])
        guard let query else { return "\(origin)\(path)" }
        let shown = query.parts(at: "&").map { pair in
            pair.cut(at: "=").map { "\($0.before)=<redacted>" } ?? (pair.isEmpty ? "" : "<redacted>")
        }
        return "\(origin)\(path)?\(shown.joined(separator: "&"))"
    }

    /// A path without the secret parameters of its segments: `/a;jsessionid=x/b`.
    static func shown(_ path: Substring, mark: String = "<redacted>") -> String {
        guard path.has(anyOf: ";") else { return String(path) }
        let segments = path.parts(at: "/").map { segment in
            segment.parts(at: ";").enumerated().map { index, part in
                guard index > 0, let (name, _) = part.cut(at: "="), Redaction.isSecret(PercentEncoding.decode(name))
                else {
                    return String(part)
                }
                return "\(name)=\(mark)"
            }.joined(separator: ";")
        }
        return segments.joined(separator: "/")
    }
}

/// A user name and password; printing shows only the name.
public struct Credentials: Sendable, Hashable {
    /// The user name.
    public let user: String
    /// The password.
    public let password: Secret<String>

    /// Creates credentials from a name and a password.
    public init(user: String, password: Secret<String>) {
        self.user = user
        self.password = password
    }

    /// Creates credentials from a name and a password.
    @_disfavoredOverload
    public init(user: String, password: String) { self.init(user: user, password: Secret(password)) }
}
