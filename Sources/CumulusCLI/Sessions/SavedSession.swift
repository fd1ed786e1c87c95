// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// The data of a session for an origin, except for its cookies, which have their own file.
struct SavedSession: Equatable, Sendable {
    /// A header field that is sent with each request.
    struct Field: Equatable, Sendable {
        let name: String
        let value: String
    }

    let origin: Origin
    var fields: [Field] = []
    var identity: Plan.Identity?

    init(of origin: Origin) { self.origin = origin }

    /// Whether a header belongs to one request only: framing or description of a body, conditions, ranges, keys,
    /// cookies.
    static func isPassing(_ name: String) -> Bool {
        let name = name.lowercased()
        let passing: Set<String> = [
            "cookie", "range", "expect", "host", "connection", "transfer-encoding", "te", "trailer", "upgrade",
            "idempotency-key", "proxy-authorization",
        ]
        return name.begins(with: "content-") || name.begins(with: "if-") || passing.contains(name)
    }
}

extension SavedSession {
    /// Parses the result of ``encoded()``; `nil` for anything else.
    init?(decoding bytes: [UInt8]) {
        guard let json = try? JSON(parsing: bytes), json["version"].int == 1,
            let origin = json["origin"].string.flatMap({ try? RequestURL($0) })?.origin
        else { return nil }
        self.init(of: origin)
        for item in json["headers"].array ?? [] {
            guard let name = item["name"].string, let value = item["value"].string else { return nil }
            fields.append(Field(name: name, value: value))
        }
        let known = json["credentials"]
        guard let kind = known["type"].string else { return }
        let (name, secret) = (known["name"].string ?? "", Secret(known["secret"].string ?? ""))
        switch kind {
        case "basic": identity = .basic(user: name, password: secret)
        case "digest": identity = .digest(user: name, password: secret)
        case "bearer": identity = .bearer(secret)
        case "header-key": identity = .headerKey(name: name, secret)
        case "query-key": identity = .queryKey(name: name, secret)
        default: return nil
        }
    }

    /// The session as JSON, with its secrets.
    func encoded() -> [UInt8] {
        var members: [(String, JSON)] = [("version", 1), ("origin", .string(origin.description))]
        members.append(
            ("headers", .array(fields.map { ["name": .string($0.name), "value": .string($0.value)] }))
        )
        if let known = SavedSession.members(of: identity) {
            let texts = [("type", known.kind), ("name", known.name), ("secret", known.secret.revealed)]
            members.append(("credentials", .object(JSON.Object(texts.map { ($0.0, .string($0.1)) }))))
        }
        return JSON.object(JSON.Object(members)).encoded() + [UInt8(ascii: "\n")]
    }

    /// Logins and AWS keys are already stored elsewhere.
    private static func members(
        of identity: Plan.Identity?
    ) -> (kind: String, name: String, secret: Secret<String>)? {
        switch identity {
        case .basic(let user, let password): ("basic", user, password ?? "")
        case .digest(let user, let password): ("digest", user, password ?? "")
        case .bearer(let token): ("bearer", "", token)
        case .headerKey(let name, let key): ("header-key", name, key)
        case .queryKey(let name, let key): ("query-key", name, key)
        case .login, .aws, nil: nil
        }
    }
}

extension SavedSession {
    /// This session merged with the changes between two states of another copy, so that of two concurrent commands
    /// neither undoes the other's.
    func changed(from before: SavedSession, to after: SavedSession) -> SavedSession {
        var changed = self
        let names = Set((before.fields + after.fields).map { Headers.Name($0.name) })
        for name in names {
            let new = after.fields.filter { Headers.Name($0.name) == name }
            guard before.fields.filter({ Headers.Name($0.name) == name }) != new else { continue }
            changed.fields.removeAll { Headers.Name($0.name) == name }
            changed.fields += new
        }
        changed.fields.sort { $0.name.lowercased() < $1.name.lowercased() }
        if before.identity != after.identity { changed.identity = after.identity }
        return changed
    }
}
