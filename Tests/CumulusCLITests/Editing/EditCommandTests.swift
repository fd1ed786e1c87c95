// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import CumulusCLI

@Suite struct EditCommandTests {
    /// A document on a server, which others may change, and a scripted editor.
    private final class Desk: Sendable {
        struct State {
            var document = #"{"big":12345678901234567890.50,"title":"a","n":1}"#
            var type = "application/json"
            var version = 1
            var others: [String] = []
            var answers: [String?] = []
            var questions: [String] = []
            var edits: [@Sendable (String) -> String] = []
            var paths: [String] = []
            var status: Int32 = 0
            var losesAnswer = false
            var tag = "\""
        }

        let state: Mutex<State>
        let memory = MemoryConsole()

        init(_ setUp: (inout State) -> Void = { _ in }) {
            var initial = State()
            setUp(&initial)
            state = Mutex(initial)
        }

        var document: String { state.withLock(\.document) }

        private func edit(_ path: String, with editor: String) throws -> Int32 {
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            #expect(editor == "vi")
            let edits: [@Sendable (String) -> String] = state.withLock { state in
                state.paths.append(path)
                return state.edits.isEmpty ? [] : [state.edits.removeFirst()]
            }
            let text = try String(contentsOfFile: path, encoding: .utf8)
            let edited = edits.reduce(text) { text, edit in edit(text) }
            try edited.write(toFile: path, atomically: false, encoding: .utf8)
            return state.withLock(\.status)
        }

        func run(_ arguments: String...) async -> (status: CommandStatus, requests: [StubRequest]) {
            var console = memory.console
            console.ask = { [self] question in
                state.withLock { state in
                    state.questions.append(question)
                    return state.answers.isEmpty ? nil : state.answers.removeFirst()
                }
            }
            console.edit = { [self] editor, path in try edit(path, with: editor) }
            let transport = StubTransport { [self] in answer($0) }
            let run = CommandRun(console, makeTransport: { _ in transport })
            let status = await run.run(["edit", "http://a.example/note"] + arguments)
            return (status, transport.requests)
        }

        private func answer(_ request: StubRequest) -> StubResponse {
            state.withLock { state in
                if request.method == .get {
                    let headers: Headers = ["ETag": "\(state.tag)v\(state.version)\"", "Content-Type": state.type]
                    return .response(headers: headers, body: Array(state.document.utf8))
                }
                if !state.others.isEmpty {
                    state.document = state.others.removeFirst()
                    state.version += 1
                }
                let tag = "\(state.tag)v\(state.version)\""
                guard request.headers[.ifMatch] == tag else { return .status(.preconditionFailed) }
                state.document = request.text
                state.version += 1
                if state.losesAnswer {
                    state.losesAnswer = false
                    return .failure(TransportFailure(.connectionClosed, "lost", fate: .unknown))
                }
                return .status(.noContent)
            }
        }

        var leftovers: [String] {
            state.withLock(\.paths).filter { FileManager.default.fileExists(atPath: $0) }
        }

        func clear() {
            for path in leftovers {
                try? FileManager.default.removeItem(atPath: URL(filePath: path).deletingLastPathComponent().path())
            }
        }
    }

    private static func replace(_ old: String, _ new: String) -> @Sendable (String) -> String {
        { $0.replacingOccurrences(of: old, with: new) }
    }

    @Test func aChangeIsShownAndWritten() async {
        let desk = Desk {
            $0.edits = [Self.replace("\"a\"", "\"b\"")]; $0.answers = ["y"]
        }
        let (status, requests) = await desk.run()
        #expect(status == .success, "\(desk.memory.notes)")
        #expect(desk.document == #"{"big":12345678901234567890.50,"title":"b","n":1}"#)
        #expect(requests.map(\.method) == [.get, .put])
        #expect(desk.memory.notes.contains(#"-   "title": "a","#))
        #expect(desk.memory.notes.contains(#"+   "title": "b","#))
        #expect(desk.leftovers.isEmpty)
    }

