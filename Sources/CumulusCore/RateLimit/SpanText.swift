// SPDX-License-Identifier: Apache-2.0

/// A duration as Go formats it: `6m0s`, `1h2m3.5s`, `120ms`.
struct SpanText: Sendable, Hashable {
    let duration: Duration

    /// `nil` if it is invalid, or longer than a hundred years.
    init?(_ text: String) {
        guard text.utf8.count <= 64, !text.utf8.isEmpty else { return nil }
        var rest = text.utf8[...]
        var seconds = 0.0
        while !rest.isEmpty {
            let digits = rest.prefix { $0 &- 0x30 < 10 || $0 == UInt8(ascii: ".") }
            rest = rest[digits.endIndex...]
            let unit = rest.prefix { 0x61...0x7A ~= $0 }
            rest = rest[unit.endIndex...]
            guard let number = ServerTiming.decimal(String(Substring(digits))),
                let size = SpanText.units[String(Substring(unit))]
            else { return nil }
            seconds += number * size
        }
        guard seconds <= 3.2e9 else { return nil }
        duration = .seconds(seconds)
    }

    private static let units: [String: Double] = ["ms": 0.001, "s": 1, "m": 60, "h": 3_600, "d": 86_400]
}
