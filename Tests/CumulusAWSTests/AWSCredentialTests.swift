// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import Foundation
import Synchronization
import Testing

@testable import CumulusAWS

/// Where keys come from, how long they are kept, and what the error says if there are none.
@Suite(.timeLimit(.minutes(10))) struct AWSCredentialTests {
    private struct Refused: Error {}

    private func surroundings(_ variables: [String: String]) -> AWSSurroundings { AWSSurroundings { variables[$0] } }

    private func problem(_ source: AWSCredentialSource) async -> String {
        do {
            _ = try await source.load()
            return ""
        } catch {
            return "\(error)"
        }
    }

    @Test func theEnvironmentsKeys() async throws {
        let source = AWSCredentialSource.environment(
            surroundings([
                "AWS_ACCESS_KEY_ID": "AKID", "AWS_SECRET_ACCESS_KEY": "s", "AWS_SESSION_TOKEN": "t",
                "AWS_DEFAULT_REGION": "eu-west-3",
            ])
        )
        let keys = try await source.load()
        #expect(keys == AWSCredentials(accessKeyID: "AKID", secretAccessKey: "s", sessionToken: "t"))
        #expect(source.region() == "eu-west-3")
        #expect(!source.mayWait)
        #expect("\(keys)" == "AWS key AKID")
        var dumped = ""
        dump(keys, to: &dumped)
        #expect(!dumped.contains("\"s\"") && !dumped.contains("\"t\""))
    }

    @Test func whatIsMissingIsNamed() async throws {
        #expect(await problem(.environment(surroundings([:]))).contains("AWS_ACCESS_KEY_ID"))
        let half = surroundings(["AWS_ACCESS_KEY_ID": "AKID", "AWS_SECRET_ACCESS_KEY": ""])
        #expect(await problem(.environment(half)).contains("AWS_SECRET_ACCESS_KEY"))
        #expect(await problem(.file("/nonexistent/credentials")).contains("/nonexistent/credentials"))
        #expect(await problem(.keys(id: "AK ID", secret: "s")).contains("access key ID"))
        #expect(await problem(.keys(id: "AKID", secret: "a\nb")).contains("secret access key"))
        #expect(await problem(.keys(id: "AKID", secret: "s", sessionToken: "")).contains("session token"))
    }

    private let file = """
        # work
        aws_access_key_id = NOWHERE
        [default]
        aws_access_key_id=ONE
          aws_secret_access_key = a=b/c+d\t
        \r
        [work ]
        AWS_Access_Key_ID = TWO
        aws_secret_access_key = two
        aws_session_token = token
        ; the end
        [half]
        aws_access_key_id = THREE
        """

    @Test(
        "the shared file is read as AWS's own tools read it",
        arguments: [
            "[default] # this is my default\n", "[default] ; mine\n", "[default]# x\n", "\u{FEFF}[default]\n",
            "[ default ]\r\n", "[other] # [default]\naws_access_key_id = X\n[default]\n",
        ]
    )
    func sections(head: String) throws {
        for body in [
            "aws_access_key_id = AK\naws_secret_access_key = a/b+c==\n",
            "aws_access_key_id = AK # mine\naws_secret_access_key = a/b+c==\t; mine\n",
            "aws_access_key_id: AK\naws_secret_access_key: a/b+c\n",
        ] {
            let keys = try AWSCredentialsFile(path: "/x", text: head + body).credentials(of: "default")
            #expect(keys.accessKeyID == "AK" && keys.secretAccessKey.revealed.hasPrefix("a/b+c"))
        }
    }

    @Test func theTokensOldName() throws {
        let text = "[default]\naws_access_key_id=AK\naws_secret_access_key=S#K\naws_security_token=T\n"
        let keys = try AWSCredentialsFile(path: "/x", text: text).credentials(of: "default")
        #expect(keys.sessionToken == "T" && keys.secretAccessKey == "S#K")
    }

    @Test func theSharedFile() throws {
        let file = AWSCredentialsFile(path: "/home/ada/.aws/credentials", text: file)
        #expect(
            try file.credentials(of: "default") == AWSCredentials(accessKeyID: "ONE", secretAccessKey: "a=b/c+d")
        )
        #expect(
            try file.credentials(of: "work")
                == AWSCredentials(accessKeyID: "TWO", secretAccessKey: "two", sessionToken: "token")
        )
        for (profile, told) in [("half", "aws_secret_access_key"), ("none", "\"none\"")] {
            #expect {
                _ = try file.credentials(of: profile)
            } throws: {
                "\($0)".contains(told) && "\($0)".contains("/home/ada/.aws/credentials")
            }
        }
    }

    @Test("the variables name the file and profile; the environment's own keys come first")
    func standard() async throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("cumulus-\(UUID().uuidString)")
        try Data(file.utf8).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        var variables = ["AWS_SHARED_CREDENTIALS_FILE": url.path, "AWS_PROFILE": "work"]
        #expect(try await AWSCredentialSource.standard(surroundings(variables)).load().accessKeyID == "TWO")
        #expect(try await AWSCredentialSource.file(url.path, profile: "default").load().accessKeyID == "ONE")
        variables["AWS_ACCESS_KEY_ID"] = "ENV"
        variables["AWS_SECRET_ACCESS_KEY"] = "env"
        #expect(try await AWSCredentialSource.standard(surroundings(variables)).load().accessKeyID == "ENV")
    }

    /// A source that counts, and waits at a gate.
    private final class Vault: Sendable {
        let gate = Gate()
        private let state = Mutex<(count: Int, lifetime: Double?, failure: (any Error)?)>((0, nil, nil))

        var count: Int { state.withLock(\.count) }
        func set(lifetime: Double?, failure: (any Error)? = nil) {
            state.withLock { ($0.lifetime, $0.failure) = (lifetime, failure) }
        }

        func load(now: Date) throws -> AWSCredentials {
            try state.withLock { state in
                state.count += 1
                if let failure = state.failure { throw failure }
                return AWSCredentials(
                    accessKeyID: "KEY\(state.count)",
                    secretAccessKey: "s",
                    expiration: state.lifetime.map { now.addingTimeInterval($0) }
                )
            }
        }
    }

    private final class Watch: Sendable {
        private let date = Mutex(Date(timeIntervalSince1970: 1_000_000))
        var now: Date {
            get { date.withLock(\.self) }
            set { date.withLock { $0 = newValue } }
        }
    }

    @Test("many requests at once make one fetch, and a cancelled one leaves it to the others")
    func singleFlight() async throws {
        let (vault, watch) = (Vault(), Watch())
        let started = Gate()
        let cache = AWSCredentialCache(
            .custom {
                started.open()
                try await vault.gate.wait()
                return try vault.load(now: watch.now)
            }
        ) { watch.now }
        let first = Task { try await cache.credentials() }
        try await started.wait()
        let others = (0..<100).map { _ in Task { try await cache.credentials().accessKeyID } }
        let cancelled = Task { try await cache.credentials() }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { _ = try await cancelled.value }
        vault.gate.open()
        #expect(try await first.value.accessKeyID == "KEY1")
        for other in others { #expect(try await other.value == "KEY1") }
        #expect(vault.count == 1)
    }

    @Test func keysAreFetchedAnewBeforeTheyEnd() async throws {
        let (vault, watch) = (Vault(), Watch())
        vault.set(lifetime: 3_600)
        let cache = AWSCredentialCache(.custom { try vault.load(now: watch.now) }) { watch.now }
        #expect(try await cache.credentials().accessKeyID == "KEY1")
        watch.now += 3_000
        #expect(try await cache.credentials().accessKeyID == "KEY1")
        watch.now += 400
        #expect(try await cache.credentials().accessKeyID == "KEY2")
        // If a vault fails early, requests continue while the keys are valid.
        vault.set(lifetime: nil, failure: Refused())
        watch.now += 3_400
        #expect(try await cache.credentials().accessKeyID == "KEY2")
        watch.now += 300
        await #expect(throws: Refused.self) { _ = try await cache.credentials() }
        vault.set(lifetime: nil)
        #expect(try await cache.credentials().accessKeyID == "KEY5")
        watch.now += 1_000_000
        #expect(try await cache.credentials().accessKeyID == "KEY5")
    }

    @Test func keysThatLiveShortlyAreNotFetchedForEachRequest() async throws {
        let (vault, watch) = (Vault(), Watch())
        vault.set(lifetime: 100)
        let cache = AWSCredentialCache(.custom { try vault.load(now: watch.now) }) { watch.now }
        for _ in 0..<3 { #expect(try await cache.credentials().accessKeyID == "KEY1") }
        watch.now += 49
        #expect(try await cache.credentials().accessKeyID == "KEY1")
        watch.now += 2
        #expect(try await cache.credentials().accessKeyID == "KEY2")
    }

    @Test func refusedKeysAreForgottenOnce() async throws {
        let vault = Vault()
        let cache = AWSCredentialCache(.custom { try vault.load(now: Date()) }) { Date() }
        #expect(try await cache.credentials().accessKeyID == "KEY1")
        #expect(cache.forget("KEY1"))
        #expect(try await cache.credentials().accessKeyID == "KEY2")
        #expect(cache.forget("KEY1"), "others have come since")
        #expect(try await cache.credentials().accessKeyID == "KEY2")
    }
}
