// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import HTTPTypes

/// The users and passwords of a `.netrc` file, by host.
///
/// Cumulus never reads such a file on its own:
///
///     let netrc = try NetrcFile(path: path)
///     site.setRules { $0.authorizers.append(.netrc(netrc)) }
///
/// A password is never combined with another entry's user, or taken from another host's entry.
public struct NetrcFile: Sendable {
    /// The maximum size of a file: 1 MiB.
    public static let largestSize = 1 << 20

    struct Entry: Sendable {
        /// The host; `nil` for the default entry.
        let host: String?
        var user: String?
        var password: Secret<String>?

        func isFor(_ name: String) -> Bool { host?.lowercased() == name }
    }

    let entries: [Entry]

    /// Parses the text of a `.netrc` file.
    ///
    /// - Throws: ``NetrcProblem``, which names the invalid line.
    public init(parsing bytes: [UInt8]) throws(NetrcProblem) {
        guard bytes.count <= Self.largestSize else { throw NetrcProblem("is larger than 1 MiB", line: nil) }
        var parser = NetrcParser(bytes)
        entries = try parser.entries()
    }

    /// Reads a file that only its owner can read.
    ///
    /// - Parameter path: The file's path or its `file:` URL.
    /// - Throws: ``NetrcProblem`` if the file is missing, is readable by other users, or is invalid.
    public init(path: some Locator) throws(NetrcProblem) {
        try self.init(parsing: NetrcProblem.readOwnFile(path.locatorText))
    }

    /// Returns the file's credentials for a host.
    ///
    /// - Parameters:
    ///   - origin: The origin of the request; its port is ignored.
    ///   - user: A user name that is already known, for example from a URL. In that case, only an entry with exactly
    ///     this name matches.
    /// - Returns: The credentials of the first entry with both a name and a password; those of `default` only if the
    ///   host has no entry.
    public func credentials(for origin: Origin, user: String? = nil) -> Credentials? {
        let own = entries.filter { $0.isFor(origin.host) }
        for entry in own.isEmpty ? entries.filter({ $0.host == nil }) : own {
            guard let name = entry.user, let password = entry.password, user == nil || user == name else { continue }
            return Credentials(user: name, password: password)
        }
        return nil
    }

    /// Whether a host has its own entry.
    package func hasEntry(for origin: Origin) -> Bool { entries.contains { $0.isFor(origin.host) } }
}

extension NetrcFile: Redacted {
    /// The number of entries.
    public var description: String { "\(entries.count) entries" }
}

/// Basic authentication with the netrc file's entry for the request's host, if it has one.
struct NetrcAuthorizer: Authorizer {
    let file: NetrcFile
    /// All of the file's entries, so that each other file is another user.
    let identity: AuthorizerIdentity?

    init(file: NetrcFile) {
        self.file = file
        var message = IdentityMessage()
        for entry in file.entries {
            for text in [entry.host, entry.user, entry.password?.revealed] {
                message.add("text", text.map { [$0] } ?? [])
            }
        }
        let digest = MessageDigest.hexadecimal(IdentityDigest(message).bytes)
        identity = AuthorizerIdentity("netrc", Secret(digest))
    }

    var mayWait: Bool { false }
    var respondsToChallenges: Bool { false }

    func authorize(_ request: inout EncodedRequest) async throws {
        guard request.headers[.authorization] == nil, let found = file.credentials(for: request.origin) else { return }
        try await BasicAuthorizer(user: found.user, password: found.password).authorize(&request)
    }
}
