// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The process's environment variables, and its home folder.
struct AWSSurroundings: Sendable {
    private let variable: @Sendable (String) -> String?

    /// Uses the process's own environment, or a test's.
    init(_ variable: @escaping @Sendable (String) -> String? = { getenv($0).map { String(cString: $0) } }) {
        self.variable = variable
    }

    /// A variable's value; an empty one counts as none.
    subscript(name: String) -> String? { variable(name).flatMap { $0.isEmpty ? nil : $0 } }

    var region: String? { self["AWS_REGION"] ?? self["AWS_DEFAULT_REGION"] }

    var credentialsFile: String { self["AWS_SHARED_CREDENTIALS_FILE"] ?? "\(self["HOME"] ?? "")/.aws/credentials" }
}
