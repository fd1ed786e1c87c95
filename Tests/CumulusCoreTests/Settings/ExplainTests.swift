// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import TestSupport
import Testing

@testable import CumulusCore

/// The test's own setting, which shows that one key and one name are enough.
enum PatienceKey: SettingKey {
    static var defaultValue: Int { 1 }
    static func combine(inherited: Int, own: Int) -> Int { max(inherited, own) }
}

extension Resource.Settings {
    var patience: Int {
        get { self[key: PatienceKey.self] }
        set { self[key: PatienceKey.self] = newValue }
    }
}

/// The layer that a setting's value comes from.
@Suite(.serialized) struct ExplainTests {
    private let site = Resource("https://api.example.com", transport: StubTransport { _ in .text("ok") }.watched)

    @Test func tellsTheLayersNearestFirst() {
        site.setRules { $0.timeout = .seconds(20) }
        let child = site["posts"]
        child.setRules { $0.timeout = .seconds(60) }
        let explanation = child["1"].explain(\.timeout)
        #expect(explanation.value == "1 min")
        let places = explanation.contributions.map(\.place)
        #expect(places == ["https://api.example.com/posts", "https://api.example.com/"])
    }

    @Test func tellsTheLineOfAConfigure() {
        site.setRules { $0.timeout = .seconds(3) }
        let line = #line - 1
        #expect(site.explain(\.timeout).contributions.first?.source?.line == UInt(line))
        #expect(site.explain(\.timeout).description.contains("ExplainTests.swift:\(line)"))
    }

    @Test func neverNamesALineOfTheLibrary() {
        let site = Resource(
            "https://ada:secret@api.example.com?key=1",
            transport: StubTransport { _ in .text("ok") }.watched
        ) {
            $0.contentType = .json
            $0.credentials = Credentials(user: "bob", password: "x")
        }
        site.setRules { $0.contentType = .form }
        for explanation in [
            site.explain(\.headers), site.explain(\.contentType), site.explain(\.authorizers), site.explain(\.query),
            site.explain(\.credentials),
        ] {
            #expect(!explanation.contributions.isEmpty)
            #expect(!explanation.description.contains("CumulusCore/"))
        }
        #expect(site.explain(\.contentType).description.contains("ExplainTests.swift"))
    }

    @Test func aShorthandIsForgottenWithTheSettingItStandsFor() {
        site.setRules { $0.contentType = .form }
        site.setRules { $0.inherit(\.contentType) }
        #expect(site.contentType == nil)
        #expect(site.explain(\.headers).contributions.isEmpty)
    }

    @Test func theCopyOfAllSettingsReadsWhatHolds() {
        site.setRules { $0.timeout = .seconds(4) }
        var settings = site["a"].settings
        #expect(settings.timeout == .seconds(4))
        settings.timeout = .seconds(9)
        #expect(settings.timeout == .seconds(9))
        #expect(site["a"].timeout == .seconds(4))
    }

    @Test func tellsThatTheDefaultHolds() {
        #expect(site.explain(\.timeout).contributions.isEmpty)
        #expect(site.explain(\.timeout).description.contains("the default"))
    }

    @Test("an explanation contains no secret")
    func tellsNoSecret() {
        site.setRules {
            $0.credentials = Credentials(user: "ada", password: "hunter2")
            $0.authorizers.append(.bearer("t0ken"))
            $0.query["token"] = "s3cret"
            $0.headers[.authorization] = "Basic abc"
        }
        let text = "\(site.explain(\.authorizers)) \(site.explain(\.query)) \(site.explain(\.headers)) \(site)"
        for secret in ["hunter2", "t0ken", "s3cret", "Basic abc"] { #expect(!text.contains(secret)) }
    }

    @Test func aSettingOfYourOwnIsOneKeyAndOneName() {
        #expect(site.patience == 1)
        site.setRules { $0.patience = 5 }
        let child = site["a"]
        child.setRules { $0.patience = 3 }
        #expect(child.patience == 5)
        child.setRules { $0.patience = 8 }
        #expect(child.patience == 8)
        #expect(child.explain(\.patience).value == "8")
    }

    @Test func anUnchangedTreeResolvesToTheSameSnapshot() {
        site.setRules { $0.timeout = .seconds(2) }
        let child = site["a"]
        #expect(child.snapshot === site.snapshot)
        #expect(child["b"]["c"].snapshot === site.snapshot)
        let before = site.snapshot
        child.setRules { $0.timeout = .seconds(1) }
        #expect(child.snapshot !== site.snapshot)
        #expect(before.value(TimeoutKey.self) == .seconds(2))
    }
}
