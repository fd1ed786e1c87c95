// SPDX-License-Identifier: Apache-2.0

// Stands in for the keychain: <Security/SecItem.h>. Dictionaries and references of Core Foundation are bridged by the check.

public typealias OSStatus = Int32
public typealias CFTypeRef = AnyObject

public final class CFString: Sendable {}
public final class CFDictionary {
    public init(_ members: [String: Any]) {}
}

public let kSecClass = CFString()
public let kSecClassGenericPassword = CFString()
public let kSecAttrService = CFString()
public let kSecAttrAccount = CFString()
public let kSecAttrAccessible = CFString()
public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly = CFString()
public let kSecReturnData = CFString()
public let kSecValueData = CFString()
public let errSecSuccess: OSStatus = 0
public let errSecItemNotFound: OSStatus = -25_300

public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus { 0 }
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus { 0 }
public func SecItemDelete(_ query: CFDictionary) -> OSStatus { 0 }
