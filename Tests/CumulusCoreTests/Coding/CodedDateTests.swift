// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import CumulusCore

/// Instants keep their fractions of a second in all formats.
@Suite struct CodedDateTests {
    private let instant = Date(timeIntervalSince1970: 1_795_341_600.25)

    @Test func aQueryKeepsThem() { #expect(instant.queryValue == .text("2026-11-22T10:00:00.250Z")) }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e12, 1e12])
    func whatFourDigitsOfAYearCannotHoldIsNoDate(seconds: Double) {
        let date = Date(timeIntervalSince1970: seconds)
        #expect(date.queryValue == .text(String(seconds)))
        var strategies = JSON.EncodingStrategies()
        strategies.dates = .iso8601
        #expect(throws: EncodingError.self) { try JSON(encoding: [date], strategies: strategies) }
    }

    @Test func jsonAndFormsKeepThem() throws {
        struct Event: Codable, Equatable, Sendable { var at: Date }
        let event = Event(at: instant)
        var encoding = JSON.EncodingStrategies()
        encoding.dates = .iso8601
        var decoding = JSON.DecodingStrategies()
        decoding.dates = .iso8601
        let json = try JSON(encoding: event, strategies: encoding)
        #expect(json["at"].string == "2026-11-22T10:00:00.250Z")
        #expect(try json.decode(as: Event.self, strategies: decoding) == event)
        let form = try FormCoder().encode(event, as: nil)
        #expect(try FormCoder().decode(Event.self, from: form, of: nil) == event)
    }
}
