// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// Determines the speed of transfers: `--limit-rate`, `--minimum-rate`, `--rate`.
struct RateParser {
    private let arguments: Arguments

    init(_ arguments: Arguments) { self.arguments = arguments }

    /// The rate limit of requests.
    func rateLimit() throws(UsageMistake) -> RateLimit? {
        guard let rate = arguments.rate else { return nil }
        let mistake = arguments.mistake(
            \.rate,
            "takes a number of requests and a time, not \(quoted(rate))",
            hint: "for example 2/s, 30/m or 1/10s; --limit-rate is for bytes"
        )
        guard let (number, time) = rate.split(at: "/"), let count = Int(number), 1...1_000_000 ~= count else {
            throw mistake
        }
        let units: [String: Int] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
        let digits = time.utf8.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        guard let unit = units[String(time[digits.endIndex...])],
            let times = digits.isEmpty ? 1 : Int(Substring(digits)), 1...31_536_000 / unit ~= times
        else { throw mistake }
        return .requests(count, per: .seconds(times * unit))
    }

    /// The rate below which a transfer is aborted.
    func minimum() throws(UsageMistake) -> MinimumRate? {
        guard let minimumRate = arguments.minimumRate else { return nil }
        let (rate, span) = minimumRate.split(at: ":") ?? (minimumRate, "30")
        guard let bytes = RateParser.bytes(rate), let seconds = OptionRow.seconds(span), 1...86_400 ~= seconds else {
            throw arguments.mistake(
                \.minimumRate,
                "takes bytes per second, optionally with a time, not \(quoted(minimumRate))",
                hint: "for example 1k, 500k:60 or 10k:2m; 0 means no minimum"
            )
        }
        return MinimumRate(bytesPerSecond: bytes, over: .seconds(seconds))
    }

    /// The rate that all transfers of the command share.
    func bandwidth() throws(UsageMistake) -> Bandwidth? {
        guard let limitRate = arguments.limitRate else { return nil }
        guard let bytes = RateParser.bytes(limitRate), bytes >= 1 else {
            throw arguments.mistake(
                \.limitRate,
                "takes bytes per second, not \(quoted(limitRate))",
                hint: "for example 500k, 2.5M or 1G"
            )
        }
        return Bandwidth(bytesPerSecond: bytes)
    }

    /// Parses `2.5M`, `500k`, `1GiB` or plain bytes; each unit is 1024 times the previous one.
    static func bytes(_ text: String) -> Int64? {
        let number = text.utf8.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || $0 == UInt8(ascii: ".") }
        var unit = text[number.endIndex...].lowercased()
        for ending in ["/s", "b", "i"] where unit.ends(with: ending) && unit != "i" { unit.removeLast(ending.count) }
        let powers: [String: Double] = ["": 1, "k": 0x1p10, "m": 0x1p20, "g": 0x1p30, "t": 0x1p40]
        guard let value = Double(number.text), let power = powers[unit] else { return nil }
        let bytes = value * power
        return bytes.isFinite && bytes < 0x1p62 ? Int64(bytes) : nil
    }
}
