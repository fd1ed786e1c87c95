// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusCatalogs

/// Services that are described already: a timeline, a post, a limit that is waited out, and a sign-in.
struct Networks {
    let url: String

    func visit(_ guide: inout TourGuide) async {
        guide.chapter("Networks")
        let twitter = Twitter(at: "\(url)/social")
        await timeline(&guide, twitter)
        await posts(&guide, twitter)
        await limit(&guide, twitter)
        await signIn(&guide)
    }

    private func timeline(_ guide: inout TourGuide, _ twitter: Twitter) async {
        await guide.step(
            "A timeline is read page after page",
            """
            let twitter = Twitter(at: "\(url)/social")
            let timeline = try twitter.pages("GetPersonalTimeline", ["count": 20], of: Twitter.Status.self)
            for try await status in timeline { print(status.text) }
            """
        ) {
            let timeline = try twitter.pages("GetPersonalTimeline", ["count": 20], of: Twitter.Status.self)
            var counts: [Int] = []
            for try await page in timeline.byPage where !page.items.isEmpty { counts.append(page.items.count) }
            try promise(counts == [20, 20, 5], "\(counts)")
            return "pages of \(counts)"
        }
    }

    private func posts(_ guide: inout TourGuide, _ twitter: Twitter) async {
        await guide.step(
            "Without signing in you are refused, with the network's own message",
            "try await twitter.createStatus(\"Rain\")"
        ) {
            let error = try await failure { try await twitter.createStatus("Rain") }
            try promise(error.code == .service, "\(error)")
            return "\(error)"
        }
        await guide.step(
            "A post, with CocoaREST's name for the task",
            """
            twitter.service.authorize(user: "ada", password: password)
            twitter.service.client = ClientIdentity(name: "Tour")
            try await twitter.createStatus("Rain")
            try await twitter.service.call("CreateStatus", ["text": "More rain"])
            """
        ) {
            twitter.service.authorize(user: "ada", password: "lovelace")
            twitter.service.client = ClientIdentity(name: "Tour")
            let first = try await twitter.createStatus("Rain")
            let second = try await twitter.service.call(
                "CreateStatus",
                ["text": "More rain"],
                as: Twitter.Status.self
            )
            try promise(first.source == "Tour" && second.id == first.id + 1, "\(first) \(second)")
            return "\(first.id): \(first.text) (\(first.source ?? ""))\n\(second.id): \(second.text)"
        }
    }

    private func limit(_ guide: inout TourGuide, _ twitter: Twitter) async {
        await guide.step(
            "A rate limit is met, and waited out",
            "twitter.service.pace = .quota\ntry await twitter.user(\"ada\")  // three times, where two a second are allowed"
        ) {
            let patient = twitter.with { $0.pace = .quota }
            let start = ContinuousClock.now
            for _ in 1...3 { _ = try await patient.user("ada") }
            let time = ContinuousClock.now - start
            try promise(time > .milliseconds(700), "\(time)")
            let quota = patient.service.quota.map(String.init(describing:)) ?? ""
            return "three answers in \((time / .milliseconds(100)).rounded() / 10) s\n\(quota)"
        }
    }

    private func signIn(_ guide: inout TourGuide) async {
        let url = url
        await guide.step(
            "A program is registered, and signs in",
            """
            let mastodon = Mastodon(at: "\(url)")
            mastodon.signIn(try await mastodon.register("Tour"))
            try await mastodon.homeTimeline()
            """
        ) {
            let mastodon = Mastodon(at: url)
            mastodon.signIn(try await mastodon.register("Tour"))
            let statuses = try await mastodon.homeTimeline()
            try promise(statuses.count == 1, "\(statuses)")
            return statuses[0].content
        }
    }
}
