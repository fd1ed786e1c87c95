// SPDX-License-Identifier: Apache-2.0

/// The answer of a registry's token service.
struct RegistryToken: Decodable, Sendable {
    let text: Secret<String>
    /// How long it is valid, in seconds.
    let lifetime: Double

    private enum CodingKeys: String, CodingKey {
        case token
        case accessToken = "access_token"
        case expiresIn = "expires_in"
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let own = try values.decodeIfPresent(String.self, forKey: .token)
        let text = try own ?? values.decode(String.self, forKey: .accessToken)
        guard !text.isEmpty, text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
            throw AuthorizationProblem(
                "the registry's token is empty or contains a character that is not allowed in a header"
            )
        }
        self.text = Secret(text)
        // A minute by default; slightly less, to allow for transit.
        let told = try values.decodeIfPresent(Double.self, forKey: .expiresIn) ?? 60
        lifetime = min(max(told - 5, 1), 86_400)
    }
}
