// SPDX-License-Identifier: Apache-2.0

/// A user's name and password; printing shows the name only.
public struct Credentials: Sendable, Hashable {
    /// The user's name.
    public let user: String
    /// The password.
    public let password: Secret<String>

    /// Puts name and password together.
    public init(user: String, password: Secret<String>) {
        self.user = user
        self.password = password
    }

    /// Puts name and password together.
    @_disfavoredOverload
    public init(user: String, password: String) { self.init(user: user, password: Secret(password)) }
}
