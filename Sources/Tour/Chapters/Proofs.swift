// SPDX-License-Identifier: Apache-2.0

import Cumulus
import Synchronization

/// Chapter 4, too: proofs that a server asks for.
struct Proofs {
    let site: Resource

    func visit(_ guide: inout TourGuide) async {
        guide.chapter("Authorization")
        await guide.step(
            "Digest, with the strongest algorithm that the server offers",
            "vault.authorizers.append(.digest(user: \"ada\", password: password))\ntry await vault.get().attempts"
        ) {
            let vault = site["vault"]
            vault.authorizers = .replacing([.digest(user: "ada", password: "lovelace")])
            let (first, second) = (try await vault.get(), try await vault.get())
            let reasons = first.attempts.map(\.reason)
            try promise(first.text == "gold" && reasons == [.call, .challenge], "\(first.attempts)")
            try promise(second.attempts.count == 1, "\(second.attempts)")
            return first.attempts.map(\.description).joined(separator: "\n") + "\nagain: \(second)"
        }
        await guide.step(
            "The user is asked once for all waiting requests",
            "vault.authorizers.append(.prompting { question in await askUser(question) })"
        ) {
            let questions = Mutex<[CredentialQuestion]>([])
            let vault = site["vault"].with { settings in
                settings.authorizers = .replacing([
                    .prompting { question in
                        questions.withLock { $0.append(question) }
                        // The first answer is wrong.
                        return Credentials(user: "ada", password: question.attempt > 1 ? "lovelace" : "byron")
                    }
                ])
            }
            async let (one, two, three) = (vault.get(), vault.get(), vault.get())
            let good = try await [one, two, three].count(where: \.isSuccessful)
            let asked = questions.withLock(\.self)
            try promise(good == 3 && asked.map(\.attempt) == [1, 2], "\(good) \(asked)")
            return asked.map { "attempt \($0.attempt): \($0.scheme) for \($0.realm ?? "")" }.joined(separator: "\n")
        }
        await visitSession(&guide)
        await guide.step(
            "A challenge without an answer goes to the caller",
            "vault.authorizers = .replacing([.digest(user: \"ada\", password: \"wrong\")])"
        ) {
            let response = try await site["vault"].with {
                $0.authorizers = .replacing([.digest(user: "ada", password: "byron")])
            }.get()
            try promise(response.status == .unauthorized && response.attempts.count == 2, "\(response.attempts)")
            return "\(response)"
        }
    }

    private func visitSession(_ guide: inout TourGuide) async {
        await guide.step(
            "Your own authorizer: a session that a form opens",
            "Authorizing.session(site: site, credentials: credentials)\ntry await site[\"session/me\"].get(as: String.self)"
        ) {
            let members = site["session"]
            members.authorizers = .replacing([])
            Authorizing.session(
                site: members,
                login: site["session/login"],
                credentials: .init(user: "ada", password: "lovelace")
            )
            let names = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<5 { group.addTask { try await members["me"].get(as: String.self) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            try promise(names == [String](repeating: "Ada", count: 5), "\(names)")
            return names.joined(separator: ", ")
        }
    }
}
