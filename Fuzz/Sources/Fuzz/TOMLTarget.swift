// SPDX-License-Identifier: Apache-2.0

@testable import Command

/// A configuration that is read is read the same again, with its lines; what is refused is refused with one of its
/// lines.
enum TOMLTarget: FuzzTarget {
    static let name = "toml"

    /// The deepest nesting that is read.
    private static let deepest = 64

    static func check(_ input: UnsafeRawBufferPointer) {
        let bytes = [UInt8](input)
        let lines = bytes.count { $0 == 0x0A } + 1
        do throws(TOMLProblem) {
            let table = try TOMLReader.table(bytes)
            expect(table.members != nil, "a document is \(table.kind)")
            let count = checkedCount(table, lines: lines, depth: 0)
            expect(count <= bytes.count + 1, "\(bytes.count) bytes became \(count) values")
            // Compared as texts, since NaN is not equal to itself.
            let again = try TOMLReader.table(bytes)
            expect("\(again)" == "\(table)", "read again, it is \(again), and was \(table)")
        } catch {
            expect(1...lines ~= error.line, "a mistake is in line \(error.line) of \(lines)")
            expect(!error.reason.utf8.contains { $0 < 0x20 }, "a mistake's reason has a control character")
            expect(problem(bytes) == error, "read again, it is another mistake")
        }
    }

    private static func problem(_ bytes: [UInt8]) -> TOMLProblem? {
        do throws(TOMLProblem) {
            _ = try TOMLReader.table(bytes)
            return nil
        } catch {
            return error
        }
    }

    /// How many values a value has, itself included.
    private static func checkedCount(_ value: TOMLValue, lines: Int, depth: Int) -> Int {
        expect(1...lines ~= value.line, "a value is in line \(value.line) of \(lines)")
        expect(depth <= deepest + 1, "a value is \(depth) levels deep")
        switch value.content {
        case .string, .integer, .float, .boolean, .date: return 1
        case .array(let elements):
            return elements.reduce(1) { $0 + checkedCount($1, lines: lines, depth: depth + 1) }
        case .table(let members):
            let keys = Set(members.map { Array($0.key.utf8) })
            expect(keys.count == members.count, "a table has a key twice")
            return members.reduce(1) { $0 + checkedCount($1.value, lines: lines, depth: depth + 1) }
        }
    }
}
