// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import HTTPTypes
import Logging
import Testing

@testable import CumulusCore

/// The words of `CUMULUS_LOGGING`.
@Suite struct EnvironmentLoggingTests {
    @Test(arguments: ["YES", "yes", "true", "1", "on", "debug"])
    func wordsThatTurnItOn(word: String) {
        #expect(EnvironmentLogging.level(named: word) { Issue.record("told \($0)") } == .debug)
    }

    @Test(arguments: ["NO", "false", "0", "off", "", nil])
    func wordsThatTurnItOff(word: String?) {
        #expect(EnvironmentLogging.level(named: word) { Issue.record("told \($0)") } == nil)
    }

    @Test func anUnknownWordIsTold() {
        var told = ""
        #expect(EnvironmentLogging.level(named: "verbose\u{1B}") { told += $0 } == nil)
        #expect(told.contains("CUMULUS_LOGGING is \"verbose"))
        #expect(told.contains("trace or off"))
        #expect(!told.contains("\u{1B}"))
    }
}
