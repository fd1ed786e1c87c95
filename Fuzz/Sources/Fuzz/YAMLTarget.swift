// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusServices
import CumulusYAML

/// YAML: nothing traps, what comes of it is bounded, JSON is read as JSON is, and a mistake is in one of the lines.
enum YAMLTarget: FuzzTarget {
    static let name = "yaml"

    static func check(_ input: UnsafeRawBufferPointer) {
        let text = String(decoding: input, as: UTF8.self)
        do throws(YAMLProblem) {
            let json = try JSON(parsingYAML: text, maximumDepth: 64, maximumCount: 20_000)
            expect((try? JSON(parsing: json.encoded())) == json, "what was read can't be written")
            let again = try? JSON(parsingYAML: text, maximumDepth: 64, maximumCount: 20_000)
            expect(again == json, "read a second time, it is another value")
        } catch {
            checkLine(error.description, of: text)
        }
        _ = try? ServiceDescription(yaml: text)
    }

    private static func checkLine(_ problem: String, of text: String) {
        guard problem.hasPrefix("line ") else { return expect(problem.hasPrefix("the "), "a mistake without a line") }
        let number = problem.dropFirst(5).prefix { $0 != ":" }
        let lines = text.utf8.count { $0 == 0x0A || $0 == 0x0D } + 1
        expect(Int(number).map { 1...lines ~= $0 } ?? false, "a mistake is in line \(number) of \(lines)")
    }
}
