// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Warns on standard error that a transport trusts everyone, which must not happen unnoticed.
enum VerificationWarning {
    static func print() {
        let text: StaticString = "Cumulus: warning: a transport was created that does not verify TLS certificates.\n"
        // If standard error is closed, there is no one to warn.
        _ = write(STDERR_FILENO, text.utf8Start, text.utf8CodeUnitCount)
    }
}
