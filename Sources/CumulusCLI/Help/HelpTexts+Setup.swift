// SPDX-License-Identifier: Apache-2.0

extension HelpTexts {
    static let cache = [
        HelpSection(
            title: "",
            paragraphs: ["cumulus cache lists, shows and removes the responses that --cache has stored."]
        ),
        HelpSection(
            title: "USAGE",
            rows: [
                ("cumulus cache list [URL]", "lists the responses, or those whose URLs begin with URL"),
                ("cumulus cache show URL", "shows the heads of responses, and whether they are fresh"),
                ("cumulus cache clear [URL]", "removes the responses for a URL, or all of them"),
            ],
            nameWidth: 25
        ),
        HelpSection(
            title: "FOLDER",
            paragraphs: [
                "--cache names the folder. The default is $XDG_CACHE_HOME/cumulus or ~/.cache/cumulus.",
                "Query values are neither stored nor shown. FOR is a code for the user of a response. If one URL has "
                    + "several codes, its responses belong to different users (or, with QUERY, to different bodies). "
                    + "NOW shows whether the next request would reach the server.",
            ]
        ),
    ]

    static let config = [
        HelpSection(title: "", paragraphs: ["cumulus config shows the settings of the configuration files."]),
        HelpSection(
            title: "USAGE",
            rows: [
                ("cumulus config show [URL]", "shows the settings for a URL, or for all"),
                ("cumulus config path", "shows the path of your configuration file"),
            ]
        ),
        HelpSection(
            title: "FILES",
            paragraphs: [
                "The file $XDG_CONFIG_HOME/cumulus/config.toml, or else ~/.config/cumulus/config.toml, is TOML. Options use their "
                    + "long names. The command line takes precedence over a profile, a profile over a host's block, and "
                    + "that over the defaults.",
                "\(settings { $0.commands == [.download] }) apply to downloads; "
                    + "\(settings { $0.commands == [.download, .upload] }) to downloads and uploads.",
                "On the command line, --no-NAME turns off a flag that a file sets, such as --no-sorted; --follow and "
                    + "--pager turn off no-follow and no-pager.",
                "The file .cumulus.toml in the current folder takes precedence over yours, once you have trusted it with "
                    + "cumulus trust.",
                "A host's \(settings { $0.roles.contains(.perHost) }) apply to each connection to that host, and to no "
                    + "other, whether for a URL, a redirect or a token endpoint. Its other options apply only to requests for "
                    + "URLs at that host. Options on the command line, in a profile or in the defaults apply to the whole run.",
            ],
            rows: [
                ("[defaults]", "options for every request: timeout = 10, style = \"dark\""),
                ("[profiles.work]", "options for --profile work: base = \"https://api.example.com\""),
                (
                    "[hosts.\"*.example.com\"]",
                    "options for hosts; * matches any characters: auth-type = \"bearer\", auth = \"env:TOKEN\""
                ),
                ("headers = { X-Client = \"a\" }", "header fields, in any of these blocks"),
            ]
        ),
        HelpSection(
            title: "NAMES",
            paragraphs: [ConfigurationKey.names.joined(separator: ", ") + "."]
        ),
    ]

    /// The names of some settings, for a sentence.
    private static func settings(_ isNamed: (OptionRow) -> Bool) -> String {
        UsageMistake.list(OptionTable.rows.filter { $0.isSetting && isNamed($0) }.map(\.name), joinedBy: "and")
    }

    static let trust = [
        HelpSection(
            title: "",
            paragraphs: ["cumulus trust marks the configuration file .cumulus.toml in this folder as trusted."]
        ),
        HelpSection(title: "USAGE", rows: [("cumulus trust [--yes] [--remove]", "")]),
        HelpSection(
            title: "TRUST",
            paragraphs: [
                "The file is shown first. Only its current content is trusted: if the file changes, it is ignored until "
                    + "you trust it again.",
                "A summary lists where requests go, and where your variables and the folder's files are sent. "
                    + "@FILE can name only regular files in the folder, not symbolic links.",
            ]
        ),
    ]

    static let completions = [
        HelpSection(
            title: "",
            paragraphs: ["cumulus completions prints a shell's completion script, or the manual page."]
        ),
        HelpSection(
            title: "USAGE",
            rows: [
                ("cumulus completions bash", "source <(cumulus completions bash) in ~/.bashrc"),
                ("cumulus completions zsh", "source <(cumulus completions zsh) in ~/.zshrc, after compinit"),
                ("cumulus completions fish", "cumulus completions fish | source in config.fish"),
                ("cumulus completions man", "cumulus completions man > cumulus.1"),
            ]
        ),
    ]
}
