// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Testing

@testable import CumulusCLI

@Suite struct ResponseConditionTests {
    private func isMet(_ text: String, _ body: String, status: Int? = 200) throws -> Bool {
        let condition = try ResponseCondition(parsing: text)
        return condition.isMet(by: condition.values(status: status) { try? JSON(parsing: body) })
    }

    @Test(arguments: [
        (".state == \"done\"", #"{"state":"done"}"#, true), (".state == done", #"{"state":"done"}"#, true),
        (".state==\"done\"", #"{"state":"running"}"#, false), (".state != running", #"{"state":"done"}"#, true),
        (".progress >= 100", #"{"progress":100.0}"#, true), (".progress > 1e2", #"{"progress":99}"#, false),
        (".n < 10", #"{"n":9}"#, true), (".n <= 8", #"{"n":9}"#, false), (".ready", #"{"ready":true}"#, true),
        (".ready", #"{"ready":false}"#, false), (".ready", "{}", false), (".ready", #"{"ready":0}"#, true),
        (".items[].ok", #"{"items":[{"ok":true},{"ok":true}]}"#, true),
        (".items[].ok", #"{"items":[{"ok":true},{"ok":false}]}"#, false), (".items[].ok", #"{"items":[]}"#, false),
        (".a == null", #"{"a":null}"#, true), (".a == b", "not JSON", false), (".a[0] == 1", #"{"a":"text"}"#, false),
        (#".["a == b"] == "<=""#, #"{"a == b":"<="}"#, true), (#".["a=b"]"#, #"{"a=b":true}"#, true),
    ])
    func bodyIsCompared(text: String, body: String, result: Bool) throws {
        #expect(try isMet(text, body) == result)
    }

    @Test(arguments: [
        (".id == 9007199254740993", "9007199254740992", false), (".id == 9007199254740993", "9007199254740993", true),
        (".id != 9007199254740993", "9007199254740992", true), (".id > 9007199254740992", "9007199254740993", true),
        (".id >= 9007199254740993", "9007199254740992", false),
        (".id <= -9007199254740993", "-9007199254740992", false),
        (".id == 1e400", "1e500", false), (".id == 1e400", "10e399", true), (".id == 0.10", "1e-1", true),
    ])
    func longNumbersAreComparedExactly(text: String, number: String, result: Bool) throws {
        #expect(try isMet(text, "{\"id\":\(number)}") == result)
    }

    @Test func errorMeetsOnlyAConditionOnTheStatus() throws {
        #expect(try !isMet(".state == done", #"{"state":"done"}"#, status: 500))
        #expect(try isMet("status == 404", "", status: 404) && isMet("status >= 500", "", status: 503))
        #expect(try !isMet("status == 404", "", status: nil) && !isMet("status != 404", "", status: nil))
    }

    @Test(arguments: [
        "", "state == done", ".state =", ".state = done", ".state ==", "status", "status == ok", ".a == b c",
    ])
    func anythingElseIsRefused(text: String) {
        #expect(throws: UsageMistake.self) { try ResponseCondition(parsing: text) }
    }
}
