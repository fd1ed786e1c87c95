// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusFormats
import CumulusTesting
import Foundation
import TestSupport
import Testing

/// Headers and query that Cycles preserved, in property lists.
@Suite struct PreservedPropertyListTests {
    private let site = Resource("https://api.example.com", transport: StubTransport { _ in .text("ok") }.watched)

    @Test func cyclesPropertyListIsRead() throws {
        let list = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0"><dict>
              <key>PreservedHTTPHeaders</key><dict><key>apikey</key><string>k</string></dict>
              <key>PreservedHTTPQueryParameters</key>
              <dict><key>tag</key><array><string>a</string><string>b</string></array></dict>
            </dict></plist>
            """
        site.restore(try PreservedState(propertyList: Array(list.utf8)))
        #expect(site.headers["ApiKey"] == "k")
        #expect(site.queryString == "tag=a&tag=b")
        let half = list.replacingOccurrences(of: "PreservedHTTPHeaders", with: "Other")
        #expect(try PreservedState(propertyList: Array(half.utf8)).headers == nil)
    }

    @Test(
        arguments: [
            "", "<plist>", "<", "bplist00", "<?xml version=\"1.0\"?><plist version=\"1.0\"><array/></plist>",
            "<plist version=\"1.0\"><dict><key>PreservedHTTPHeaders</key><dict><key>a b</key><string>c</string></dict></dict></plist>",
        ]
    ) func corruptBytesAreATypedError(text: String) {
        #expect(throws: PreservedStateProblem.self) { try PreservedState(propertyList: Array(text.utf8)) }
    }

    /// Foundation's own parser would crash on the first ones and hang on the last.
    @Test func nestingIsBounded() {
        let deep = String(repeating: "<array>", count: 50_000) + String(repeating: "</array>", count: 50_000)
        let hidden = String(repeating: "<array><!-- </array> --><?x </array>?>", count: 50_000)
        let declared = String(repeating: "<array><!DOCTYPE x [</array>]>", count: 50_000)
        let dictionaries = String(repeating: "<dict><key>a</key>", count: 50_000)
        for body in [deep, hidden, declared, dictionaries] {
            let list = "<?xml version=\"1.0\"?><plist version=\"1.0\">\(body)</plist>"
            #expect(throws: PreservedStateProblem.self) { try PreservedState(propertyList: Array(list.utf8)) }
            #expect(throws: FixtureProblem.self) { try FixtureSet(propertyList: Array(list.utf8)) }
        }
        // An array that contains itself.
        let itself: [UInt8] =
            Array("bplist00".utf8) + [0xA1, 0, 8, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1] + [
                0, 0, 0, 0, 0, 0, 0, 0,
            ]
            + [0, 0, 0, 0, 0, 0, 0, 10]
        #expect(throws: PreservedStateProblem.self) { try PreservedState(propertyList: itself) }
        #expect(throws: FixtureProblem.self) { try FixtureSet(propertyList: itself) }
    }
}
