// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CumulusCore

/// Which of several requests is used.
struct HedgeRaceTests {
    @Test func theFirstAnswerIsTaken() {
        for winner in [0, 1] {
            var race = HedgeRace(extra: 1)
            #expect(race.mayHedge && race.hedge() == 1 && !race.mayHedge)
            #expect(race.end(winner, .answered(counts: true)) == .deliver(winner))
            #expect(race.sent == 1)
        }
    }

    @Test func aFailureWaitsForTheOther() {
        var race = HedgeRace(extra: 2)
        _ = (race.hedge(), race.hedge())
        #expect(race.end(1, .failed) == .wait && race.end(0, .failed) == .wait)
        #expect(race.end(2, .answered(counts: true)) == .deliver(2))
    }

    @Test func anAnswerThatMayPassWaitsForTheOther() {
        var race = HedgeRace(extra: 1)
        _ = race.hedge()
        #expect(race.end(1, .answered(counts: false)) == .wait)
        #expect(race.end(0, .failed) == .deliver(1))
        race = HedgeRace(extra: 1)
        _ = race.hedge()
        #expect(race.end(0, .answered(counts: false)) == .wait)
        #expect(race.end(1, .answered(counts: false)) == .deliver(0), "the first of its kind")
        race = HedgeRace(extra: 1)
        _ = race.hedge()
        #expect(race.end(0, .answered(counts: false)) == .wait)
        #expect(race.end(1, .answered(counts: true)) == .deliver(1))
    }

    @Test func aloneItEndsAtOnce() {
        var race = HedgeRace(extra: 1)
        #expect(race.end(0, .failed) == .fail && !race.mayHedge)
        race = HedgeRace(extra: 1)
        race.giveUp()
        #expect(!race.mayHedge && race.end(0, .answered(counts: false)) == .deliver(0))
    }

    @Test func allHaveFailed() {
        var race = HedgeRace(extra: 1)
        _ = race.hedge()
        #expect(race.end(0, .failed) == .wait && !race.mayHedge && race.end(1, .failed) == .fail)
    }
}
