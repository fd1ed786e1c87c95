// SPDX-License-Identifier: Apache-2.0

public import CumulusCore

/// The source of an ``AWSAuthorizer``'s keys.
///
///     site.setRules { $0.authorizers.append(.aws(.environment, region: "eu-central-1", service: "s3")) }
public struct AWSCredentialSource: Sendable {
    let load: @Sendable () async throws -> AWSCredentials
    /// The region that the environment names.
    let region: @Sendable () -> String?
    let mayWait: Bool
    /// The keys, if they are always the same.
    let fixed: AWSCredentials?

    init(
        mayWait: Bool = false,
        fixed: AWSCredentials? = nil,
        region: @escaping @Sendable () -> String? = { AWSSurroundings().region },
        load: @escaping @Sendable () async throws -> AWSCredentials
    ) {
        self.load = load
        self.region = region
        self.mayWait = mayWait
        self.fixed = fixed
    }

    /// Creates a source that uses the keys that you pass.
    public static func keys(
        id: String,
        secret: Secret<String>,
        sessionToken: Secret<String>? = nil
    ) -> AWSCredentialSource {
        let keys = AWSCredentials(accessKeyID: id, secretAccessKey: secret, sessionToken: sessionToken)
        return AWSCredentialSource(fixed: keys) { try keys.checked() }
    }

    /// A source that uses the variables `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN`.
    public static var environment: AWSCredentialSource { environment(AWSSurroundings()) }

    /// Creates a source that reads the shared credentials file, `~/.aws/credentials`.
    ///
    /// - Parameters:
    ///   - file: The file's path or its `file:` URL; by default the one in `AWS_SHARED_CREDENTIALS_FILE`, otherwise the
    ///     one in the home folder.
    ///   - profile: The section to read; by default the one in `AWS_PROFILE`, otherwise `default`.
    /// - Returns: The source. A missing file, section or key fails the request with `CumulusError.Code.authorization`.
    public static func file(_ file: (any Locator)? = nil, profile: String? = nil) -> AWSCredentialSource {
        self.file(file?.locatorText, profile: profile, AWSSurroundings())
    }

    /// A source that uses the keys in the environment, otherwise those in the shared credentials file.
    public static var standard: AWSCredentialSource { standard(AWSSurroundings()) }

    /// Creates a source that fetches keys with your own function: from a metadata service, a vault or `AssumeRole`.
    ///
    /// The function is called when there are no keys, or when they are about to expire; concurrent requests share one
    /// call. A request that it makes must not need these keys.
    public static func custom(_ load: @escaping @Sendable () async throws -> AWSCredentials) -> AWSCredentialSource {
        AWSCredentialSource(mayWait: true) { try await load().checked() }
    }
}

extension AWSCredentialSource {
    /// The standard sources, with the environment of a test or of a command.
    package static func standard(_ variable: @escaping @Sendable (String) -> String?) -> AWSCredentialSource {
        standard(AWSSurroundings(variable))
    }

    /// The given keys, with a region from the environment of a test or of a command.
    package static func keys(
        id: String,
        secret: Secret<String>,
        variable: @escaping @Sendable (String) -> String?
    ) -> AWSCredentialSource {
        let keys = AWSCredentials(accessKeyID: id, secretAccessKey: secret)
        return AWSCredentialSource(fixed: keys, region: { AWSSurroundings(variable).region }) { try keys.checked() }
    }

    static func environment(_ surroundings: AWSSurroundings) -> AWSCredentialSource {
        AWSCredentialSource(region: { surroundings.region }) {
            guard let id = surroundings["AWS_ACCESS_KEY_ID"] else {
                throw AuthorizationProblem("the environment has no AWS_ACCESS_KEY_ID")
            }
            guard let secret = surroundings["AWS_SECRET_ACCESS_KEY"] else {
                throw AuthorizationProblem("the environment has no AWS_SECRET_ACCESS_KEY")
            }
            return try AWSCredentials(
                accessKeyID: id,
                secretAccessKey: Secret(secret),
                sessionToken: surroundings["AWS_SESSION_TOKEN"].map { Secret($0) }
            ).checked()
        }
    }

    static func file(_ path: String?, profile: String?, _ surroundings: AWSSurroundings) -> AWSCredentialSource {
        AWSCredentialSource(region: { surroundings.region }) {
            let file = try AWSCredentialsFile(path: path ?? surroundings.credentialsFile)
            return try file.credentials(of: profile ?? surroundings["AWS_PROFILE"] ?? "default").checked()
        }
    }

    static func standard(_ surroundings: AWSSurroundings) -> AWSCredentialSource {
        AWSCredentialSource(region: { surroundings.region }) {
            let hasKeys = surroundings["AWS_ACCESS_KEY_ID"] != nil
            return try await (hasKeys ? environment(surroundings) : file(nil, profile: nil, surroundings)).load()
        }
    }
}

extension AWSCredentialSource: CustomStringConvertible {
    /// The kind of source, without its keys.
    public var description: String { "AWS credentials" }
}
