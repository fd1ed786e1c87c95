// SPDX-License-Identifier: Apache-2.0

import Cumulus

/// Chapter 7: a service's errors.
struct Refusals {
    let site: Resource

    func visit(_ guide: inout TourGuide) async {
        guide.chapter("Errors in bodies")
        await guide.step(
            "Problem details are a value",
            "error.problem"
        ) {
            let error = try await failure { try await site["credit"].get(as: Post.self) }
            let problem = error.problem
            try promise(problem?["balance"] == 30, "\(error)")
            return "\(problem?.title ?? ""): \(problem?.detail ?? "") (balance: \(problem?["balance"].int ?? 0))"
        }
        await guide.step(
            "A service's own error, sent with status 200",
            "site.errorDecoders = [.jsonMember(\"error\")]\ntry await site[\"login\"].post([\"user\": \"ada\"], as: Void.self)"
        ) {
            let login = site["login"]
            login.errorDecoders = [.jsonMember("error")]
            let error = try await failure { try await login.post(["user": "ada"], as: Void.self) }
            let said = error.serviceError()
            try promise(error.code == .service && said?.code == "wrong_password", "\(error)")
            return "\(error)\nthe service said: \(said?.description ?? "")"
        }
    }
}
