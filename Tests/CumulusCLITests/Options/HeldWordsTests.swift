// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Testing

@testable import CumulusCLI

/// Words that are kept from ArgumentParser.
@Suite(.serialized) struct HeldWordsTests {
    private func words(_ arguments: [String]) throws -> [String] {
        let held = HeldWords(arguments)
        return held.restored(try CumulusCommand.parse(held.arguments).words)
    }

    @Test(
        "a command line means what ArgumentParser alone reads",
        arguments: [
            [], ["x.y"], ["get", "x.y", "a=1", "b=2"], ["-v", "get", "x.y", "a=1"], ["-a", "u:p", "x.y", "a=1"],
            ["x.y", "-a", "u:p", "a=1", "-v", "b=2", "c=3"], ["x.y", "a=1", "--auth=u:p", "b=2", "c=3"],
            ["x.y", "-vv", "a=1", "b=2", "c=3"], ["x.y", "-aA", "u:p", "basic", "a=1", "b=2"],
            ["x.y", "-p", "hb", "a=1", "--", "-b", "--auth", "c=3", "--", "d"], ["--", "x.y", "-a", "b"],
            ["x.y", "-", "a=1", "b=2"], ["x.y", "", "a=1", "", "b=2"],
            ["x.y", "a=1", "--resolve", "h:1", "b=2", "c=3"],
        ]
    )
    func sameMeaning(arguments: [String]) throws {
        #expect(try words(arguments) == CumulusCommand.parse(arguments).words)
    }

    @Test("an option's value is never taken for a word")
    func values() throws {
        let held = HeldWords(["x.y", "a=1", "-a", "u:p", "-o", "f", "b=2"])
        let command = try CumulusCommand.parse(held.arguments)
        #expect(command.authorization.auth == "u:p" && command.output.output == "f")
        #expect(held.restored(command.words) == ["x.y", "a=1", "b=2"])
    }

    @Test("however many items there are, ArgumentParser gets few words")
    func many() throws {
        let items = (1...20_000).map { "a\($0)=b" }
        let arguments = ["post", "x.y", "--offline"] + items + ["-v"] + items
        #expect(HeldWords(arguments).arguments.count < 10)
        #expect(try words(arguments) == ["post", "x.y"] + items + items)
    }
}
