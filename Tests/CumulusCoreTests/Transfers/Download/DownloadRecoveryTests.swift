// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

@testable import CumulusCore

/// How often a download tries again, and the reaction to each error.
@Suite struct DownloadRecoveryTests {
    private static let broken = CumulusError(.truncatedBody, stage: .delivery, "it broke off")
    /// Twice, after 250 and 500 ms.
    private static let policy = RetryPolicy(backoff: RetryBackoff(base: .milliseconds(250), jitter: { 1 }))
    private static let begun = DownloadRecovery.Situation(hasBegun: true)

    private static func status(_ code: Int) -> CumulusError {
        let url = RequestURL(origin: Origin(scheme: .https, host: "a.example"), path: "/", query: nil)
        let hop = Response.Hop(request: EncodedRequest(method: .get, url: url), status: .init(code: code), headers: [:])
        return CumulusError(.status, stage: .validation, "refused", response: Response(hop, callHistory: CallHistory()))
    }

    private func moves(
        _ recovery: inout DownloadRecovery,
        _ failures: [CumulusError],
        _ situation: DownloadRecovery.Situation = begun
    ) -> [DownloadRecovery.Move] {
        failures.map { recovery.move(after: $0, in: situation) }
    }

    @Test func aBreakIsTriedAgainTwice() {
        var recovery = DownloadRecovery(DownloadRecoveryTests.policy)
        let broken = Array(repeating: DownloadRecoveryTests.broken, count: 4)
        #expect(
            moves(&recovery, broken)
                == [.wait(.milliseconds(250)), .wait(.milliseconds(500)), .giveUp(tries: 2), .giveUp(tries: 2)]
        )
    }

    @Test("without retries the caller gets the error, and without a limit the download keeps trying")
    func policies() {
        var never = DownloadRecovery(nil)
        #expect(moves(&never, [DownloadRecoveryTests.broken]) == [.giveUp(tries: 0)])
        var solicited = DownloadRecovery(
            RetryPolicy(limit: nil, backoff: RetryBackoff(base: .seconds(1), jitter: { 0 }))
        )
        let broken = Array(repeating: DownloadRecoveryTests.broken, count: 100)
        #expect(moves(&solicited, broken) == Array(repeating: .wait(.zero), count: 100))
    }

    @Test func aTryThatBroughtEnoughDoesNotCount() {
        var recovery = DownloadRecovery(DownloadRecoveryTests.policy)
        for count: Int64 in [0, 1 << 20, 1 << 21, 1 << 22] {
            let situation = DownloadRecovery.Situation(hasBegun: true, count: count)
            #expect(moves(&recovery, [DownloadRecoveryTests.broken], situation) == [.wait(.milliseconds(250))])
        }
        let little = DownloadRecovery.Situation(hasBegun: true, count: (1 << 22) + (1 << 20) - 1)
        #expect(moves(&recovery, [DownloadRecoveryTests.broken], little) == [.wait(.milliseconds(500))])
    }

    @Test func theLargestCountsDoNotOverflow() {
        var recovery = DownloadRecovery(DownloadRecoveryTests.policy)
        for count: Int64 in [0, .max, 0, .max] {
            let situation = DownloadRecovery.Situation(hasBegun: true, count: count)
            _ = moves(&recovery, [DownloadRecoveryTests.broken], situation)
        }
        #expect(recovery.failures == 1)
    }

    @Test func beforeAnAnswerHasComeAnErrorIsTheCallers() {
        var recovery = DownloadRecovery(DownloadRecoveryTests.policy)
        #expect(moves(&recovery, [DownloadRecoveryTests.broken], .init()) == [.fail])
        #expect(recovery.failures == 0)
    }

    @Test(arguments: [400, 401, 403, 404, 410, 416, 501])
    func aRefusalIsTheCallers(code: Int) {
        var recovery = DownloadRecovery(DownloadRecoveryTests.policy)
        #expect(moves(&recovery, [DownloadRecoveryTests.status(code)]) == [.fail])
    }

    @Test(arguments: [408, 425, 429, 500, 502, 503, 504])
    func aServerThatIsBusyIsAskedAgain(code: Int) {
        var recovery = DownloadRecovery(DownloadRecoveryTests.policy)
        #expect(moves(&recovery, [DownloadRecoveryTests.status(code)]) == [.wait(.milliseconds(250))])
    }

    @Test(arguments: [401, 403, 404, 410])
    func aLinkIsRenewedThreeTimes(code: Int) {
        var recovery = DownloadRecovery(DownloadRecoveryTests.policy)
        let failures = Array(repeating: DownloadRecoveryTests.status(code), count: 4)
        // Also before any bytes were received.
        #expect(moves(&recovery, failures, .init(canRenew: true)) == [.renew, .renew, .renew, .fail])
    }

    @Test func whatIsNotTheLinksFaultIsNoReasonToRenewIt() {
        var recovery = DownloadRecovery(DownloadRecoveryTests.policy)
        let situation = DownloadRecovery.Situation(canRenew: true, hasBegun: true)
        #expect(moves(&recovery, [DownloadRecoveryTests.broken], situation) == [.wait(.milliseconds(250))])
        #expect(recovery.renewals == 0)
    }

    @Test func itIsBegunAnewTwice() {
        var recovery = DownloadRecovery(DownloadRecoveryTests.policy)
        let begun = (0..<3).map { _ in recovery.beginAnew() }
        #expect(begun == [true, true, false])
        #expect(recovery.restarts == 3)
    }

    @Test func bytesAreCountedFromNothingOnceItIsBegunAnew() {
        var recovery = DownloadRecovery(DownloadRecoveryTests.policy)
        let much = DownloadRecovery.Situation(hasBegun: true, count: 1 << 22)
        _ = moves(&recovery, [DownloadRecoveryTests.broken], much)
        let isBegun = recovery.beginAnew()
        #expect(isBegun)
        let gained = DownloadRecovery.Situation(hasBegun: true, count: 1 << 20)
        #expect(moves(&recovery, [DownloadRecoveryTests.broken], gained) == [.wait(.milliseconds(250))])
    }
}
