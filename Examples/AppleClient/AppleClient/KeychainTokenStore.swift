// SPDX-License-Identifier: Apache-2.0

import CumulusOAuth
import Foundation
import Security

/// Stores one token in the keychain of this device, readable once the user has unlocked it after a restart.
nonisolated struct KeychainTokenStore: TokenStore {
    /// The keychain refused; `SecCopyErrorMessageString` has the words.
    struct Refusal: Error {
        let status: OSStatus
    }

    let service: String
    let account: String

    func token() async throws -> OAuth2Token? {
        var query = item
        query[kSecReturnData as String] = true
        var found: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &found)
        if status == errSecItemNotFound { return nil }
        guard status == errSecSuccess, let data = found as? Data else { throw Refusal(status: status) }
        return OAuth2Token(decoding: Array(data))
    }

    func keep(_ token: OAuth2Token?) async throws {
        let deleted = SecItemDelete(item as CFDictionary)
        guard deleted == errSecSuccess || deleted == errSecItemNotFound else { throw Refusal(status: deleted) }
        guard let token else { return }
        var new = item
        new[kSecValueData as String] = Data(token.encoded())
        new[kSecAttrAccessible as String] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
        let added = SecItemAdd(new as CFDictionary, nil)
        guard added == errSecSuccess else { throw Refusal(status: added) }
    }

    private var item: [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service,
            kSecAttrAccount as String: account,
        ]
    }
}
