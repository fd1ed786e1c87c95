// SPDX-License-Identifier: Apache-2.0

// Stands in for the keychain and for trust: <Security/SecItem.h>, SecTrust.h, SecCertificate.h, SecImportExport.h. Dictionaries
// and references of Core Foundation are bridged by the check.

public import Foundation

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

public typealias CFArray = NSArray
public typealias CFData = NSData
public typealias CFTypeID = UInt
public typealias CFAllocator = AnyObject
public final class CFError: Error, @unchecked Sendable {}

extension NSArray {
    public convenience init(_ members: [Any]) { self.init(array: members) }
}

extension NSData {
    public convenience init(_ data: Data) { self.init(data: data) }
}

public func CFGetTypeID(_ reference: CFTypeRef!) -> CFTypeID { 0 }

// Not Sendable here, so that no code depends on it.
public class SecCertificate {}
public class SecIdentity {}
public class SecTrust {}

public let errSecAuthFailed: OSStatus = -25_293
public let kSecImportExportPassphrase = CFString()
public let kSecImportToMemoryOnly = CFString()
public let kSecImportItemIdentity = CFString()
public let kSecImportItemCertChain = CFString()

public func SecIdentityGetTypeID() -> CFTypeID { 0 }
public func SecCertificateCreateWithData(_ allocator: CFAllocator?, _ data: CFData) -> SecCertificate? { nil }
public func SecCertificateCopyData(_ certificate: SecCertificate) -> CFData { NSData() }
public func SecTrustSetAnchorCertificates(_ trust: SecTrust, _ certificates: CFArray?) -> OSStatus { 0 }
public func SecTrustSetAnchorCertificatesOnly(_ trust: SecTrust, _ isOnly: Bool) -> OSStatus { 0 }
public func SecTrustSetNetworkFetchAllowed(_ trust: SecTrust, _ isAllowed: Bool) -> OSStatus { 0 }
public func SecTrustEvaluateWithError(_ trust: SecTrust, _ error: UnsafeMutablePointer<CFError?>?) -> Bool { false }
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> CFArray? { nil }
public func SecPKCS12Import(
    _ data: CFData,
    _ options: CFDictionary,
    _ items: UnsafeMutablePointer<CFArray?>
) -> OSStatus { 0 }
