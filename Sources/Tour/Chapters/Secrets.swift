// SPDX-License-Identifier: Apache-2.0

import Cumulus

/// Chapter 4: credentials belong to an origin.
struct Secrets {
    let site: Resource

    func visit(_ guide: inout TourGuide) async {
        guide.chapter("Secrets")
        await guide.step(
            "User and password",
            "site.credentials = Credentials(user: \"ada\", password: \"lovelace\")\ntry await site[\"me\"].get(as: JSON.self)"
        ) {
            site.credentials = Credentials(user: "ada", password: "lovelace")
            return try await site["me"].get(as: JSON.self).description
        }
        await guide.step("They don't print", "print(site.credentials)\nsite.explain(\\.authorizers)") {
            let text = "\(site.credentials.map { "\($0)" } ?? "")\n\(site.explain(\.authorizers).value)"
            try promise(!text.has("lovelace"), "the password was printed")
            return text
        }
        await guide.step(
            "They are not sent when a redirect leads to another origin",
            "try await site[\"who\"].get(as: String.self)\ntry await site[\"away\"].get(as: String.self)  // redirects"
        ) {
            let here = try await site["who"].get(as: String.self)
            let away = try await site["away"].get(as: String.self)
            try promise(here.has("Basic") && away.has("nobody"), "\(here), \(away)")
            return "\(here)\n\(away)"
        }
        await guide.step(
            "A jar stores cookies, and adds them to the requests they belong to",
            "site[\"session\"].cookies = CookieJar()\ntry await session[\"login\"].post(.form([...]))\n"
                + "try await session[\"me\"].get(as: String.self)"
        ) {
            let session = site["session"]
            let jar = CookieJar()
            session.cookies = jar
            try await session["login"].post(.form(["user": "ada", "password": "lovelace"])).requireSuccess()
            let name = try await session["me"].get(as: String.self)
            let shown = jar.cookies.map(\.description).joined(separator: "\n")
            try promise(name == "Ada" && jar.cookies.count == 1, shown)
            return "\(name)\n\(shown)"
        }
        await guide.step("Redirects are followed, and recorded", "try await site[\"old\"].get().history") {
            let answer = try await site["old"].get()
            try promise(answer.history.count == 1 && answer.isSuccessful, "\(answer)")
            return answer.history.map { "\($0.status.code) from \($0.request.redactedURL)" }.joined() + "\n\(answer)"
        }
    }
}
