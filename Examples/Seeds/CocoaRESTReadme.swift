// SPDX-License-Identifier: Apache-2.0

import Cumulus

/// CocoaREST's README: a manager with its tasks.
///
/// Its managers for one network each wait for services (issue 18); a tree does the same work.
enum CocoaRESTReadme {
    @MainActor final class Controller {
        var results: [JSON] = []
        var error: (any Error)?

        func awakeFromNib(_ url: String) -> RequestHandle<[JSON]> {
            // Original: "Sample Code"; 31 lines
            let twitter = Resource(url)
            // this is a must for certain API calls which require authentication
            // change them to real login values or the tasks will fail
            twitter.credentials = .init(user: "USERNAME", password: "PASSWORD")
            // 3 tasks can be run simultaneously
            twitter.maxConcurrentRequests = 3
            // create a basic task
            let mentions = twitter["statuses/home_timeline.json"]
            return mentions.prepare(.get, as: [JSON].self, query: ["count": 3, "page": 10]).start { [self] result in
                switch result {
                case .success(let results): self.results = results
                case .failure(let error): self.error = error
                }
            }
            // End
        }
    }
}
