// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

@testable import CumulusCore

/// How often a download tries again, and the reaction to each error.
@Suite struct DownloadRecoveryTests {
    private static let broken = CumulusError(.truncatedBody, stage: .delivery, "it broke off")
    private static let begun = DownloadRecovery.Situation(hasBegun: true)

    private static func status(_ code: Int) -> CumulusError {
        let url = RequestURL(origin: Origin(scheme: .https, host: "a.example"), path: "/", query: nil)
        let hop = Response.Redirect(
            request: EncodedRequest(method: .get, url: url),
            status: .init(code: code),
            headers: [:]
        )
        return CumulusError(.status, stage: .validation, "refused", response: Response(hop, after: []))
    }

    private func moves(
        _ recovery: inout DownloadRecovery,
        _ failures: [CumulusError],
        _ situation: DownloadRecovery.Situation = begun
    ) -> [DownloadRecovery.Move] {
        failures.map { failure in
            var situation = situation
            situation.isResumable = failure.isResumable()
            return recovery.move(after: failure, in: situation)
        }
    }

    @Test func triesInARowAreCounted() {
        var recovery = DownloadRecovery()
        let broken = Array(repeating: DownloadRecoveryTests.broken, count: 4)
        #expect(moves(&recovery, broken) == [.resume(1), .resume(2), .resume(3), .resume(4)])
    }

    @Test func aTryThatBroughtEnoughDoesNotCount() {
        var recovery = DownloadRecovery()
        for count: Int64 in [0, 1 << 20, 1 << 21, 1 << 22] {
            let situation = DownloadRecovery.Situation(hasBegun: true, count: count)
            #expect(moves(&recovery, [DownloadRecoveryTests.broken], situation) == [.resume(1)])
        }
        let little = DownloadRecovery.Situation(hasBegun: true, count: (1 << 22) + (1 << 20) - 1)
        #expect(moves(&recovery, [DownloadRecoveryTests.broken], little) == [.resume(2)])
    }

    @Test func theLargestCountsDoNotOverflow() {
        var recovery = DownloadRecovery()
        for count: Int64 in [0, .max, 0, .max] {
            let situation = DownloadRecovery.Situation(hasBegun: true, count: count)
            _ = moves(&recovery, [DownloadRecoveryTests.broken], situation)
        }
        #expect(recovery.tries == 1)
    }

    @Test func beforeAnAnswerHasComeAnErrorIsTheCallers() {
        var recovery = DownloadRecovery()
        #expect(moves(&recovery, [DownloadRecoveryTests.broken], .init()) == [.fail])
        #expect(recovery.tries == 0)
    }

    @Test(arguments: [400, 401, 403, 404, 410, 416, 501])
    func aRefusalIsTheCallers(code: Int) {
        var recovery = DownloadRecovery()
        #expect(moves(&recovery, [DownloadRecoveryTests.status(code)]) == [.fail])
    }

    @Test(arguments: [408, 425, 429, 500, 502, 503, 504])
    func aServerThatIsBusyIsAskedAgain(code: Int) {
        var recovery = DownloadRecovery()
        #expect(moves(&recovery, [DownloadRecoveryTests.status(code)]) == [.resume(1)])
    }

    @Test(arguments: [401, 403, 404, 410])
    func aLinkIsRenewedThreeTimes(code: Int) {
        var recovery = DownloadRecovery()
        let failures = Array(repeating: DownloadRecoveryTests.status(code), count: 4)
        // Also before any bytes were received.
        #expect(moves(&recovery, failures, .init(canRenew: true)) == [.renew, .renew, .renew, .fail])
    }

    @Test func whatIsNotTheLinksFaultIsNoReasonToRenewIt() {
        var recovery = DownloadRecovery()
        let situation = DownloadRecovery.Situation(canRenew: true, hasBegun: true)
        #expect(moves(&recovery, [DownloadRecoveryTests.broken], situation) == [.resume(1)])
        #expect(recovery.renewals == 0)
    }

    @Test func itIsBegunAnewTwice() {
        var recovery = DownloadRecovery()
        let begun = (0..<3).map { _ in recovery.startOver() }
        #expect(begun == [true, true, false])
        #expect(recovery.restarts == 3)
    }

    @Test func bytesAreCountedFromNothingOnceItIsBegunAnew() {
        var recovery = DownloadRecovery()
        let much = DownloadRecovery.Situation(hasBegun: true, count: 1 << 22)
        _ = moves(&recovery, [DownloadRecoveryTests.broken], much)
        let isBegun = recovery.startOver()
        #expect(isBegun)
        let gained = DownloadRecovery.Situation(hasBegun: true, count: 1 << 20)
        #expect(moves(&recovery, [DownloadRecoveryTests.broken], gained) == [.resume(1)])
    }
}
