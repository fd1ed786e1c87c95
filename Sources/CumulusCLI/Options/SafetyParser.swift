// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// Determines the allowed addresses: `--public-only`, `--allow-address`.
struct SafetyParser {
    private let options: Arguments

    init(_ options: Arguments) { self.options = options }

    /// The addresses that may be connected to.
    func addresses() throws(UsageMistake) -> AddressPolicy {
        guard options.publicOnly else {
            if options.allowAddress.isEmpty { return .any }
            throw UsageMistake("--allow-address has no effect without --public-only")
        }
        if options.unixSocket != nil {
            throw UsageMistake("--public-only allows only public addresses, not the socket of --unix-socket")
        }
        if options.allowAddress == ["*"] {
            throw UsageMistake("--allow-address '*' allows every address; omit --public-only instead")
        }
        do throws(AddressPolicyMalformation) {
            return try .publicOnly(allowing: options.allowAddress)
        } catch {
            throw UsageMistake(
                "--allow-address is not valid: \(error.description)",
                hint: "10.1.0.0/16, ::1, api.internal:8080"
            )
        }
    }
}
