// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CumulusCore

@Suite(.serialized) struct SourceRosterTests {
    private let one = Origin(scheme: .https, host: "one.example")
    private let two = Origin(scheme: .https, host: "two.example")

    @Test func connectionsAreSpreadOverTheMirrors() {
        var roster = SourceRoster(origins: [one, two], perOrigin: 2)
        #expect(roster.capacity == 4)
        #expect((0..<5).map { _ in roster.begin() } == [0, 1, 0, 1, nil])
        roster.end(1)
        #expect(begin(&roster) == 1)
    }

    @Test func twoMirrorsOfOneOriginShareItsLimit() {
        var roster = SourceRoster(origins: [one, one], perOrigin: 2)
        #expect(roster.capacity == 2)
        #expect((0..<3).map { _ in roster.begin() } == [0, 1, nil])
    }

    @Test func aMirrorThatFailsTwiceIsDropped() {
        var roster = SourceRoster(origins: [one, two], perOrigin: 6)
        #expect(!fail(&roster, 1))
        roster.succeed(1)
        #expect(!fail(&roster, 1))
        #expect(fail(&roster, 1))
        #expect((0..<3).map { _ in roster.begin() } == [0, 0, 0])
        #expect(roster.capacity == 6)
    }

    @Test func aMirrorThatHasAnotherFileIsDroppedAtOnce() {
        var roster = SourceRoster(origins: [one, two], perOrigin: 6)
        #expect(fail(&roster, 0, isFinal: true))
        #expect(begin(&roster) == 1)
    }

    @Test func theLastIsNeverDropped() {
        var roster = SourceRoster(origins: [one, two], perOrigin: 6)
        #expect(fail(&roster, 0, isFinal: true))
        for _ in 0..<5 { #expect(!fail(&roster, 1, isFinal: true)) }
        #expect(begin(&roster) == 1)
    }

    @Test func oneThatFailedComesAfterOneThatDidNot() {
        var roster = SourceRoster(origins: [one, two], perOrigin: 6)
        roster.fail(0)
        #expect((0..<2).map { _ in roster.begin() } == [1, 0])
    }

    // `#expect` can't call mutating functions.

    private func begin(_ roster: inout SourceRoster) -> Int? { roster.begin() }

    private func fail(_ roster: inout SourceRoster, _ index: Int, isFinal: Bool = false) -> Bool {
        roster.fail(index, isFinal: isFinal)
    }
}
