// SPDX-License-Identifier: Apache-2.0

/// What the ledger knows of a request, whatever it is made of.
protocol RunningSubject: Sendable {
    var origin: Origin { get }
    var path: String { get }
    /// The request as far as it is known, for errors.
    var bare: EncodedRequest { get }
}
