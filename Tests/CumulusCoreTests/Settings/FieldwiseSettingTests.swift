// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import Testing

/// Settings of several fields: writing one field leaves the others inherited.
@Suite(.serialized) struct FieldwiseSettingTests {
    private let site = Resource("https://api.example.com", transport: StubTransport { _ in .text("") })

    @Test func aFieldWrittenAloneLeavesTheOthersInherited() {
        let child = site["a"]
        child.redirects.limit = 5
        child.timeouts.connect = .seconds(1)
        child.queryStyle.arrays = .commas
        site.redirects.allowsDowngrade = true
        site.redirects.limit = 9
        site.timeouts = Timeouts(connect: .seconds(3), poolWait: .seconds(4))
        site.queryStyle.sendsLiteralBrackets = true
        #expect(child.redirects == RedirectPolicy(limit: 5, allowsDowngrade: true))
        #expect(child.timeouts == Timeouts(connect: .seconds(1), poolWait: .seconds(4)))
        #expect(child.queryStyle == QueryStyle(arrays: .commas, sendsLiteralBrackets: true))
        child.inherit(\.redirects)
        #expect(child.redirects.limit == 9)
    }

    @Test func fieldsWrittenOneAfterTheOtherAddUp() {
        let child = site["a"]
        child.redirects.limit = 5
        child.redirects.allowsDowngrade = true
        site.redirects = RedirectPolicy(limit: 1, sendsBodiesToOtherOrigins: true)
        #expect(child.redirects == RedirectPolicy(limit: 5, allowsDowngrade: true, sendsBodiesToOtherOrigins: true))
    }

    @Test func aWholeValueSaysAllFields() {
        let child = site["a"]
        child.redirects.limit = 5
        child.redirects = RedirectPolicy(limit: 3)
        site.redirects.allowsDowngrade = true
        #expect(child.redirects == RedirectPolicy(limit: 3))
        child.redirects = .none
        #expect(child.redirects.limit == 0)
    }

    @Test func aValueReadElsewhereIsWhole() {
        let other = site["b"]
        other.timeouts.connect = .seconds(7)
        let child = site["a"]
        child.timeouts = other.timeouts
        site.timeouts.poolWait = .seconds(99)
        #expect(child.timeouts == Timeouts(connect: .seconds(7), poolWait: .seconds(30)))
    }

    @Test func editorsWriteSingleFieldsToo() {
        let once = site.with { $0.timeouts.poolWait = nil }
        site.timeouts.connect = .seconds(2)
        #expect(once.timeouts == Timeouts(connect: .seconds(2), poolWait: nil))
        site.configure {
            $0.redirects.limit = 2
            $0.redirects.allowsDowngrade = true
        }
        #expect(site.redirects == RedirectPolicy(limit: 2, allowsDowngrade: true))
        #expect(site.explain(\.redirects).value == "up to 2, also from https to http")
        #expect(site.explain(\.timeouts).value == "connect 2 s, pool wait 30 s")
        site.timeouts.response = .milliseconds(1_500)
        site.timeouts.minimumRate = MinimumRate(bytesPerSecond: 10, over: .seconds(90))
        #expect(
            site.explain(\.timeouts).value
                == "connect 2 s, pool wait 30 s, at least 10 bytes a second over 1 min 30 s, response 1.5 s"
        )
        #expect(site.explain(\.timeout).value == "1 min" && site.explain(\.deadline).value == "none")
        #expect(site.explain(\.queryStyle).value == "arrays by brackets")
    }
}
