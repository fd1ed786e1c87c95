// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// The shared credentials file of AWS's own tools: sections in brackets, each with lines of `name = value`.
struct AWSCredentialsFile {
    /// The largest file that is read.
    private static let limit = 1 << 20

    private let path: String
    private var sections: [String: [String: String]] = [:]

    /// Reads a file.
    ///
    /// - Throws: `AuthorizationProblem` if it can't be read, or is too long.
    init(path: String) throws(AuthorizationProblem) {
        let bytes: [UInt8]
        do {
            bytes = try OpenedFile(path).read(at: 0, count: Self.limit)
        } catch {
            throw AuthorizationProblem("the AWS credentials file \(PeerText.quoted(path)) \(error.reason)")
        }
        guard bytes.count < Self.limit else {
            throw AuthorizationProblem("the AWS credentials file \(PeerText.quoted(path)) is longer than 1 MiB")
        }
        self.init(path: path, text: String(decoding: bytes, as: UTF8.self))
    }

    /// Parses the file's text; lines that are neither a section nor a value are ignored, and so is what follows a
    /// section's bracket or, after a blank, `#` or `;`.
    init(path: String, text: String) {
        self.path = path
        var section: String?
        let text = text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
        for line in text.utf8.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            let line = text[line.startIndex..<line.endIndex].trimmed
            if line.begins(with: "#") || line.begins(with: ";") { continue }
            if line.begins(with: "[") {
                section = line.cut(at: "]").map { String(Substring($0.before.utf8.dropFirst()).trimmed) }
            } else if let section, let (name, value) = AWSCredentialsFile.pair(line) {
                sections[section, default: [:]][name.trimmed.lowercased()] = String(value.trimmed)
            }
        }
    }

    /// `name = value` or, as Python reads it, `name: value`; keys have no blanks, so a comment may follow one.
    private static func pair(_ line: Substring) -> (Substring, Substring)? {
        guard let (name, value) = line.cut(at: "=") ?? line.cut(at: ":") else { return nil }
        var previous: UInt8 = 0x20
        let comment = value.utf8.indices.first { index in
            defer { previous = value.utf8[index] }
            let begins = value.utf8[index] == UInt8(ascii: "#") || value.utf8[index] == UInt8(ascii: ";")
            return begins && (previous == 0x20 || previous == 0x09)
        }
        return (name, comment.map { value[..<$0] } ?? value)
    }

    /// A profile's keys.
    ///
    /// - Throws: `AuthorizationProblem` that names the missing part.
    func credentials(of profile: String) throws -> AWSCredentials {
        guard let section = sections[profile] else {
            throw problem("has no profile \(PeerText.quoted(profile))")
        }
        func value(_ name: String) throws -> String {
            guard let value = section[name], !value.isEmpty else {
                throw problem("has no \(name) in its profile \(PeerText.quoted(profile))")
            }
            return value
        }
        return AWSCredentials(
            accessKeyID: try value("aws_access_key_id"),
            secretAccessKey: Secret(try value("aws_secret_access_key")),
            sessionToken: (section["aws_session_token"] ?? section["aws_security_token"]).flatMap {
                $0.isEmpty ? nil : Secret($0)
            }
        )
    }

    private func problem(_ reason: String) -> AuthorizationProblem {
        AuthorizationProblem("the AWS credentials file \(PeerText.quoted(path)) \(reason)")
    }
}
