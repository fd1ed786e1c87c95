// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusCatalogs
import SeedNetworks

func callsAManager(password: Secret<String>) async throws {
    var twitter = Twitter(at: "https://social.example")
    twitter.service.authorize(user: "ada", password: password)
    twitter.service.setRules {
        $0.maxConcurrentRequests = 3
        $0.client = ClientIdentity(name: "Notes", version: "2.1", contact: "https://notes.example")
    }
    _ = twitter.service.quota?.limit
    _ = twitter.service.quota?.remaining
    _ = twitter.service.quota?.reset
    twitter.service.cancelAll()
}

func callsATask(twitter: Twitter) async throws {
    var task = twitter.service.call("GetPersonalTimeline", ["count": 3, "page": 10], as: [Twitter.Status].self)
    task.query["count"] = 3
    _ = try await task.send()
    task.start { result in print(result) }
    _ = try await twitter.personalTimeline(count: 3)
    let statuses: [Twitter.Status] = try await task.send()
    print(statuses.count)
    task.query["page"] = 11
    task.start().cancel()
    print(task.start().id)
}

func callsWithoutACatalog(url: String) async throws {
    let api = Resource(url) {
        $0.credentials = Credentials(user: "ada", password: "...")
        $0.maxConcurrentRequests = 3
    }
    _ = try await api["statuses/home_timeline.json"].get(as: [JSON].self, query: ["count": 3, "page": 10])
}
