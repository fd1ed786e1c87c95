// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusCatalogs
import SeedNetworks

/// CocoaREST's README: a manager for one network, with its tasks.
enum CocoaRESTReadme {
    @MainActor final class Controller {
        var results: [JSON] = []
        var error: (any Error)?

        func awakeFromNib(_ url: String) -> RunningCall<[JSON]> {
            // Original: "Sample Code"; 27 lines
            let twitter = Twitter(at: url)
            // this is a must for certain API calls which require authentication
            // change them to real login values or the tasks will fail
            twitter.service.setRules { $0.credentials = .init(user: "USERNAME", password: "PASSWORD") }
            // 3 tasks can be run simultaneously
            twitter.service.setRules { $0.maxConcurrentRequests = 3 }
            // create a basic task
            let timeline: EndpointArguments = ["count": 3, "page": 10]
            let task = twitter.service.call("GetPersonalTimeline", timeline, as: [JSON].self)
            return task.start { [self] result in
                switch result {
                case .success(let results): self.results = results
                case .failure(let error): self.error = error
                }
            }
            // End
        }
    }
}
