// SPDX-License-Identifier: Apache-2.0

public import CumulusCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension NIOTransport.Configuration.TLS.Identity {
    /// Reads a certificate and its key from files in PEM.
    ///
    /// - Parameters:
    ///   - certificateFile: The certificate, followed by those of its issuers.
    ///   - keyFile: The unencrypted private key; `nil` means the same file.
    /// - Throws: The system's error if a file can't be read. The files' contents are checked when the first TLS
    ///   connection is made.
    public init(certificateFile: some Locator, keyFile: (any Locator)? = nil) throws {
        let chain = try Data(contentsOf: URL(filePath: certificateFile.locatorText))
        let key = try keyFile.map { try Data(contentsOf: URL(filePath: $0.locatorText)) } ?? chain
        self.init(certificateChain: Array(chain), privateKey: Array(key))
    }
}
