// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusCLI

@Suite struct PieceUploadCommandTests {
    /// A tus server with one upload, which takes at most some bytes of its first PATCH.
    private final class Service: Sendable {
        let bytes = Mutex<[UInt8]>([])
        let cut = Mutex<Int?>(nil)

        func respond(to request: StubRequest) throws -> StubResponse {
            switch request.method {
            case .options:
                return .response(
                    .noContent,
                    headers: ["Tus-Version": "1.0.0", "Tus-Extension": "creation,termination"]
                )
            case .post: return .response(.created, headers: ["Location": "/files/1"])
            case .patch:
                let cut = cut.withLock { cut in
                    defer { cut = nil }
                    return cut
                }
                bytes.withLock { $0 += request.body.prefix(cut ?? .max) }
                if cut != nil { throw TransportFailure(.connectionClosed, "lost") }
            default: break
            }
            return .response(.noContent, headers: ["Upload-Offset": "\(bytes.withLock(\.count))"])
        }

        var transport: StubTransport { StubTransport(answering: { try self.respond(to: $0) }) }
    }

    private let folder: TemporaryFolder
    private let file: String
    private let url = "https://tus.test/files/"

    init() throws {
        folder = try TemporaryFolder()
        file = try folder.write([UInt8](repeating: 7, count: 1_000), to: "film.mov")
    }

    private func console(_ more: [String: String] = [:]) -> MemoryConsole {
        MemoryConsole(environment: ["XDG_STATE_HOME": folder.path].merging(more) { $1 })
    }

    @Test func fileIsSentAndTheURLPrinted() async throws {
        let (service, console) = (Service(), console())
        let transport = service.transport
        #expect(await console.run(["upload", file, url, "--tus", "X-A:1"], over: transport) == .success)
        #expect(service.bytes.withLock(\.count) == 1_000)
        #expect(console.output == "https://tus.test/files/1\n")
        #expect(console.notes.first?.hasPrefix("cumulus: sent film.mov: 0.9 KiB") == true)
        #expect(transport.requests.allSatisfy { $0.headers[HTTPField.Name("X-A")!] == "1" })
        let quiet = self.console()
        #expect(await quiet.run(["upload", file, url, "--tus", "-q"], over: Service().transport) == .success)
        #expect(quiet.output == "https://tus.test/files/1\n" && quiet.notes.isEmpty)
    }

    @Test func interruptedUploadIsContinuedOnRequest() async throws {
        let service = Service()
        service.cut.withLock { $0 = 400 }
        let first = console()
        let status = await first.run(["upload", file, url, "--tus", "--retry", "0"], over: service.transport)
        #expect(status != .success)
        let second = console()
        #expect(await second.run(["upload", "-c", file, url, "--tus"], over: service.transport) == .success)
        #expect(service.bytes.withLock(\.count) == 1_000)
        #expect(second.notes.last?.contains("400 B were already there") == true)
    }

    @Test func changedFileIsReported() async throws {
        let service = Service()
        service.cut.withLock { $0 = 400 }
        _ = await console().run(["upload", file, url, "--tus", "--retry", "0"], over: service.transport)
        try Data(repeating: 8, count: 900).write(to: URL(fileURLWithPath: file))
        service.bytes.withLock { $0 = [] }
        let second = console()
        #expect(await second.run(["upload", "-c", file, url, "--tus"], over: service.transport) == .success)
        #expect(second.notes.first?.hasPrefix("cumulus: film.mov was sent from the beginning: the file has") == true)
    }

    @Test func interruptedUploadIsAbandoned() async throws {
        let service = Service()
        service.cut.withLock { $0 = 400 }
        _ = await console().run(["upload", file, url, "--tus", "--retry", "0"], over: service.transport)
        let (transport, second) = (service.transport, console())
        #expect(await second.run(["upload", file, url, "--tus", "--abandon"], over: transport) == .success)
        #expect(transport.requests.map(\.method) == [.delete])
        #expect(second.notes == ["cumulus: removed the upload of film.mov"])
        let third = console()
        #expect(await third.run(["upload", file, url, "--tus", "--abandon"], over: transport) == .success)
        #expect(third.notes == ["cumulus: there is no interrupted upload of film.mov"])
    }

