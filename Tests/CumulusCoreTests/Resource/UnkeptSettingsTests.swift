// SPDX-License-Identifier: Apache-2.0

#if DEBUG
import CumulusTesting
import Synchronization
import Testing

@testable import CumulusCore

/// Settings on a place that nobody keeps are reported, once for each line.
@Suite struct UnkeptSettingsTests {
    private let site = Resource("https://api.example.com", transport: StubTransport { _ in .text("ok") })

    private func warnings(_ work: () async throws -> Void) async rethrows -> [String] {
        let texts = Texts()
        try await UnkeptSettings.$report.withValue({ texts.append($0) }, operation: work)
        return texts.all
    }

    @Test func aSettingOnAPlaceThatNobodyKeepsIsToldOnce() async {
        var line = 0
        let texts = await warnings {
            for _ in 1...3 {
                site["backups"].timeout = .seconds(1)
                line = #line - 1
            }
        }
        #expect(texts.count == 1)
        #expect(texts.first?.contains("UnkeptSettingsTests.swift:\(line)") == true)
        #expect(texts.first?.contains("https://api.example.com/backups") == true)
    }

    @Test func soIsAFieldOfOneAndAListThatGrew() async {
        let texts = await warnings {
            site["a"].connectTimeout = .seconds(1)
            site[7].authorizers.append(.bearer("t0ken"))
            site[segment: "x"].configure { $0.headers["X-A"] = "secret" }
            site[path: "a/b"].query["q"] = 1
        }
        #expect(texts.count == 4)
        #expect(!texts.joined().contains("t0ken") && !texts.joined().contains("secret"))
    }

    @Test func aPlaceThatIsUsedIsNot() async throws {
        let texts = try await warnings {
            let kept = site["kept"]
            kept.timeout = .seconds(1)
            try await kept.get().requireSuccess()
            let parent = site["parent"]
            parent.timeout = .seconds(2)
            try await parent["child"].get().requireSuccess()
            try await site["once"].with { $0.timeout = .seconds(3) }.get().requireSuccess()
            site.timeout = .seconds(4)
        }
        #expect(texts.isEmpty)
    }

    private final class Texts: Sendable {
        private let texts = Mutex<[String]>([])

        var all: [String] { texts.withLock(\.self) }

        func append(_ text: String) { texts.withLock { $0.append(text) } }
    }
}
#endif
