// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Foundation

#if canImport(Darwin)
import Security

/// A transport's TLS settings as objects of the Security framework.
final class SystemTrust: Sendable {
    private let credentials: [Origin: URLCredential]

    init(_ policy: TrustPolicy) throws(TransportFailure) {
        for (index, der) in (policy.anchors?.certificates ?? []).enumerated() where Self.certificate(der) == nil {
            throw .unusableTLS("certificate \(index + 1) of the authorities can't be read")
        }
        var credentials: [Origin: URLCredential] = [:]
        for (origin, identity) in policy.identities { credentials[origin] = try Self.credential(identity, for: origin) }
        self.credentials = credentials
    }

    private static func certificate(_ der: [UInt8]) -> SecCertificate? {
        let data = Data(der)
        return SecCertificateCreateWithData(nil, data as CFData)
    }

    /// The client's certificate for an origin.
    func credential(for origin: Origin) -> URLCredential? { credentials[origin] }

    /// The reason to refuse a server; `nil` if it is accepted.
    func refusal(of trust: SecTrust, by check: ServerCheck) -> String? {
        if let set = check.anchors {
            // The certificates are made for each server, because not every SDK declares them `Sendable`.
            let anchors = set.certificates.compactMap(Self.certificate)
            guard SecTrustSetAnchorCertificates(trust, anchors as CFArray) == errSecSuccess,
                SecTrustSetAnchorCertificatesOnly(trust, !set.includesSystem) == errSecSuccess
            else { return "the authorities can't be used" }
        }
        // The session's queue must not wait for other servers, such as one with a missing issuer's certificate.
        _ = SecTrustSetNetworkFetchAllowed(trust, false)
        var problem: CFError?
        let isTrusted = SecTrustEvaluateWithError(trust, &problem)
        let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate]
        let own = chain?.first.map { [UInt8](Data(referencing: SecCertificateCopyData($0) as NSData)) }
        let distrust = isTrusted ? nil : problem?.localizedDescription ?? "the certificate is not trusted"
        return check.refusal(distrust: distrust, certificate: own)
    }

    private static func credential(
        _ identity: URLSessionTransport.TLS.Identity,
        for origin: Origin
    ) throws(TransportFailure) -> URLCredential {
        var options: [String: Any] = [:]
        options[kSecImportExportPassphrase as String] = identity.password.revealed
        #if os(macOS)
        // Without this option, macOS adds the identity to the user's keychain. Other systems never do.
        options[kSecImportToMemoryOnly as String] = true
        #endif
        let data = Data(identity.pkcs12)
        var found: CFArray?
        let status = SecPKCS12Import(data as CFData, options as CFDictionary, &found)
        let subject = "the client certificate for \(origin)"
        guard status != errSecAuthFailed else { throw .unusableTLS("the password of \(subject) is wrong") }
        guard status == errSecSuccess, let items = found as? [[String: Any]], let item = items.first,
            let key = item[kSecImportItemIdentity as String],
            CFGetTypeID(key as CFTypeRef) == SecIdentityGetTypeID()
        else { throw .unusableTLS("\(subject) can't be read as PKCS#12 (status \(status))") }
        let chain = item[kSecImportItemCertChain as String] as? [SecCertificate] ?? []
        // The type was compared; a conditional cast to a type of Core Foundation doesn't compile.
        let own = unsafeDowncast(key as CFTypeRef, to: SecIdentity.self)
        // The chain begins with the identity's own certificate. Each connection requests it again.
        return URLCredential(identity: own, certificates: Array(chain.dropFirst()), persistence: .none)
    }
}
#else
/// FoundationNetworking supports no TLS settings.
struct SystemTrust: Sendable {
    init(_ policy: TrustPolicy) throws(TransportFailure) {
        throw TransportFailure(
            .unsupported,
            "URLSession on Linux doesn't support your own trust roots, client certificates or pinned keys; NIOTransport does"
        )
    }
}
#endif
