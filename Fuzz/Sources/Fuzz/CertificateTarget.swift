// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// The names of a certificate are fit to print, and not long.
enum CertificateTarget: FuzzTarget {
    static let name = "certificate"

    static func check(_ input: UnsafeRawBufferPointer) {
        guard let certificate = ServerCertificate(der: Array(input)) else { return }
        for text in [certificate.subject, certificate.issuer] {
            expect(!text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7f }, "\(text.debugDescription)")
            // Each scalar may become an escape.
            expect(text.unicodeScalars.count <= 200 * 10 + 3, "\(text.unicodeScalars.count) scalars")
        }
    }
}
