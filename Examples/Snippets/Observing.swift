// SPDX-License-Identifier: Apache-2.0

import Cumulus
import Foundation
import Observation

nonisolated struct Article: Codable, Sendable {
    var title: String
}

@MainActor func inAView(site: Resource) async {
    // snippet.observe
    let articles = site["articles"].observe(as: [Article].self)  // loads
    // snippet.end
    // snippet.refresh
    await articles.refresh(ifOlderThan: .seconds(60))  // when a screen appears
    await articles.refresh()  // when the user pulls
    // snippet.end
}

/// A button that sends a picture, and then the state of that.
@MainActor @Observable final class PictureSender {
    private let site: Resource

    init(site: Resource) { self.site = site }

    // snippet.call
    private(set) var upload: ObservedCall<SavedPicture>?

    func send(_ picture: URL) {
        upload = site["photos"].call(.post, .file(picture), as: SavedPicture.self).observe()  // sends
    }
    // snippet.end
}

func inATask(site: Resource, show: ([Article], String?) -> Void) async {
    // snippet.updates
    for await state in site["articles"].updates(as: [Article].self) {
        show(state.value ?? [], state.error.map { "\($0)" })
    }
    // snippet.end
}

func writing(site: Resource, article: Article) async throws {
    // snippet.invalidate
    try await site["articles/7"].put(body: article).requireSuccess()
    site["articles"].invalidate()  // the list, its pages, and everything below it
    // snippet.end
}

enum ObservingSamples {
    static func updates(site: Resource, show: ([Article]) -> Void) async {
        // snippet.updates-docstring
        for await state in site["posts"].updates(as: [Article].self) {
            show(state.value ?? [])
        }
        // snippet.end
    }

    @MainActor static func observe(site: Resource) {
        // snippet.observe-docstring
        let posts = site["posts"].observe(as: [Article].self)
        // snippet.end
        _ = posts
    }

    @MainActor static func call(site: Resource, picture: URL) {
        // snippet.call-docstring
        let upload = site["photos"].call(.post, .file(picture), as: SavedPicture.self).observe()
        // snippet.end
        _ = upload
    }
}
