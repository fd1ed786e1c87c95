// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension NIOTransport.Configuration.TLS.Identity {
    /// Reads a certificate and its key from files in PEM.
    ///
    /// - Parameters:
    ///   - certificateFile: The certificate, followed by those that lead to its root.
    ///   - keyFile: The unencrypted private key; `nil` is the same file.
    /// - Throws: What the system says of a file that can't be read. What the files hold is looked at when the first TLS
    ///   connection is made.
    public init(certificateFile: String, keyFile: String? = nil) throws {
        let chain = try Data(contentsOf: URL(filePath: certificateFile))
        let key = try keyFile.map { try Data(contentsOf: URL(filePath: $0)) } ?? chain
        self.init(certificateChain: Array(chain), privateKey: Array(key))
    }
}
