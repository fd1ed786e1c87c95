// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

@testable import CumulusCore

/// The remembered latencies.
struct LatencySketchTests {
    private func sketch(_ latencies: [Duration]) -> LatencySketch {
        var sketch = LatencySketch()
        for latency in latencies { sketch.note(latency) }
        return sketch
    }

    @Test func tooFewTellNothing() {
        #expect(sketch([]).percentile(0.95) == nil)
        #expect(sketch(Array(repeating: .milliseconds(5), count: 19)).percentile(0.95) == nil)
        #expect(sketch(Array(repeating: .milliseconds(5), count: 20)).percentile(0.95) != nil)
    }

    @Test("a percentile is at least the time that it represents, and at most an eighth more")
    func percentilesAreNear() throws {
        for unit in [Duration.microseconds(100), .milliseconds(1), .milliseconds(37), .seconds(1)] {
            let sketch = sketch((1...100).map { unit * $0 })
            for share in [0.5, 0.9, 0.95, 0.99] {
                let (exact, told) = (unit * share * 100, try #require(sketch.percentile(share)))
                #expect(told >= exact - unit && told <= exact * 1.13 + unit, "\(share): \(told) of \(exact)")
            }
        }
    }

    @Test func oneSlowAnswerInTwentyIsBehindThe95thPercentile() throws {
        let latencies = (0..<100).map { $0 % 20 == 7 ? Duration.seconds(2) : .milliseconds(10) }
        let sketch = sketch(latencies)
        #expect(try #require(sketch.percentile(0.95)) < .milliseconds(12))
        #expect(try #require(sketch.percentile(0.96)) >= .seconds(2))
    }

    @Test func newerTimesCountMore() throws {
        var sketch = sketch(Array(repeating: .milliseconds(10), count: 5_000))
        for _ in 0..<512 { sketch.note(.seconds(1)) }
        #expect(try #require(sketch.percentile(0.5)) >= .seconds(1))
        #expect(sketch.count < 512)
    }

    @Test(
        "no time is too short or too long to be counted",
        arguments: [
            Duration.zero, .seconds(-5), .nanoseconds(1), .microseconds(63), .seconds(1 << 40), .seconds(Int64.max / 2),
        ]
    )
    func extremes(_ latency: Duration) throws {
        let told = try #require(sketch(Array(repeating: latency, count: 30)).percentile(0.999))
        #expect(told >= .microseconds(64) && told <= .seconds(70_000))
    }

    @Test func placesAreKnownApartAndBounded() throws {
        let book = LatencyBook()
        func request(_ target: String, _ host: String = "a.example") -> EncodedRequest {
            let origin = Origin(scheme: .http, host: host)
            return EncodedRequest(method: .get, origin: origin, target: target, headers: [:], body: .none)
        }
        for _ in 0..<19 { book.note(.milliseconds(10), of: request("/fast?x=1")) }
        #expect(book.percentile(0.95, of: request("/fast")) == nil)
        book.note(.milliseconds(10), of: request("/fast?x=2"))
        for _ in 0..<20 { book.note(.seconds(1), of: request("/slow")) }
        #expect(try #require(book.percentile(0.95, of: request("/fast?y=3"))) < .milliseconds(12))
        #expect(try #require(book.percentile(0.5, of: request("/slow"))) >= .seconds(1))
        // For an unknown path, the origin's latencies are used.
        #expect(try #require(book.percentile(0.95, of: request("/new"))) >= .seconds(1))
        #expect(book.percentile(0.95, of: request("/new", "b.example")) == nil)
        for number in 0..<1_000 { book.note(.seconds(1), of: request("/\(number)")) }
        #expect(book.count == LatencyBook.mostPlaces)
        #expect(book.percentile(0.95, of: request("/0")) != nil, "the origin is used each time, and stays")
    }
}
