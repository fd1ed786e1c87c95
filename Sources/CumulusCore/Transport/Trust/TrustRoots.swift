// SPDX-License-Identifier: Apache-2.0

/// The certificate authorities that are trusted for servers.
public enum TrustRoots: Sendable, Hashable {
    /// The system's authorities.
    case system
    /// Only the authorities in a PEM text.
    ///
    /// For a development server with a self-signed certificate, pass that certificate. A `NIOTransport` accepts it even
    /// if it may not sign other certificates. This applies to each server certificate that is listed here, including
    /// with `systemAnd(pem:)`.
    case pem([UInt8])
    /// The system's authorities and those in the PEM text: your own authority in addition to the public ones.
    case systemAnd(pem: [UInt8])
    /// Only the authorities in the PEM files.
    case files([String])

    /// Returns the trust roots that contain only the authorities in a PEM text.
    public static func pem(_ text: String) -> TrustRoots { .pem(Array(text.utf8)) }

    /// Returns the trust roots that contain the system's authorities and those in a PEM text.
    public static func systemAnd(pem text: String) -> TrustRoots { .systemAnd(pem: Array(text.utf8)) }

    /// Returns the trust roots that contain only the authorities in PEM files, specified by path or `file:` URL.
    public static func files(_ files: [any Locator]) -> TrustRoots { .files(files.map(\.locatorText)) }
}
