// SPDX-License-Identifier: Apache-2.0

/// The users and passwords of a `.netrc` file, by host.
///
/// Nothing reads such a file unless you do:
///
///     site.authorizers.append(.netrc(try NetrcFile(path: path)))
///
/// A password is never put together with another entry's user, nor taken from another host's entry.
public struct NetrcFile: Sendable {
    /// The largest file that is read: 1 MiB.
    public static let largestSize = 1 << 20

    struct Entry: Sendable {
        /// The host; `nil` for the default.
        let host: String?
        var user: String?
        var password: Secret<String>?

        func isFor(_ name: String) -> Bool { host?.lowercased() == name }
    }

    let entries: [Entry]

    /// Reads the text of such a file.
    ///
    /// - Throws: ``NetrcProblem`` that names the line where it can't be understood.
    public init(parsing bytes: [UInt8]) throws(NetrcProblem) {
        guard bytes.count <= Self.largestSize else { throw NetrcProblem("is larger than 1 MiB", line: nil) }
        var parser = NetrcParser(bytes)
        entries = try parser.entries()
    }

    /// Reads a file that only its owner can read.
    ///
    /// - Parameter path: The file's path or its `file:` URL.
    /// - Throws: ``NetrcProblem`` where it is missing, others may read it, or it can't be understood.
    public init(path: some Locator) throws(NetrcProblem) {
        try self.init(parsing: NetrcProblem.readOwnFile(path.locatorText))
    }

    /// What the file has for a host.
    ///
    /// - Parameters:
    ///   - origin: Where the request goes; the port doesn't count.
    ///   - user: The user that is known already, from a URL for example: only an entry of exactly this name counts.
    /// - Returns: The first entry with both name and password; those of `default` only for a host without any entry.
    public func credentials(for origin: Origin, user: String? = nil) -> Credentials? {
        let own = entries.filter { $0.isFor(origin.host) }
        for entry in own.isEmpty ? entries.filter({ $0.host == nil }) : own {
            guard let name = entry.user, let password = entry.password, user == nil || user == name else { continue }
            return Credentials(user: name, password: password)
        }
        return nil
    }
}

extension NetrcFile: CustomStringConvertible, CustomReflectable {
    /// How many entries there are.
    public var description: String { "\(entries.count) entries" }
    /// Shows the same as the description.
    public var customMirror: Mirror { Mirror(self, children: ["netrc": description]) }
}
