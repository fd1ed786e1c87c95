// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// Options for how the request travels.
struct ConnectionOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("Silence allowed, while connecting too (60; 0 is no limit).", valueName: "seconds")
    )
    var timeout: Double?

    @Option(name: .long, help: ArgumentHelp("Redirects that are followed (20).", valueName: "n"))
    var maxRedirects: Int?

    @Flag(name: .long, help: "Follow no redirect.")
    var noFollow = false

    @Option(name: .long, help: ArgumentHelp("Check certificates: yes, no, or by a CA file.", valueName: "yes|no|file"))
    var verify: String?

    @Option(name: .long, help: ArgumentHelp("Version of HTTP: 1.1, 2, or the best of both.", valueName: "1.1|2|auto"))
    var httpVersion: String?
}
