// SPDX-License-Identifier: Apache-2.0

/// The shared credentials file of AWS's own tools: sections in brackets, each with lines of `name = value`.
struct AWSCredentialsFile {
    /// The largest file that is read.
    private static let limit = 1 << 20

    private let path: String
    private var sections: [String: [String: String]] = [:]

    /// Reads a file.
    ///
    /// - Throws: ``UploadProblem`` if it can't be read; ``AuthorizationProblem`` if it is too long.
    init(path: String) throws {
        let bytes = try OpenedFile(path).read(at: 0, count: Self.limit)
        guard bytes.count < Self.limit else {
            throw AuthorizationProblem("the AWS credentials file \(RequestURL.quote(path)) is longer than 1 MiB")
        }
        self.init(path: path, text: String(decoding: bytes, as: UTF8.self))
    }

    /// Parses the file's text; lines that are neither a section nor a value are ignored.
    init(path: String, text: String) {
        self.path = path
        var section: String?
        for line in text.utf8.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            let line = text[line.startIndex..<line.endIndex].trimmed
            if line.begins(with: "#") || line.begins(with: ";") { continue }
            if line.begins(with: "[") {
                section = line.ends(with: "]") ? String(Substring(line.utf8.dropFirst().dropLast()).trimmed) : nil
            } else if let section, let (name, value) = line.cut(at: "=") {
                sections[section, default: [:]][name.trimmed.lowercased()] = String(value.trimmed)
            }
        }
    }

    /// A profile's keys.
    ///
    /// - Throws: ``AuthorizationProblem`` that names the missing part.
    func credentials(of profile: String) throws -> AWSCredentials {
        guard let section = sections[profile] else {
            throw problem("has no profile \(RequestURL.quote(profile))")
        }
        func value(_ name: String) throws -> String {
            guard let value = section[name], !value.isEmpty else {
                throw problem("has no \(name) in its profile \(RequestURL.quote(profile))")
            }
            return value
        }
        return AWSCredentials(
            accessKeyID: try value("aws_access_key_id"),
            secretAccessKey: Secret(try value("aws_secret_access_key")),
            sessionToken: section["aws_session_token"].flatMap { $0.isEmpty ? nil : Secret($0) }
        )
    }

    private func problem(_ reason: String) -> AuthorizationProblem {
        AuthorizationProblem("the AWS credentials file \(RequestURL.quote(path)) \(reason)")
    }
}
