// SPDX-License-Identifier: Apache-2.0

extension HelpTexts {
    static let cache = [
        HelpSection(
            title: "",
            paragraphs: ["cumulus cache lists, shows and removes the responses that --cache keeps."]
        ),
        HelpSection(
            title: "USAGE",
            rows: [
                ("cumulus cache list [URL]", "the responses, or those whose URLs begin so"),
                ("cumulus cache show URL", "their heads, and whether they would be used now"),
                ("cumulus cache clear [URL]", "removes those of a URL, or all"),
            ],
            nameWidth: 25
        ),
        HelpSection(
            title: "FOLDER",
            paragraphs: [
                "--cache names the folder; without it, it is $XDG_CACHE_HOME/cumulus or ~/.cache/cumulus.",
                "The values of queries are not shown, since they are not kept. FOR is a code for whose response it is: "
                    + "those of one URL with different codes are for different users or, for a QUERY, for different bodies. "
                    + "NOW says whether the server would be asked.",
            ]
        ),
    ]

    static let config = [
        HelpSection(title: "", paragraphs: ["cumulus config shows what the configuration files set."]),
        HelpSection(
            title: "USAGE",
            rows: [
                ("cumulus config show [URL]", "the settings for a URL, or for all"),
                ("cumulus config path", "where your file is"),
            ]
        ),
        HelpSection(
            title: "FILES",
            paragraphs: [
                "$XDG_CONFIG_HOME/cumulus/config.toml, else ~/.config/cumulus/config.toml, is TOML. Options have their "
                    + "long names. The command line counts before a profile, a profile before a host's block, and that "
                    + "before defaults.",
                "connections, parallel and remote-time apply to downloads; limit-rate, minimum-rate and rate to "
                    + "downloads and uploads.",
                "The file .cumulus.toml of the folder you are in is read once you have trusted it with cumulus trust, and "
                    + "counts before yours.",
                "A host's verify, pin, cert, tls-min, resolve, unix-socket, ipv4 and ipv6 apply to each connection to that "
                    + "host, and to no other: of any URL, redirect or token endpoint. Its other options apply to calls of "
                    + "URLs at that host. What the command line, a profile or defaults say applies to the whole run.",
            ],
            rows: [
                ("[defaults]", "options for every request: timeout = 10, style = \"dark\""),
                ("[profiles.work]", "options for --profile work: base = \"https://api.example.com\""),
                ("[hosts.\"*.example.com\"]", "options for hosts, * matches any characters: auth = \"env:TOKEN\""),
                ("headers = { X-Client = \"a\" }", "header fields, in any of these blocks"),
            ]
        ),
        HelpSection(
            title: "NAMES",
            paragraphs: [ConfigurationKey.names.joined(separator: ", ") + "."]
        ),
    ]

    static let trust = [
        HelpSection(
            title: "",
            paragraphs: ["cumulus trust lets the file .cumulus.toml of this folder count as configuration."]
        ),
        HelpSection(title: "USAGE", rows: [("cumulus trust [--yes] [--remove]", "")]),
        HelpSection(
            title: "TRUST",
            paragraphs: [
                "The file is shown first. It is trusted in this folder, as it is now: once it changes, it is not read "
                    + "until you trust it again.",
                "A summary says where requests go, and which of your variables and of the folder's files are sent where. "
                    + "@FILE reaches regular files of the folder only, without symbolic links.",
            ]
        ),
    ]

    static let completions = [
        HelpSection(
            title: "",
            paragraphs: ["cumulus completions prints a shell's completion script, or the manual's page."]
        ),
        HelpSection(
            title: "USAGE",
            rows: [
                ("cumulus completions bash", "source <(cumulus completions bash) in ~/.bashrc"),
                ("cumulus completions zsh", "source <(cumulus completions zsh) in ~/.zshrc, behind compinit"),
                ("cumulus completions fish", "cumulus completions fish | source in config.fish"),
                ("cumulus completions man", "cumulus completions man > cumulus.1"),
            ]
        ),
    ]
}
