// SPDX-License-Identifier: Apache-2.0

extension TransportFailure {
    /// The failure if none of a host's addresses may be connected to; `nil` if none was refused.
    public static func forbidden(_ refusals: [AddressRefusal]) -> TransportFailure? {
        guard let first = refusals.first else { return nil }
        let all = refusals.map(\.description).joined(separator: "; ")
        return TransportFailure(.forbiddenAddress, all, cause: first)
    }

    /// The failure if an address may not be connected to; nothing was sent.
    public static func forbidden(_ refusal: AddressRefusal) -> TransportFailure {
        TransportFailure(.forbiddenAddress, "\(refusal)", cause: refusal)
    }

    /// The failure if a transport doesn't see which addresses it connects to.
    package static func noAddressGuard(_ transport: any Transport.Type) -> TransportFailure {
        TransportFailure(
            .unsupported,
            "\(transport) doesn't know which addresses it connects to, so it can't enforce `allowedAddresses`; "
                + "NIOTransport can"
        )
    }
}
