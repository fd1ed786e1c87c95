// SPDX-License-Identifier: Apache-2.0

/// The line that closes a transfer: what moved, and how fast.
struct TransferReport {
    let name: String
    /// `sent` or `got`.
    let verb: String
    /// The bytes that moved now.
    let bytes: Int64
    /// The bytes that were there from an earlier try.
    var kept: Int64 = 0
    let elapsed: Duration

    /// The line.
    var text: String {
        let seconds = elapsed / .seconds(1)
        var parts = ["\(Amount.size(bytes)) in \(Amount.span(elapsed))"]
        // The rate of what took no time says nothing.
        if seconds >= 0.1 { parts.append(Amount.rate(Double(bytes) / seconds)) }
        if kept > 0 { parts.append("\(Amount.size(kept)) were there") }
        return "cumulus: \(verb) \(PathName.shown(name)): \(parts.joined(separator: ", "))"
    }
}
