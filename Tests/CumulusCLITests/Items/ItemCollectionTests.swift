// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Testing

@testable import CumulusCLI

@Suite(.serialized) struct ItemCollectionTests {
    private let files = [
        "bio.txt": "a line\n",
        "doc.json": "{\"a\": [1, 2]}\n",
        "bad.json": "{\n \"a\": nope}",
        "token.txt": "abc\r\n",
    ]

    private func collect(_ items: String..., as form: ItemCollection.DataForm = .json) throws -> ItemCollection {
        try ItemCollection(
            items.map { try RequestItem(parsing: $0) },
            as: form,
            readFile: Surroundings.of(files: files).readFile
        )
    }

    @Test func textFromAFileIsKeptWhole() throws {
        #expect(try collect("bio=@bio.txt").json == ["bio": "a line\n"])
    }

    @Test func jsonFromAFileIsParsed() throws {
        #expect(try collect("doc:=@doc.json").json == ["doc": ["a": [1, 2]]])
    }

    @Test func headersAndQueriesFromAFileLoseTheLineEnd() throws {
        let items = try collect("X-Token:@token.txt", "t==@token.txt")
        #expect(items.headers["X-Token"] == "abc")
        #expect(items.query == [.init(name: "t", value: "abc")])
    }

    @Test func headersAddUpAndAreUnset() throws {
        let items = try collect("X-A:1", "x-a:2", "Accept:", "X-E;")
        #expect(items.headers.values(of: "X-A") == ["1", "2"])
        #expect(items.headers["Accept"] == nil)
        #expect(items.headers["X-E"] == "")
        #expect(items.headerNames.contains(.accept))
    }

    @Test func queryItemsKeepOrderAndRepeat() throws {
        #expect(try collect("b==2", "a==1", "b==3").query.map(\.value) == ["2", "1", "3"])
    }

    @Test func formsTakeTextsNumbersAndBooleans() throws {
        let items = try collect("a=x y", "n:=1.50", "b:=true", "s:=\"t\"", "a=z", as: .form)
        #expect(items.form.map { "\($0.name)=\($0.value)" } == ["a=x y", "n=1.50", "b=true", "s=t", "a=z"])
    }

    @Test(arguments: ["o:={}", "l:=[1]", "n:=null"])
    func formsRefuseWhatTheyCannotCarry(item: String) {
        #expect(throws: UsageMistake.self) { try collect(item, as: .form) }
    }

    @Test func invalidJSONTellsTheOffsetAndNotTheValue() throws {
        let error = #expect(throws: UsageMistake.self) { try collect("age:=[1, hunter2]") }
        #expect(error?.reason.contains("'h' is not allowed here (line 1, column 5)") == true)
        #expect(error?.reason.contains("hunter2") == false)
    }

    @Test func anInvalidJSONFileTellsLineAndColumn() throws {
        let error = #expect(throws: UsageMistake.self) { try collect("d:=@bad.json") }
        #expect(error?.reason.contains("line 2, column") == true)
    }

    @Test(arguments: [
        ("name:=Ada", "name=text"),
        ("o:={'a': 1}", "double quotes"),
        ("o:={\u{201C}a\u{201D}: 1}", "typographic quote"),
    ])
    func invalidJSONComesWithAHint(item: String, hint: String) throws {
        let error = #expect(throws: UsageMistake.self) { try collect(item) }
        #expect(error?.hint?.contains(hint) == true)
    }

    @Test func aMissingFileIsNamed() throws {
        let error = #expect(throws: UsageMistake.self) { try collect("a=@nowhere.txt") }
        #expect(error?.reason == "the file 'nowhere.txt' for 'a' can't be read: No such file or directory")
    }

    @Test func filesNeedAForm() throws {
        let error = #expect(throws: UsageMistake.self) { try collect("photo@cat.png") }
        #expect(error?.hint?.contains("-f") == true)
        #expect(error?.hint?.contains("NAME=@FILE") == true)
    }

    @Test func partsKeepTheirOrder() throws {
        let items = try collect("a=x", "photo@cat.png", "n:=1", "bio=@bio.txt", as: .form)
        #expect(items.hasFiles)
        #expect(items.parts.map(\.name) == ["a", "photo", "n", "bio"])
        #expect(items.parts.last?.content == .text("a line\n"))
        let texts = try collect("a=x", as: .form)
        #expect(!texts.hasFiles)
    }

    @Test("credentials for a proxy in an item, which would never be sent, are refused", arguments: ["Basic eA==", "x"])
    func proxyAuthorization(value: String) throws {
        let found = mistake(["a.example", "proxy-authorization:\(value)"])
        #expect(found?.reason == "the item 'Proxy-Authorization:' is never sent")
        #expect(found?.hint?.contains("--proxy-user") == true)
        #expect(mistake(["a.example", "Proxy-Authorization:"]) == nil)
    }

    private static let uploads: [(String, String, String?, String?)] = [
        ("cat.png", "cat.png", nil, nil), ("cat.png;type=image/png", "cat.png", "image/png", nil),
        ("cat.png;filename=x.png", "cat.png", nil, "x.png"),
        ("cat.png;filename=x.png;type=image/png", "cat.png", "image/png", "x.png"),
        ("cat.png;type=text/plain;charset=utf-8;filename=x;y", "cat.png", "text/plain; charset=utf-8", "x;y"),
        ("a;b.png", "a;b.png", nil, nil), ("a;type=image/png;type=image/gif", "a;type=image/png", "image/gif", nil),
    ]

    @Test(arguments: uploads)
    func filesAreNamedAndTyped(value: String, path: String, type: String?, fileName: String?) throws {
        let item = try UploadItem(parsing: RequestItem(parsing: "f@\(value)"))
        #expect(item.path == path)
        #expect(item.type?.description == type)
        #expect(item.fileName == fileName)
    }

    @Test(arguments: ["f@x;type=png", "f@x;type=", "f@", "f@;type=image/png"])
    func filesThatCannotBeMeantAreMistakes(item: String) throws {
        #expect(throws: UsageMistake.self) { try collect(item, as: .form) }
    }
}
