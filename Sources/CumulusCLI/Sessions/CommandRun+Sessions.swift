// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

extension CommandRun {
    /// Lists, shows or removes sessions.
    func sessions(_ plan: SessionsPlan) async throws -> CommandStatus {
        switch plan.action {
        case .list:
            let head = ["NAME", "ORIGIN", "CREDENTIALS", "HEADERS", "COOKIES"]
            var rows: [[String]] = []
            for session in plan.sessions {
                let saved = session.saved
                let counts = ["\(saved.fields.count)", "\(await session.cookies.count)"]
                rows.append([session.name, saved.origin.description, CommandRun.kind(of: saved.identity)] + counts)
            }
            try write(rows.isEmpty ? "no sessions" : TextTable(head, rows).text)
        case .show:
            var texts: [String] = []
            for session in plan.sessions { texts.append(await CommandRun.text(of: session)) }
            try write(texts.joined(separator: "\n\n"))
        case .remove:
            for session in plan.sessions {
                try await session.remove()
                console.note("cumulus: removed the session \(quoted(session.name)) for \(session.saved.origin)")
            }
        }
        return .success
    }

    private func write(_ text: String) throws { try console.write(Array("\(text)\n".utf8)) }

    /// A session without its secrets.
    private static func text(of session: StoredSession) async -> String {
        let saved = session.saved
        var lines = [
            "\(PeerText.printable(session.name)) for \(saved.origin)", "file: \(PeerText.printable(session.path))",
        ]
        if let identity = saved.identity { lines.append("credentials: \(kind(of: identity))\(user(of: identity))") }
        lines += saved.fields.map { field in
            let value =
                SecretRedaction.isSecret(field.name) ? "<redacted>" : SecretRedaction.value(field.value, of: field.name)
            return "header: \(PeerText.printable("\(field.name): \(value)"))"
        }
        lines += await session.cookies.map { "cookie: \(PeerText.printable($0))" }
        return lines.joined(separator: "\n")
    }

    private static func kind(of identity: Plan.Identity?) -> String {
        switch identity {
        case .basic: "basic"
        case .digest: "digest"
        case .bearer: "bearer"
        case .headerKey, .queryKey: "apikey"
        case .login: "oauth2"
        case .aws: "aws4"
        case nil: "-"
        }
    }

    /// The part of the credentials that is not a secret.
    private static func user(of identity: Plan.Identity) -> String {
        switch identity {
        // A user without a password may be a token.
        case .basic(_, let password?) where password.revealed.isEmpty: ""
        case .digest(_, let password?) where password.revealed.isEmpty: ""
        case .basic(let name, _), .digest(let name, _), .headerKey(let name, _), .queryKey(let name, _):
            " (\(PeerText.printable(name)))"
        case .bearer, .login, .aws: ""
        }
    }
}
