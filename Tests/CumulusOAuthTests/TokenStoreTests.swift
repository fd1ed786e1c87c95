// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import CumulusTestServer
import CumulusTesting
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CumulusOAuth

/// Stores: what they keep, for whom, and which of several users renews.
@Suite(.timeLimit(.minutes(10))) struct TokenStoreTests {
    private func mode(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require(attributes[.posixPermissions] as? Int)
    }

    @Test func aTokenComesBackFromAFile() async throws {
        let folder = try TemporaryFolder()
        let store = FileTokenStore(folder.path + "/deep/er/token.json")
        #expect(try await store.token() == nil)
        let token = OAuth2Token(
            access: "a",
            refresh: "r",
            expires: Date(timeIntervalSince1970: 1_800_000_000),
            scope: "read write",
            source: "atlas"
        )
        try await store.keep(token)
        #expect(try await store.token() == token)
        #expect(try mode(folder.path + "/deep/er/token.json") == 0o600)
        #expect(try mode(folder.path + "/deep/er") == 0o700)
        try await store.keep(nil)
        #expect(try await store.token() == nil)
        try await store.keep(nil)
    }

    @Test("A file that others can read is refused", arguments: [0o640, 0o604, 0o660, 0o644])
    func openFilesAreRefused(mode: Int) async throws {
        let folder = try TemporaryFolder()
        let store = FileTokenStore(folder.path + "/token.json")
        try await store.keep(OAuth2Token(access: "a"))
        try FileManager.default.setAttributes(
            [.posixPermissions: mode],
            ofItemAtPath: folder.path + "/token.json"
        )
        await #expect(throws: FileProblem.self) { _ = try await store.token() }
    }

    @Test(
        "A file without a token yields none",
        arguments: ["", "{}", "[1]", #"{"version":2,"access_token":"a"}"#, "\u{0}"]
    )
    func otherFilesAreNoToken(text: String) async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(text, to: "token.json")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        #expect(try await FileTokenStore(path).token() == nil)
    }

    @Test("A failure of the disk is a FileProblem, whatever was done")
    func failuresArePublic() async throws {
        let folder = try TemporaryFolder()
        let store = FileTokenStore(try folder.write("", to: "file") + "/token.json")
        await #expect(throws: FileProblem.self) { try await store.keep(OAuth2Token(access: "a")) }
        await #expect(throws: FileProblem.self) { try await store.exclusively {} }
        await #expect(throws: FileProblem.self) { _ = try await FileTokenStore(folder.path).token() }
    }

    @Test func aLinkInThePlaceOfTheFileIsRefused() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("{}", to: "target")
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: path)
        let store = FileTokenStore(folder.path + "/link")
        await #expect(throws: FileProblem.self) { _ = try await store.token() }
        // Storing replaces the symbolic link, and leaves its target unchanged.
        try await store.keep(OAuth2Token(access: "a"))
        #expect(try await store.token()?.access == "a")
        #expect(try folder.bytes("target") == Array("{}".utf8))
    }

    @Test("Of two users of a file, one renews, and the other uses its token")
    func twoHoldersRenewOnce() async throws {
        let folder = try TemporaryFolder()
        let bench = OAuth2Bench()
        let stores = (0..<2).map { _ in FileTokenStore(folder.path + "/token.json") }
        let sites = stores.map { store in
            let site = Resource("https://api.example.com", transport: bench.transport.watched) {
                $0.clock = bench.clock
                $0.authorizers.append(bench.authorizer(OAuth2Bench.password, store: store))
            }
            return site
        }
        for site in sites { #expect(try await site.get().text == "Bearer access-1") }
        bench.service.expireAccessTokens()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<40 { group.addTask { try await sites[number % 2].get().requireSuccess() } }
            try await group.waitForAll()
        }
        #expect(bench.service.count(of: "password") == 1)
        #expect(bench.service.count(of: "refresh_token") == 1)
        #expect(bench.service.reuses == 0)
    }

    @Test("A token that another user of the file gets during a logout is forgotten and revoked, too")
    func signingOutDuringARenewal() async throws {
        let folder = try TemporaryFolder()
        let bench = OAuth2Bench()
        let path = folder.path + "/token.json"
        let (mine, lockClock) = (FileTokenStore(path), ManualClock())
        bench.site.setRules { $0.authorizers.append(bench.authorizer(OAuth2Bench.password, store: mine)) }
        #expect(try await bench.site.get().text == "Bearer access-1")
        bench.service.expireAccessTokens()
        let gate = Gate()
        bench.brake.current = gate
        let call = Task { [site = bench.site] in try await site.get().text }
        try await eventually { gate.waiterCount == 1 }
        // The server has already issued the next token, but nobody has it yet.
        let other = bench.authorizer(.stored(client: "cli"), store: FileTokenStore(path, clock: lockClock))
        let site = Resource("https://api.example.com", transport: bench.transport.watched)
        let logout = Task { try await other.logOut(for: site) }
        try await lockClock.waitForSleepers()
        #expect(bench.service.revocations == 0)
        gate.open()
        bench.brake.current = nil
        #expect(try await call.value == "Bearer access-2")
        lockClock.advance(by: .seconds(1))
        try await logout.value
        #expect(try await mine.token() == nil)
        #expect(bench.transport.requests.last?.text.hasPrefix("token=refresh-2&") == true)
        #expect(bench.service.revocations == 1 && !bench.service.accepts("Bearer access-2"))
    }

    @Test func aHolderOfTheLockIsWaitedForAndTheWaitCanBeCancelled() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/token.json"
        let clock = ManualClock()
        let store = FileTokenStore(path, clock: clock)
        let other = try FileLock(FilePath(path + ".lock"))
        #expect(try other.take())
        let renewal = Task { try await store.exclusively { OAuth2Token(access: "mine") } }
        try await clock.waitForSleepers()
        other.release()
        clock.advance(by: .seconds(1))
        #expect(try await renewal.value.access == "mine")
        #expect(try other.take())
        // A wait can be cancelled.
        let second = Task { try await store.exclusively { OAuth2Token(access: "mine") } }
        try await clock.waitForSleepers()
        second.cancel()
        await #expect(throws: CancellationError.self) { _ = try await second.value }
    }

    private static let flockPath = "/usr/bin/flock"
    private static let hasFlock = FileManager.default.isExecutableFile(atPath: flockPath)

    /// Whether another process could take a lock now.
    private static func isFree(_ lock: String) throws -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: flockPath)
        process.arguments = ["--nonblock", lock, "true"]
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    @Test("a process waits for another one that holds the lock", .enabled(if: hasFlock, "needs flock of util-linux"))
    func aProcessThatHoldsTheLockIsWaitedFor() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/token.json"
        let clock = ManualClock()
        let store = FileTokenStore(path, clock: clock)
        let holder = Process()
        let (input, output) = (Pipe(), Pipe())
        holder.executableURL = URL(fileURLWithPath: Self.flockPath)
        holder.arguments = [path + ".lock", "sh", "-c", "echo ready; read line"]
        holder.standardInput = input
        holder.standardOutput = output
        try holder.run()
        #expect(output.fileHandleForReading.readData(ofLength: 6) == Data("ready\n".utf8))
        let renewal = Task { try await store.exclusively { OAuth2Token(access: "mine") } }
        try await clock.waitForSleepers()
        // Another look finds it still held.
        clock.advance(by: .seconds(1))
        try await clock.waitForSleepers()
        input.fileHandleForWriting.write(Data("\n".utf8))
        holder.waitUntilExit()
        clock.advance(by: .seconds(1))
        #expect(try await renewal.value.access == "mine")
    }

    @Test("a process keeps another one out", .enabled(if: hasFlock, "needs flock of util-linux"))
    func anotherProcessIsKeptOut() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/token.json"
        let isFree = try await FileTokenStore(path).exclusively { try Self.isFree(path + ".lock") }
        #expect(!isFree)
        #expect(try Self.isFree(path + ".lock"))
    }

    @Test func aTokenOfAnotherClientOrServerIsNotUsed() async throws {
        let bench = OAuth2Bench()
        let store = MemoryTokenStore(
            OAuth2Token(access: "x", refresh: "theirs", source: "other at https://id.example.com")
        )
        bench.site.setRules { $0.authorizers.append(bench.authorizer(store: store)) }
        #expect(try await bench.site["open"].get().text == "Bearer access-1")
        #expect(!bench.tokenRequests.contains { $0.text.contains("theirs") })
    }

    @Test func aStoredTokenIsUsedByTheNextProcess() async throws {
        let bench = OAuth2Bench()
        let store = MemoryTokenStore()
        bench.site.setRules { $0.authorizers.append(bench.authorizer(OAuth2Bench.password, store: store)) }
        try await bench.site.get().requireSuccess()
        let next = Resource("https://api.example.com", transport: bench.transport.watched) {
            $0.authorizers.append(bench.authorizer(.stored(client: "cli"), store: store))
        }
        #expect(try await next.get().text == "Bearer access-1")
        bench.service.expireAccessTokens()
        #expect(try await next.get().text == "Bearer access-2")
        #expect(bench.service.count(of: "password") == 1)
    }

    @Test func withoutATokenInTheStoreALoginIsAskedFor() async throws {
        let bench = OAuth2Bench()
        bench.site.setRules { $0.authorizers.append(bench.authorizer(.stored(client: "cli"))) }
        let error = try await failure { try await bench.site.get() }
        #expect((error.cause as? OAuth2Error)?.code == .ended)
        #expect(bench.transport.requests.isEmpty)
    }

    @Test func aStoreThatFailsToKeepIsTold() async throws {
        struct Full: Error {}
        struct Broken: TokenStore {
            func token() async throws -> OAuth2Token? { nil }
            func keep(_ token: OAuth2Token?) async throws { throw Full() }
        }
        let bench = OAuth2Bench()
        bench.site.setRules { $0.authorizers.append(bench.authorizer(OAuth2Bench.password, store: Broken())) }
        try await bench.site.get().requireSuccess()
        #expect(bench.events.names == ["notStored"])
        // The token in memory is enough to continue.
        bench.service.expireAccessTokens()
        try await bench.site.get().requireSuccess()
        #expect(bench.service.count(of: "refresh_token") == 1)
    }

    @Test func aStoreThatCantBeReadFailsTheRequest() async throws {
        struct Locked: Error {}
        struct Broken: TokenStore {
            func token() async throws -> OAuth2Token? { throw Locked() }
            func keep(_ token: OAuth2Token?) async throws {}
        }
        let bench = OAuth2Bench()
        bench.site.setRules { $0.authorizers.append(bench.authorizer(store: Broken())) }
        let error = try await failure { try await bench.site.get() }
        #expect(error.cause is Locked)
        #expect(bench.transport.requests.isEmpty)
    }

    private struct ForeignStore: TokenStore {
        func token() async throws -> OAuth2Token? { nil }
        func keep(_ token: OAuth2Token?) async throws {}
        func exclusively<Result: Sendable>(
            _ work: @escaping @Sendable () async throws -> Result
        ) async throws -> Result { try await work() }
    }

    @Test("only an authorizer that runs none of the program's code is said to avoid the main actor")
    func mainActor() {
        func avoids(_ grant: OAuth2Grant, _ store: any TokenStore = MemoryTokenStore()) -> Bool {
            OAuth2Authorizer(grant, server: .endpoints(tokens: OAuth2Bench.tokens), store: store).avoidsMainActor
        }
        #expect(avoids(.clientCredentials(id: "a", secret: "b")))
        #expect(!avoids(.clientCredentials(id: "a", secret: "b"), ForeignStore()))
        #expect(!avoids(.deviceCode(client: "a") { _ in }))
    }
}
