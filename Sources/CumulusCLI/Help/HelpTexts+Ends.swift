// SPDX-License-Identifier: Apache-2.0

extension HelpTexts {
    static let examples = HelpSection(
        title: "EXAMPLES",
        rows: [
            ("cumulus example.com", "get a page"),
            ("cumulus :3000/users name=Ada age:=36", "post JSON to this machine"),
            ("cumulus put api.example.com/users/1 @user.json", "send a file as the body"),
            ("cumulus -f :3000/photos title=Cat photo@cat.png", "post a form with a file"),
            ("cumulus api.example.com/search q=='two words' Accept:text/csv", "send a query item and a header"),
            ("cumulus -A bearer -a env:TOKEN api.example.com/me", "send a token from the environment"),
            ("cumulus -v api.example.com/me", "also show the request and redirects"),
            ("cumulus --curl :3000/users name=Ada", "print the same request for curl"),
            ("cumulus api.example.com/users --filter '.[0].name'", "print one value of a JSON response"),
        ],
        nameWidth: 20
    )

    static let downloadExamples = HelpSection(
        title: "EXAMPLES",
        rows: [
            ("cumulus download https://example.com/data.tar.gz", "save data.tar.gz in this folder"),
            ("cumulus download -c https://example.com/data.tar.gz", "resume an interrupted download"),
            ("cumulus download -o /tmp/ https://a.example/x https://b.example/y", "save two files in a folder"),
            ("cumulus download -i urls.txt --parallel 8", "download the URLs in a list, eight at a time"),
        ],
        nameWidth: 20
    )

    static let uploadExamples = HelpSection(
        title: "EXAMPLES",
        rows: [
            ("cumulus upload report.pdf https://example.com/files/report.pdf", "send a file with PUT"),
            ("tar c src | cumulus upload - https://example.com/src.tar", "send piped input"),
            ("cumulus upload -c film.mov s3://films/film.mov", "send to S3, or resume an interrupted upload"),
        ],
        nameWidth: 20
    )

    static let eventsExamples = HelpSection(
        title: "EXAMPLES",
        rows: [
            ("cumulus events api.example.com/feed", "follow a feed"),
            ("cumulus events --meta --event update --last-event-id 41 :3000/feed", "print updates after event 41"),
            ("cumulus events :8080/chat q=Hello --filter .text --join --until '[DONE]'", "print a reply as it arrives"),
            ("cumulus events put :8080/watch", "use a method other than GET or POST"),
        ],
        nameWidth: 20
    )

    static let editExamples = HelpSection(
        title: "EXAMPLES",
        rows: [
            ("cumulus edit https://api.example.com/posts/1", "change a post, after you confirm the difference"),
            ("cumulus edit -y --by merge-patch :3000/posts/1", "send only the difference, without asking"),
        ],
        nameWidth: 20
    )

    static let loginExamples = HelpSection(
        title: "EXAMPLES",
        rows: [
            ("cumulus login https://api.example.com --issuer https://id.example.com --client atlas", "sign in"),
            ("cumulus https://api.example.com/posts", "send the token"),
        ],
        nameWidth: 20
    )

    static let exitCodes = HelpSection(
        title: "EXIT CODES",
        rows: CommandStatus.allCases.map { ("\($0.rawValue)", $0.meaning) }
    )

    static let environment = HelpSection(
        title: "ENVIRONMENT",
        rows: [
            ("CUMULUS_BASE", "the base URL for paths, as with --base"),
            ("NO_COLOR", "disables colors, unless empty"),
            ("CLICOLOR_FORCE", "enables colors even in a pipe, unless empty or 0"),
            ("CLICOLOR", "0 disables colors on a terminal"),
            ("COLUMNS", "the width of help without a terminal (80)"),
            ("http_proxy, https_proxy, all_proxy, no_proxy", "proxies, and hosts that don't need one"),
            ("SSL_CERT_FILE, SSL_CERT_DIR", "certificate authorities in place of the system's"),
            ("CUMULUS_PAGER, PAGER", "the pager on a terminal (less); empty for none"),
            ("VISUAL, EDITOR", "the editor of cumulus edit (vi)"),
            ("NETRC", "the netrc file (~/.netrc)"),
            ("AWS_...", "keys, region, profile and credentials file for -A aws4, under AWS's own names"),
            ("XDG_CONFIG_HOME", "where cumulus/config.toml is (~/.config)"),
            ("XDG_CACHE_HOME", "where cumulus cache looks without --cache (~/.cache)"),
            ("XDG_STATE_HOME", "where sessions and logins are stored (~/.local/state)"),
        ],
        nameWidth: 18
    )
}
