// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// Determines the allowed addresses: `--public-only`, `--allow-address`.
struct SafetyParser {
    private let options: Arguments

    init(_ options: Arguments) { self.options = options }

    /// The addresses that the request may connect to.
    func addresses() throws(UsageMistake) -> AddressPolicy {
        guard options.publicOnly else {
            if options.allowAddress.isEmpty { return .any }
            throw UsageMistake("--allow-address needs --public-only")
        }
        if options.unixSocket != nil {
            throw UsageMistake("--public-only and --unix-socket can't be combined: a socket has no address to check")
        }
        if options.allowAddress == ["*"] {
            throw UsageMistake(
                "--public-only and --allow-address '*' can't be combined: every address would be allowed",
                hint: "omit both options"
            )
        }
        do throws(AddressPolicyMalformation) {
            return try .publicOnly(allowing: options.allowAddress)
        } catch {
            throw UsageMistake(
                "--allow-address is not valid: \(error.description)",
                hint: "for example 10.1.0.0/16, ::1 or api.internal:8080"
            )
        }
    }
}
