// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import CumulusCLI

/// Which runs read standard input, and as what.
@Suite(.timeLimit(.minutes(10)), .enabled(if: BuiltProgram.isThere)) struct StandardInputTests {
    private static let look = ["--no-config", "--ignore-netrc", "--offline", "--show-secrets", "--print=HB"]

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

    /// Command lines that name standard input, with what they take it for.
    private static let named: [(line: String, role: String)] = [
        ("put http://localhost/ @-", "the body"), ("http://localhost/ http://localhost/2 @-", "the body"),
        ("upload - http://localhost/", "the body"), ("http://localhost/ x=@-", "the value of 'x'"),
        ("http://localhost/ X-A:@-", "the value of 'X-A'"), ("-f http://localhost/ f@-", "the value of 'f'"),
        ("download -i -", "the list"),
    ]

    @Test("standard input that is named and can't be read is an error", arguments: named)
    func unreadable(line: String, role: String) async throws {
        let reasons = [
            ("<&-", "it is not open for reading"), ("0>/dev/null", "it is not open for reading"),
            ("</", "Is a directory"),
        ]
        for (redirection, reason) in reasons {
            let options = line.hasPrefix("download") ? "" : "--offline"
            let shell = #""$@" \#(line) \#(options) --no-config --ignore-netrc \#(redirection)"#
            let end = try await BuiltProgram([], shell: shell).end()
            #expect(end.status == 64 && end.output.isEmpty, "\(redirection) \(end)")
            let line = "cumulus: usage: \(role) can't be read from standard input: \(reason)\n"
            #expect(end.notes == line, "\(redirection)")
        }
    }

    @Test("a method that takes a body has none if standard input is closed")
    func closed() async throws {
        let end = try await run("post", "http://localhost/", shell: #""$@" <&-"#)
        #expect(end.status == 0 && end.output.hasPrefix("POST / ") && end.output.hasSuffix("\r\n\r\n"), "\(end)")
    }

    @Test("a non-blocking pipe is waited for", arguments: ["@-", "a=@-"])
    func nonBlocking(item: String) async throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        defer { close(ends[0]) }
        for end in ends { try #require(fcntl(end, F_SETFD, FD_CLOEXEC) == 0) }
        try #require(fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0)
        let program = try BuiltProgram(Self.look + ["post", "http://localhost/", item], input: ends[0])
        for letter in ["a", "b", "c", "d"] {
            try #require(write(ends[1], letter, 1) == 1)
            // The next read finds the pipe empty.
            var count: Int32 = 1
            while count > 0, !Task.isCancelled {
                try #require(ioctl(ends[0], InputSource.unreadBytes, &count) == 0)
                await Task.yield()
            }
        }
        close(ends[1])
        let end = try await program.end()
        #expect(end.status == 0 && end.output.hasSuffix(item == "@-" ? "\r\n\r\nabcd" : #"{"a":"abcd"}"#), "\(end)")
    }
}
