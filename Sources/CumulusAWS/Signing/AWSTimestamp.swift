// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// An instant in the format of AWS signatures: `20150830T123600Z`.
package struct AWSTimestamp: Sendable, Hashable {
    let text: String

    /// The day, `20150830`.
    package var day: Substring { text.prefix(8) }

    package init(_ date: Date) {
        let seconds = HTTPDate(date).secondsSince1970
        let days = Int(seconds >= 0 ? seconds / 86_400 : -((86_399 - seconds) / 86_400))
        let second = Int(seconds) - days * 86_400
        let (year, month, day, _) = GregorianCalendar.day(after: days)
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
}
