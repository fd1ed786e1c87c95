// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// Determines allowed addresses and hedging: `--public-only`, `--allow-address`, `--hedge`.
struct SafetyParser {
    private let options: ConnectionOptions

    init(_ options: ConnectionOptions) { self.options = options }

    /// The addresses that may be connected to.
    func addresses() throws(UsageMistake) -> AddressPolicy {
        guard options.publicOnly else {
            if options.allowAddress.isEmpty { return .any }
            throw UsageMistake("--allow-address has no effect without --public-only")
        }
        if options.unixSocket != nil { throw UsageMistake("--public-only refuses the Unix socket of --unix-socket") }
        do throws(AddressPolicyMalformation) {
            return try .publicOnly(allowing: options.allowAddress)
        } catch {
            throw UsageMistake("--allow-address is refused: \(error)", hint: "10.1.0.0/16, ::1, api.internal:8080")
        }
    }

    /// When a late response is requested once more.
    func hedging() throws(UsageMistake) -> Hedging? {
        guard let seconds = options.hedge else { return nil }
        guard seconds.isFinite, 0...3_600 ~= seconds else {
            throw UsageMistake("--hedge takes seconds from 0 to an hour", hint: "--hedge 0.5")
        }
        return .after(.seconds(seconds))
    }
}