    @Test func objectIsSentWithTheKeysOfTheEnvironment() async throws {
        let transport = StubTransport(answering: { _ in .response(headers: ["ETag": "\"1\""]) })
        let keys = ["AWS_ACCESS_KEY_ID": "KEY", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_REGION": "eu-north-1"]
        let first = console(keys)
        #expect(await first.run(["upload", file, "s3://films/a b/film.mov"], over: transport) == .success)
        let request = try #require(transport.lastRequest)
        #expect(request.url == "https://films.s3.eu-north-1.amazonaws.com/a%20b/film.mov")
        #expect(request.headers[.authorization]?.contains("/eu-north-1/s3/aws4_request") == true)
        let store = ["upload", file, "s3://my.films/film.mov", "--endpoint", "http://127.0.0.1:9000"]
        #expect(await console(keys).run(store, over: transport) == .success)
        #expect(transport.lastRequest?.url == "http://127.0.0.1:9000/my.films/film.mov")
    }

    @Test(arguments: [
        (["-c"], "--continue needs --tus or s3://BUCKET/KEY"), (["--abandon"], "--abandon needs --tus"),
        (["--endpoint", "http://a.example"], "--endpoint needs s3://BUCKET/KEY"),
        (["--tus", "--method", "PUT"], "--method can't be combined with --tus"),
        (["--tus", "-c", "--abandon"], "--abandon and --continue can't be combined"),
        (["--tus", "--offline"], "--offline can't be combined"), (["--tus", "--curl"], "--curl can't be combined"),
        (["--tus", "-v", "-o", "x", "--as", "csv"], "--verbose, --output and --as can't be combined with --tus"),
        (["--tus", "-w", "{status}", "--filter", "."], "--format and --filter can't be combined with --tus"),
    ])
    func optionsThatDoNotFitAreRefused(options: [String], message: String) async {
        let console = console()
        let status = await console.run(["upload", file, url] + options, over: Service().transport)
        #expect(status == .usage)
        #expect(console.notes.first?.contains(message) == true)
    }

    @Test(arguments: ["s3://", "s3://films", "s3://films/", "s3:///key", "s3://fi lms/key"])
    func objectWithoutBucketOrKeyIsRefused(word: String) async {
        let console = console()
        #expect(await console.run(["upload", file, word], over: Service().transport) == .usage)
        #expect(console.notes.first?.contains("an object's URL must be s3://BUCKET/KEY") == true)
    }

    @Test func endpointMayBeAPortOfThisMachine() async throws {
        let transport = StubTransport(answering: { _ in .response(headers: ["ETag": "\"1\""]) })
        let line = ["upload", file, "s3://films/a.mov", "--endpoint", ":9000", "-a", "KEY:secret"]
        #expect(await console().run(line, over: transport) == .success)
        #expect(transport.lastRequest?.url == "http://localhost:9000/films/a.mov")
        let userinfo = console()
        let other = ["upload", file, "s3://films/a.mov", "--endpoint", "http://ada:hunter2@127.0.0.1:9000"]
        #expect(await userinfo.run(other, over: transport) == .usage)
        #expect(userinfo.notes.first?.contains("the --endpoint URL can't contain a user") == true)
        #expect(!userinfo.notes.joined().contains("hunter2"))
    }

    @Test func secondObjectIsNotAHeader() async throws {
        let console = console()
        #expect(await console.run(["upload", file, "http://a.test/", "s3://b/k"], over: Service().transport) == .usage)
        #expect(console.notes.first?.contains("there is a second URL, 's3://b/k'") == true)
    }

    @Test func continuationOfAnObjectCanBePasted() throws {
        let line = ["upload", file, "s3://films/a.mov", "-a", "KEY:hunter2"]
        guard case .upload(let plan) = try Invocation.parse(line, in: .of(environment: ["HOME": folder.path])) else {
            throw SystemProblem(description: "no upload")
        }
        let text = try #require(plan.pieces?.continuation)
        #expect(text.hasSuffix(" -a KEY:... -A aws4:us-east-1:s3 \(file) s3://films/a.mov"), "\(text)")
        let words = try BuiltProgram.words(of: text)
        #expect(mistake(["upload"] + words, in: .of()) == nil)
    }

    @Test func continuationHidesTheUserOfTheEndpoint() throws {
        let line = ["--endpoint", "http://ada:hunter2@store.test:9000", "f", "s3://films/a.mov"]
        let text = ContinuationCommand(try ArgumentParser.parse(line, for: .upload), user: nil).text
        #expect(text.contains("--endpoint http://store.test:9000 ") && !text.contains("hunter2"), "\(text)")
    }

    @Test func continuationHidesAUserWithoutAPassword() throws {
        let line = ["--tus", "-a", "sk_live_1:", "f", "https://tus.test/"]
        let text = ContinuationCommand(try ArgumentParser.parse(line, for: .upload), user: nil).text
        #expect(!text.contains("sk_live"), "\(text)")
    }

    @Test func continuationHidesSecretsInTheTextOfAnItem() throws {
        let line = ["https://a.test/", #"json={"password":"hunter2"}"#, "text=password=hunter2"]
        let arguments = try ArgumentParser.parse(line, for: .request)
        let text = ContinuationCommand.request(arguments, showsSecrets: false)
        #expect(!text.contains("hunter2"), "\(text)")
    }

    @Test func continuationHasNoSecrets() throws {
        let line = [
            "--tus", "-a", "ada:secret", "--limit-rate", "1M", "-q", "film.mov",
            "https://bob:pw@tus.test/files?token=x",
            "X-Api-Key:abc", "--retry", "3",
        ]
        let text = ContinuationCommand(try ArgumentParser.parse(line, for: .upload), user: nil).text
        #expect(text.hasPrefix("cumulus upload -c --tus -a ada"), "\(text)")
        #expect(text.contains(" --limit-rate 1M ") && text.contains(" --retry 3 "), "\(text)")
        #expect(!text.contains("secret") && !text.contains("pw@") && !text.contains("abc") && !text.contains("=x"))
    }
}
