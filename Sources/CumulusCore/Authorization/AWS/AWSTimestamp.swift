// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An instant in the format of AWS signatures: `20150830T123600Z`.
struct AWSTimestamp: Sendable, Hashable {
    let text: String

    /// The day, `20150830`.
    var day: Substring { text.prefix(8) }

    init(_ date: Date) {
        let seconds = HTTPDate(date).secondsSince1970
        let days = Int(seconds >= 0 ? seconds / 86_400 : -((86_399 - seconds) / 86_400))
        let second = Int(seconds) - days * 86_400
        let (year, month, day) = Self.civil(days)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(16)
        func append(_ number: Int, _ count: Int) {
            var unit = (1..<count).reduce(1) { power, _ in power * 10 }
            while unit > 0 {
                bytes.append(UInt8(ascii: "0") + UInt8(number / unit % 10))
                unit /= 10
            }
        }
        append(year, 4)
        append(month, 2)
        append(day, 2)
        bytes.append(UInt8(ascii: "T"))
        append(second / 3_600, 2)
        append(second / 60 % 60, 2)
        append(second % 60, 2)
        bytes.append(UInt8(ascii: "Z"))
        text = String(decoding: bytes, as: UTF8.self)
    }

    /// Converts days since 1 January 1970 to the Gregorian calendar; for the calculation, years begin in March.
    private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
        // 0000-03-01 was 719,468 days before 1970; 400 years have 146,097 days.
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let ofEra = shifted - era * 146_097
        let yearOfEra = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * ofYear + 2) / 153
        let day = ofYear - (153 * month + 2) / 5 + 1
        let civilMonth = month < 10 ? month + 3 : month - 9
        return (era * 400 + yearOfEra + (civilMonth <= 2 ? 1 : 0), civilMonth, day)
    }
}