    @Test func onlyTheDifferenceIsSentWhereThatIsWanted() async {
        let desk = Desk { $0.edits = [Self.replace("\"a\"", "\"b\"")] }
        let (status, requests) = await desk.run("--by", "merge-patch", "--yes", "-q", "X-Key:k")
        #expect(status == .success)
        #expect(requests.last?.method == .patch)
        #expect(requests.last?.text == #"{"title":"b"}"#)
        #expect(requests.allSatisfy { $0.headers["X-Key"] == "k" })
        #expect(desk.memory.notes.isEmpty)
    }

    @Test("a document without a tag is written only with --unguarded", arguments: [[], ["--by", "merge-patch"]])
    func unguarded(options: [String]) async {
        let transport = StubTransport { request in
            request.method == .get ? .json(#"{"title":"a","n":1}"#) : .status(.noContent)
        }
        let memory = MemoryConsole()
        var console = memory.console
        console.edit = { _, path in
            let text = try String(contentsOfFile: path, encoding: .utf8)
            try text.replacingOccurrences(of: "\"a\"", with: "\"b\"").write(
                toFile: path,
                atomically: false,
                encoding: .utf8
            )
            return 0
        }
        let run = CommandRun(console, makeTransport: { _ in transport })
        #expect(await run.run(["edit", "http://a.example/note", "-y"] + options) != .success)
        #expect(transport.requests.map(\.method) == [.get])
        #expect(memory.notes.last?.contains("use --unguarded to write the document anyway") == true, "\(memory.notes)")
        #expect(await run.run(["edit", "http://a.example/note", "-y", "--unguarded"] + options) == .success)
        let sent = transport.lastRequest
        #expect(sent?.headers[.ifMatch] == nil)
        #expect(sent?.text == (options.isEmpty ? #"{"title":"b","n":1}"# : #"{"title":"b"}"#))
        #expect(memory.notes.contains { $0.hasPrefix("cumulus: warning: without an entity tag") })
    }

    @Test func documentInLatin1IsWrittenInUTF8() async {
        let transport = StubTransport { request in
            guard request.method == .get else { return .status(.noContent) }
            let body = Array(#"{"name":"Jos"#.utf8) + [0xE9] + Array(#"","n":1}"#.utf8)
            let type = "application/json; charset=iso-8859-1; profile=x"
            return .response(headers: ["ETag": "\"v1\"", "Content-Type": type], body: body)
        }
        var console = MemoryConsole().console
        console.edit = { _, path in
            let text = try String(contentsOfFile: path, encoding: .utf8)
            try text.replacingOccurrences(of: "1", with: "2").write(toFile: path, atomically: false, encoding: .utf8)
            return 0
        }
        let run = CommandRun(console, makeTransport: { _ in transport })
        #expect(await run.run(["edit", "http://a.example/note", "-y"]) == .success)
        #expect(transport.lastRequest?.text == "{\"name\":\"Jos\u{E9}\",\"n\":2}")
        #expect(transport.lastRequest?.headers[.contentType] == "application/json; profile=x")
    }

    @Test("a weak tag is compared where --weak-tag says that the service does", arguments: [true, false])
    func weakTag(isSent: Bool) async {
        let desk = Desk {
            $0.tag = "W/\""
            $0.edits = [Self.replace("\"a\"", "\"b\"")]
        }
        let (status, requests) = await isSent ? desk.run("-y", "--weak-tag") : desk.run("-y")
        #expect((status == .success) == isSent, "\(desk.memory.notes)")
        #expect(requests.last?.headers[.ifMatch] == (isSent ? "W/\"v1\"" : nil))
        #expect(desk.document.contains("\"b\"") == isSent)
        desk.clear()
    }

    @Test(arguments: ["", "n", "x"])
    func withoutApprovalNothingIsSent(answer: String) async {
        let desk = Desk {
            $0.edits = [Self.replace("\"a\"", "\"b\"")]; $0.answers = [answer]
        }
        let (status, requests) = await desk.run()
        #expect(status == .success)
        #expect(requests.count == 1)
        #expect(desk.leftovers.isEmpty)
    }

    @Test("a pipe that the editor leaves in place of the text is an error")
    func pipe() async {
        let desk = Desk()
        var console = desk.memory.console
        console.edit = { _, path in
            desk.state.withLock { $0.paths.append(path) }
            return unlink(path) == 0 ? mkfifo(path, 0o600) : 1
        }
        let transport = StubTransport { _ in .response(headers: ["ETag": "\"v1\""], body: Array("{}".utf8)) }
        let status = await CommandRun(console, makeTransport: { _ in transport }).run(["edit", "http://a.example/note"])
        #expect(status == .failure)
        #expect(desk.memory.notes.joined().contains("it is not a regular file"), "\(desk.memory.notes)")
        #expect(transport.requests.count == 1)
        desk.clear()
    }

    @Test func whereNobodyCanBeAskedNothingIsSent() async {
        let desk = Desk { $0.edits = [Self.replace("\"a\"", "\"b\"")] }
        let (status, requests) = await desk.run()
        #expect(status == .usage)
        #expect(desk.leftovers.count == 1)
        desk.clear()
        #expect(requests.count == 1)
    }

    @Test func whatSaysTheSameIsNotSent() async {
        let desk = Desk { $0.edits = [Self.replace("\n", " ")] }
        let (status, requests) = await desk.run("--yes")
        #expect(status == .success)
        #expect(requests.count == 1)
        #expect(desk.memory.notes == ["cumulus: nothing was changed, so nothing was sent"])
    }

    @Test func whatIsNoJSONCanBeEditedAgain() async {
        let desk = Desk {
            $0.edits = [Self.replace("}", ""), { $0 + "}" }, Self.replace("\"a\"", "\"b\"")]
            $0.answers = ["", "y"]
        }
        let (status, _) = await desk.run()
        #expect(status == .success)
        #expect(desk.memory.notes.first?.contains("JSON") == true)
        #expect(desk.state.withLock(\.questions).count == 1)
        let refusing = Desk {
            $0.edits = [Self.replace("}", "")]; $0.answers = ["n"]
        }
        let (refused, requests) = await refusing.run()
        #expect(refused == .failure)
        #expect(requests.count == 1)
    }

    @Test func anEditorThatFailsEndsIt() async {
        let desk = Desk {
            $0.status = 1; $0.edits = [Self.replace("a", "b")]
        }
        let (status, requests) = await desk.run("--yes")
        #expect(status == .failure)
        #expect(requests.count == 1)
        #expect(desk.leftovers.isEmpty)
    }

    @Test func aChangeOfSomebodyElseIsShownAndKept() async {
        let desk = Desk {
            $0.edits = [Self.replace("\"a\"", "\"b\"")]
            $0.others = [#"{"big":1,"title":"a","n":2}"#]
            $0.answers = ["y", "y"]
        }
        let (status, requests) = await desk.run()
        #expect(status == .success, "\(desk.memory.notes)")
        #expect(desk.document == #"{"big":1,"title":"b","n":2}"#)
        #expect(requests.map(\.method) == [.get, .put, .get, .put])
        #expect(desk.memory.notes.contains("cumulus: someone else has changed the document:"))
        #expect(desk.memory.notes.contains(#"+   "n": 2"#))
    }

    @Test(
        "if both have changed the same member or list, nothing is overwritten, and the text is kept",
        arguments: [
            (#"{"title":"a","n":1}"#, #"{"title":"c","n":1}"#, "\"a\"", "\"b\""),
            (#"{"list":[1,2,3]}"#, #"{"list":[1,2,3,4]}"#, "2", "5"),
            (#"{"o":{"x":"a"}}"#, #"{"n":1}"#, "\"a\"", "\"b\""),
            (#"["a"]"#, #"["a","c"]"#, "\"a\"", "\"b\""),
        ]
    )
    func sameMember(mine: String, theirs: String, old: String, new: String) async {
        let desk = Desk {
            $0.document = mine
            $0.edits = [Self.replace(old, new)]
            $0.others = [theirs]
        }
        let (status, requests) = await desk.run("--yes")
        #expect(status == .failure, "\(desk.memory.notes)")
        #expect(desk.document == theirs && requests.map(\.method) == [.get, .put, .get])
        #expect(desk.memory.notes.contains { $0.hasPrefix("cumulus: your text is saved in ") })
        desk.clear()
    }

    @Test func aChangeWhoseAnswerWasLostIsNotSomebodyElses() async {
        let desk = Desk {
            $0.edits = [Self.replace("\"a\"", "\"b\"")]
            $0.losesAnswer = true
        }
        let (status, requests) = await desk.run("--yes", "--retry", "1")
        #expect(status == .success, "\(desk.memory.notes)")
        #expect(desk.document == #"{"big":12345678901234567890.50,"title":"b","n":1}"#)
        // The first write was applied; the second was refused for that reason.
        #expect(requests.map(\.method) == [.get, .put, .put, .get])
        #expect(!desk.memory.notes.joined().contains("somebody else"))
        #expect(
            desk.memory.notes.last
                == "cumulus: the document was written, but the response to the first attempt was lost"
        )
        #expect(desk.leftovers.isEmpty)
    }

    @Test func afterThreeConflictsTheTextIsKept() async {
        let desk = Desk {
            $0.edits = [Self.replace("\"a\"", "\"b\"")]
            $0.others = (2...9).map { "{\"title\":\"a\",\"n\":\($0)}" }
        }
        let (status, requests) = await desk.run("--yes")
        #expect(status == .clientError)
        #expect(requests.count == 6)
        #expect(desk.leftovers.count == 1)
        #expect(desk.memory.notes.contains { $0.hasPrefix("cumulus: your text is saved in ") })
        desk.clear()
    }

    @Test func withoutAStrongTagNothingIsEdited() async {
        let desk = Desk { $0.tag = "W/\"" }
        let (status, _) = await desk.run("--yes")
        // Not 64, which says that nothing was sent.
        #expect(status == .failure)
        #expect(desk.memory.notes.contains { $0.hasPrefix("cumulus: edit: the change can't be protected: ") })
        #expect(desk.state.withLock(\.paths).isEmpty)
    }

    @Test func aTextIsEditedAsItIs() async {
        let desk = Desk {
            $0.document = "one\ntwo"
            $0.type = "text/plain"
            $0.edits = [Self.replace("two", "three")]
        }
        let (status, requests) = await desk.run("--yes")
        #expect(status == .success, "\(desk.memory.notes)")
        #expect(desk.document == "one\nthree")
        #expect(requests.last?.headers[.contentType] == "text/plain")
    }

    @Test func theShellRunsTheEditor() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "edit-\(UUID())")
        try "a b".write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(try await EditorProcess.run("sed -i.old -e 's/a b/c/'", on: file.path()) == 0)
        #expect(try String(contentsOf: file, encoding: .utf8).hasPrefix("c"))
        #expect(try await EditorProcess.run("exit 3; true", on: file.path()) == 3)
        try? FileManager.default.removeItem(atPath: file.path() + ".old")
    }

    @Test func aDifferenceShowsWhatIsAroundAndSteersNothing() {
        let old = (1...20).map { "line \($0)" }.joined(separator: "\n")
        let shown = LineDifference(from: old, to: old.replacingOccurrences(of: "line 10", with: "\u{1B}[2J")).shown
        #expect(shown.first == "  ...")
        #expect(shown.last == "  ...")
        #expect(shown.contains("- line 10"))
        #expect(shown.contains("+ \\u001b[2J"))
        #expect(shown.count == 10)
        #expect(LineDifference(from: old, to: old).shown.isEmpty)
    }
}
