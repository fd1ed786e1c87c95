// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

@testable import CumulusCore

/// Which `Cookie` fields were sent for one user.
struct CookieChangesTests {
    private func request(_ cookie: String?) -> EncodedRequest {
        let url = RequestURL(origin: Origin(scheme: .https, host: "a.example"), path: "/", query: nil)
        var request = EncodedRequest(method: .get, url: url)
        request.headers[.cookie] = cookie
        return request
    }

    private func record(_ changes: borrowing CookieChanges, _ before: String?, _ after: String?) {
        changes.record(from: before.map { Array($0.utf8) }, to: after.map { Array($0.utf8) })
    }

    @Test("fields that responses replaced are equal, and others only to themselves") func chains() {
        let changes = CookieChanges()
        record(changes, nil, "a=1")
        record(changes, "a=1", "a=2")
        record(changes, "b=1", "b=2")
        for (first, second, areEqual) in [
            (nil, "a=1", true), ("a=2", nil, true), ("a=1", "b=1", false), ("b=2", "b=1", true), ("c", "c", true),
            ("c", nil, false),
        ] as [(String?, String?, Bool)] {
            let result = changes.areForSameUser(request(first), request(second))
            #expect(result == areEqual, "\(first ?? "-"), \(second ?? "-")")
        }
    }

    @Test("a field of another user stays that user's") func otherUsers() {
        let changes = CookieChanges()
        record(changes, "s=ann", "s=ann2")
        record(changes, "s=bob", "s=bob2")
        record(changes, "s=ann2", "s=bob")
        let results = [
            changes.areForSameUser(request("s=ann"), request("s=bob")),
            changes.areForSameUser(request("s=bob2"), request("s=bob")),
        ]
        #expect(results == [false, true])
    }

    @Test("the oldest are removed beyond the limit") func limit() {
        let changes = CookieChanges()
        record(changes, "x=1", "x=2")
        for number in 0..<1_000 { record(changes, "a=\(number)", "a=\(number + 1)") }
        let count = changes.groups.reduce(0) { $0 + $1.count }
        #expect(count == CookieChanges.most)
        let pairs = [("x=1", "x=2"), ("a=1000", "a=900"), ("a=1000", "a=1")]
        let results = pairs.map { changes.areForSameUser(request($0.0), request($0.1)) }
        #expect(results == [false, true, false])
    }
}
