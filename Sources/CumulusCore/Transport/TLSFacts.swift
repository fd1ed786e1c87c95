// SPDX-License-Identifier: Apache-2.0

/// The TLS properties of the connection that carried a response.
///
/// It is a single reference that is shared by all exchanges of a connection. A value that the transport can't observe
/// is `nil`.
public struct TLSFacts: Sendable, Hashable {
    private struct Parts: Sendable, Hashable {
        var version: String?
        var cipherSuite: TLSCipherSuite?
        var certificate: ServerCertificate?
    }

    private var parts: Shared<Parts>

    /// The version of the protocol: `TLS 1.2`, `TLS 1.3`.
    public var version: String? {
        get { parts.value.version }
        set { parts.value.version = newValue }
    }
    /// The cipher suite that the server chose.
    public var cipherSuite: TLSCipherSuite? {
        get { parts.value.cipherSuite }
        set { parts.value.cipherSuite = newValue }
    }
    /// The server's own certificate, which was verified if the transport verifies servers.
    public var certificate: ServerCertificate? {
        get { parts.value.certificate }
        set { parts.value.certificate = newValue }
    }

    /// Creates facts; each parameter sets the property of the same name.
    public init(version: String? = nil, cipherSuite: TLSCipherSuite? = nil, certificate: ServerCertificate? = nil) {
        parts = Shared(Parts(version: version, cipherSuite: cipherSuite, certificate: certificate))
    }

    /// Whether all values are the same.
    public static func == (one: Self, other: Self) -> Bool { one.parts.value == other.parts.value }
    /// Hashes the values.
    public func hash(into hasher: inout Hasher) { hasher.combine(parts.value) }
}
