// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// An exception of ``AddressPolicy/publicOnly(allowing:)-(String...)`` that is not a host, address or network.
public struct AddressPolicyMalformation: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong, with the entry quoted.
    public let description: String

    init(_ entry: String) {
        let why = entry == "*" ? "allows every host; use `.any` for that" : "is not a host, address or network"
        description = "\"\(PeerText.printable(entry, limit: 80))\" \(why)"
    }
}
