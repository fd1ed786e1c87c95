// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// Options for data that is kept between requests.
struct SessionOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("Send cookies from a file, and save those that responses set.", valueName: "file")
    )
    var cookies: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Keep responses in a folder, and use them as long as HTTP allows.", valueName: "folder|off")
    )
    var cache: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Record all exchanges in a HAR file, without secrets.", valueName: "file")
    )
    var har: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Remember cookies, headers and credentials for this origin.", valueName: "name|file")
    )
    var session: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Use a session without changing it.", valueName: "name|file")
    )
    var sessionReadOnly: String?

    @Option(name: .long, help: ArgumentHelp("Use this profile of the configuration.", valueName: "name"))
    var profile: String?

    @Flag(name: .long, help: "Read no configuration files.")
    var noConfig = false

    /// The options of a command line that has none; each has to be listed here, or reading it is an error.
    static func none() -> SessionOptions {
        var options = SessionOptions()
        options.cookies = nil
        options.cache = nil
        options.har = nil
        options.session = nil
        options.sessionReadOnly = nil
        options.profile = nil
        options.noConfig = false
        return options
    }
}

extension SessionOptions {
    mutating func takeFlag(_ name: String) -> Bool {
        switch name {
        case "--no-config": noConfig = true
        default: return false
        }
        return true
    }

    mutating func takeOption(_ name: String, _ value: String) -> Bool {
        switch name {
        case "--cookies": cookies.take(value)
        case "--cache": cache.take(value)
        case "--har": har.take(value)
        case "--session": session.take(value)
        case "--session-read-only": sessionReadOnly.take(value)
        case "--profile": profile.take(value)
        default: false
        }
    }
}
