// SPDX-License-Identifier: Apache-2.0

/// A user name and password; printing shows only the name.
public struct Credentials: Sendable, Hashable {
    /// The user name.
    public let user: String
    /// The password.
    public let password: Secret<String>

    /// Makes credentials from a name and a password.
    public init(user: String, password: Secret<String>) {
        self.user = user
        self.password = password
    }

    /// Makes credentials from a name and a password.
    @_disfavoredOverload
    public init(user: String, password: String) { self.init(user: user, password: Secret(password)) }
}
