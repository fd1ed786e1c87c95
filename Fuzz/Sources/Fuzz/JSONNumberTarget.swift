// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Foundation

/// Whatever number a text has, each way to it gives a value or an error.
enum JSONNumberTarget: FuzzTarget {
    static let name = "json-numbers"

    static func check(_ input: UnsafeRawBufferPointer) {
        // The bytes as a number and as a value that has some.
        let text = String(decoding: input, as: UTF8.self)
        if let number = JSON.Number(text: text) { check(number, .number(number)) }
        guard let json = try? JSON(parsing: input) else { return }
        var numbers: [JSON.Number] = []
        collect(json, &numbers)
        for number in numbers { check(number, .number(number)) }
        for (one, other) in zip(numbers, numbers.dropFirst()) {
            expect((one == other) == (other == one), "they are equal in one direction")
            if one == other { expect(one.hashValue == other.hashValue, "equal numbers have different hashes") }
        }
        checkTypes(json)
        _ = ProblemDetails(json)?.description
    }

    private static func collect(_ json: JSON, _ numbers: inout [JSON.Number]) {
        switch json {
        case .number(let number): numbers.append(number)
        case .array(let elements): for element in elements { collect(element, &numbers) }
        case .object(let members): for (_, member) in members { collect(member, &numbers) }
        default: break
        }
    }

    private static func check(_ number: JSON.Number, _ json: JSON) {
        expect(number == number, "a number differs from itself: \(number)")
        _ = (number.int, number.double, number.hashValue, number == 0, number == -1)
        if let int = number.int { expect(number == JSON.Number(int), "\(number) is no \(int)") }
        expect(!number.double.isNaN, "\(number) is not a number")
        checkTypes(json)
    }

    private static func checkTypes(_ json: JSON) {
        var strategies = JSON.DecodingStrategies()
        strategies.nonConformingFloats = .convertFromString(positiveInfinity: "i", negativeInfinity: "-i", nan: "n")
        for dates in [
            JSON.DecodingStrategies.Dates.deferredToDate, .secondsSince1970, .millisecondsSince1970, .iso8601,
        ] {
            strategies.dates = dates
            guard let date = try? json.decode(as: Date.self, strategies: strategies) else { continue }
            expect(date.timeIntervalSince1970.isFinite, "a date is not a number")
            _ = date.description
        }
        _ = try? json.decode(as: [Date].self, strategies: strategies)
        _ = try? json.decode(as: Int.self)
        _ = try? json.decode(as: Int8.self)
        _ = try? json.decode(as: UInt64.self)
        _ = try? json.decode(as: Int128.self)
        _ = try? json.decode(as: Double.self)
        _ = try? json.decode(as: Float.self)
        _ = try? json.decode(as: Decimal.self).description
        _ = try? json.decode(as: [String: Int].self)
        _ = try? json.decode(as: [Decimal].self)
    }
}
