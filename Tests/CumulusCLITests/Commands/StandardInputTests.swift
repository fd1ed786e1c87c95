// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import CumulusCLI

/// Which runs read standard input, and as what.
@Suite(.enabled(if: BuiltProgram.isThere)) struct StandardInputTests {
    private static let look = ["--no-config", "--ignore-netrc", "--offline", "--print=HB"]

    private func run(_ arguments: String..., shell: String) async throws -> BuiltProgram.End {
        let program = try BuiltProgram(Self.look + arguments, shell: shell)
        try program.write()
        return try await program.end()
    }

    @Test(
        "a loop keeps its list: a URL alone, GET and DELETE read nothing",
        arguments: ["", "get", "delete", "HEAD", "options"]
    )
    func loops(method: String) async throws {
        let end = try await run(
            shell: #"printf '1\n2\n3\n' | while read -r x; do "$@" \#(method) http://localhost/users/$x; done"#
        )
        for number in 1...3 { #expect(end.output.contains(" /users/\(number) HTTP"), "\(end)") }
        #expect(!end.output.contains("POST") && !end.output.lowercased().contains("content-length"), "\(end.output)")
    }

    @Test("a loop keeps its list where items are the body")
    func loopsWithData() async throws {
        let end = try await run(
            shell: #"printf '1\n2\n' | while read -r x; do "$@" post http://localhost/ id=$x; done"#
        )
        #expect(end.output.contains(#"{"id":"1"}"#) && end.output.contains(#"{"id":"2"}"#), "\(end)")
    }

    @Test("a method that takes a body reads it; headers and query items are not the body")
    func bodies() async throws {
        for method in ["post", "PUT", "patch", "PURGE"] {
            let shell = #"printf 'hello' | "$@" \#(method) http://localhost/ X-A:1 q==2"#
            #expect(try await run(shell: shell).output.hasSuffix("\r\n\r\nhello"))
        }
    }

    private static let words: [(items: String, method: String, body: String)] = [
        ("@-", "POST", "h\u{E4}llo\n"), ("PUT @-", "PUT", "h\u{E4}llo\n"), ("get @-", "GET", "h\u{E4}llo\n"),
        ("a=@- b=1", "POST", #"{"a":"hällo\n","b":"1"}"#), ("a=@- b=@-", "POST", #"{"a":"hällo\n","b":"hällo\n"}"#),
        ("--ignore-stdin @-", "POST", "h\u{E4}llo\n"), ("-f a=@-", "POST", "a=h%C3%A4llo%0A"),
    ]

    @Test("an item whose file is - reads it", arguments: words)
    func items(items: String, method: String, body: String) async throws {
        let words = items.split(separator: " ").map(String.init)
        let isMethod = words[0].first?.isLetter == true && !words[0].contains("=")
        let line =
            (isMethod ? words[0] + " " : "") + "http://localhost/ "
            + words.dropFirst(isMethod ? 1 : 0).joined(separator: " ")
        let end = try await run(shell: #"printf 'h\303\244llo\n' | "$@" \#(line)"#)
        #expect(end.output.hasPrefix("\(method) / ") && end.output.hasSuffix("\r\n\r\n\(body)"), "\(end)")
    }

    @Test("what was read before from the same file is not sent, and several URLs get the same")
    func shared() async throws {
        let end = try await run(
            shell: #"{ read -r x; "$@" http://localhost/1 :80/2 a=@-; } <<E"# + "\nfirst\nsecond\nE\n"
        )
        #expect(end.output.components(separatedBy: #"{"a":"second\n"}"#).count == 3, "\(end)")
        let body = try await run(shell: #"printf abc | "$@" http://localhost/1 :80/2 @-"#)
        #expect(body.output.components(separatedBy: "abc").count == 3, "\(body)")
    }

    @Test("a header, a query item, JSON and a file of a form can be read there")
    func otherItems() async throws {
        let head = try await run(shell: #"echo 7 | "$@" http://localhost/ X-A:@- q==@-"#)
        #expect(head.output.contains("X-A: 7\r\n") && head.output.hasPrefix("GET /?q=7 "), "\(head)")
        let json = try await run(shell: #"echo '[1.50]' | "$@" http://localhost/ a:=@-"#)
        #expect(json.output.hasSuffix(#"{"a":[1.50]}"#), "\(json)")
        let form = try await run(shell: #"printf abc | "$@" -f http://localhost/ 'f@-;filename=x.txt' --boundary b"#)
        #expect(form.output.contains("filename=\"x.txt\"") && form.output.contains("\r\n\r\nabc\r\n--b"), "\(form)")
    }

    @Test("standard input can't be the body and a value")
    func both() async throws {
        let end = try await run(shell: #"echo 1 | "$@" http://localhost/ @- X-A:@-"#)
        #expect(end.status == 64 && end.notes.contains("can't be both the body and the value of 'X-A'"), "\(end)")
    }
}
