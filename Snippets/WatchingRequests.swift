// SPDX-License-Identifier: Apache-2.0

import Cumulus
import Logging

func logging(_ site: Resource) {
    // snippet.logger
    var logger = Logger(label: "com.example.atlas")
    logger.logLevel = .debug
    site.logger = logger
    let quiet = site["quiet"]
    quiet.logger = nil  // not what is asked through this object
    // snippet.end
}

func curl(_ site: Resource) async throws {
    // snippet.curl
    let command = try await site["posts"].curl(.post, .json(["title": "Clouds"]))
    print(command)  // nothing is sent; secrets are <redacted>

    let response = try await site["posts/1"].get()
    print(response.request.curl())
    // snippet.end
}
