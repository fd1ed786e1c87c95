// SPDX-License-Identifier: Apache-2.0

import CumulusAWS
import CumulusCore

/// The keys, region and service of `-A aws4`.
struct AWSIdentity: Equatable, Sendable {
    /// The variables that may have keys, their file and the region.
    private static let names = [
        "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_REGION", "AWS_DEFAULT_REGION",
        "AWS_PROFILE", "AWS_SHARED_CREDENTIALS_FILE", "HOME",
    ]

    private struct Key: Equatable {
        let id: String
        let secret: Secret<String>
    }

    /// `nil` uses the environment's, otherwise those of the shared file.
    private let key: Key?
    private let region: String?
    private let service: String?
    private let variables: [String: String]

    /// Whether a value of `--auth-type` is of this kind: `aws4`, `aws4:REGION` or `aws4:REGION:SERVICE`.
    static func isNamed(_ kind: String) -> Bool {
        let name = "aws4".utf8
        return kind.lowercased().utf8.starts(with: name)
            && [nil, UInt8(ascii: ":")].contains(kind.utf8.dropFirst(name.count).first)
    }

    /// Parses a kind and the value of `--auth`; the secret may be in a variable or a file.
    init(_ arguments: Arguments, in surroundings: Surroundings) throws(UsageMistake) {
        let kind = arguments.authType ?? ""
        let parts = kind.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
        let isSound = parts.dropFirst().allSatisfy { part in
            part.utf8.allSatisfy { $0 &- 0x30 < 10 || ($0 | 0x20) &- 0x61 < 26 || $0 == UInt8(ascii: "-") }
        }
        guard parts.count <= 3, isSound else {
            throw UsageMistake(
                "-A aws4 accepts only a region and a service, which may contain letters, digits and hyphens",
                hint: "for example -A aws4:eu-central-1:s3"
            )
        }
        region = parts.count > 1 && !parts[1].isEmpty ? parts[1] : nil
        service = parts.count > 2 && !parts[2].isEmpty ? parts[2] : nil
        variables = Dictionary(
            uniqueKeysWithValues: Self.names.compactMap { name in surroundings.variable(name).map { (name, $0) } }
        )
        guard let auth = arguments.auth else {
            key = nil
            return
        }
        guard let (id, word) = auth.split(at: ":") else {
            throw UsageMistake(
                "-A aws4 needs a key and its secret, from --auth or the environment",
                hint: "write -A aws4 -a KEY:env:SECRET"
            )
        }
        key = Key(id: id, secret: try SecretWord(of: \.auth, arguments, in: surroundings).secret(word))
    }

    /// Whether the keys are the environment's or the shared file's, which may have a token that is sent with requests.
    var isStored: Bool { key == nil }

    /// The ID of the key, which is not a secret; `nil` if it comes from elsewhere.
    var keyID: String? { key?.id }

    /// The authorizer that signs the requests.
    var authorizer: BoundAuthorizer {
        let variables = variables
        let source: AWSCredentialSource =
            key.map { .keys(id: $0.id, secret: $0.secret, variable: { variables[$0] }) }
            ?? .standard { variables[$0] }
        return .aws(source, region: region, service: service)
    }
}
