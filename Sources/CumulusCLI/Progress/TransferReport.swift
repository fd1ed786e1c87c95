// SPDX-License-Identifier: Apache-2.0

/// The line at the end of a transfer: how much was transferred, and how fast.
struct TransferReport {
    let name: String
    /// `sent` or `got`.
    let verb: String
    /// The bytes of this transfer.
    let bytes: Int64
    /// The bytes from an earlier try.
    var kept: Int64 = 0
    let elapsed: Duration

    /// The line.
    var text: String {
        let seconds = elapsed / .seconds(1)
        var parts = ["\(Amount.size(bytes)) in \(Amount.span(elapsed))"]
        // The rate of a very short transfer is meaningless.
        if seconds >= 0.1 { parts.append(Amount.rate(Double(bytes) / seconds)) }
        if kept > 0 { parts.append("\(Amount.size(kept)) were already there") }
        return "cumulus: \(verb) \(PathName.shown(name)): \(parts.joined(separator: ", "))"
    }
}
