// SPDX-License-Identifier: Apache-2.0

/// The texts of subjects; what their options do is in the table of options.
extension HelpTexts {
    static let headers = HelpSection(
        title: "HEADERS",
        paragraphs: ["A header is an item after the URL. Names are sent as you write them."],
        rows: [
            ("Name:text", "sends the header: Accept:text/csv"),
            ("Name:", "omits a header that is sent automatically: User-Agent:"),
            ("'Name;'", "sends it empty"),
            ("Name:@FILE", "takes its value from a file"),
        ],
        nameWidth: 12
    )

    static let json = HelpSection(
        title: "JSON",
        paragraphs: [
            "Data items form a JSON object, which is sent with POST unless you name another method. A response is "
                + "formatted on a terminal; numbers and the order of members are preserved."
        ],
        rows: [
            ("name=text", "a string"),
            ("name:=json", "any JSON: age:=36 tags:='[\"a\",\"b\"]' ok:=true"),
            ("a[b][c]=x", "an object in an object; a[]=x adds to a list, []=x makes the body a list"),
            ("name=@FILE name:=@FILE", "a string or JSON from a file"),
            ("@FILE", "the whole body from a file"),
        ],
        nameWidth: 14
    )

    static let forms = HelpSection(
        title: "FORMS",
        paragraphs: ["With -f, data items are the fields of a form. With a file, the form is multipart."],
        rows: [
            ("-f URL name=text", "a form: name=text&..."),
            ("-f URL name@FILE", "a multipart form with a file: photo@cat.png"),
            ("name@FILE;type=TYPE", "the type of a file; ;filename=NAME is its name"),
            ("--multipart name=text", "a multipart form without files"),
        ]
    )

    static let files = HelpSection(
        title: "FILES AND PIPES",
        paragraphs: [
            "A body from standard input needs a method, or the item @-: cumulus post URL < FILE. Otherwise standard "
                + "input is not sent, and a warning says so if the input belongs to this command alone."
        ],
        rows: [
            ("@FILE", "the body from a file, with the type of its extension; @FILE;type=TYPE sets it"),
            ("@-", "the body from standard input"),
            ("name=@FILE", "a value from a file"),
            ("-o FILE", "writes the response's body to a file"),
            ("cumulus download URL", "saves a file, and resumes an interrupted download"),
            ("cumulus upload FILE URL", "sends a file, and shows the progress"),
        ]
    )

    static let auth = HelpSection(
        title: "CREDENTIALS",
        rows: [
            ("-a USER:PASSWORD", "Basic; without a password, cumulus prompts for it"),
            ("-A digest -a USER", "Digest"),
            ("-A bearer -a TOKEN", "a bearer token"),
            ("-A apikey -a Name:KEY", "a key in a header; name==KEY in the query; KEY alone in X-API-Key"),
            ("-A aws4:REGION:SERVICE", "AWS, with keys from the environment or -a ID:SECRET"),
            ("cumulus login URL", "OAuth 2: later requests send the token"),
            ("env:NAME, @FILE", "in place of a secret, takes it from a variable or a file"),
        ]
    )

    static let output = HelpSection(
        title: "OUTPUT",
        paragraphs: [
            "A terminal shows headers and the formatted body; a pipe receives the body unchanged, or the headers for HEAD.",
            "The names in -w '{name}' are \(ResultValue.allCases.map(\.rawValue).joined(separator: ", ")), and "
                + "{header:NAME} for a header of the response. Times are in seconds, sizes in bytes. {{ is a brace, and "
                + "\\n a line break.",
            "These curl names also work, as in %{http_code}: http_code, response_code, url_effective, "
                + "content_type, num_redirects, time_namelookup, time_starttransfer.",
        ]
    )

    static let filter = HelpSection(
        title: "PATHS",
        paragraphs: [
            "--filter prints the values at a path of a JSON response, one per line, and strings without quotes. JSON "
                + "lines and the data of events are filtered one by one as they arrive. For more, use cumulus URL | jq."
        ],
        rows: [
            (".name", "a member; .[\"any name\"] if its name has other characters"),
            (".items[0].name", "the first element of a list; [-1] is the last one"),
            (".items[].name", "the name of each element"),
            (".items[0:5]", "the first five elements; [-5:] are the last five"),
            (".items[] | {name, age}", "an object with these members; {city: .address.city} names one"),
            (".", "the whole response"),
        ],
        nameWidth: 16
    )

    static let paging = HelpSection(
        title: "PAGES",
        paragraphs: [
            "--pages all prints the items of all pages of a list, one JSON value per line; --as json makes one list. "
                + "Exit code 16 means that there may be more pages. The next page is found automatically where the "
                + "response names it; otherwise --paging takes a rule, with items=PATH for the list:"
        ],
        rows: [
            ("links", "the header Link, with rel=next (RFC 8288)"),
            ("link at=PATH", "the URL of the next page in the body: link at=next"),
            ("header field=NAME", "the URL of the next page in a header"),
            ("cursor at=PATH query=NAME", "a value for the next query: cursor at=meta.next query=after"),
            ("last at=PATH query=NAME", "the same from the last item: last at=id query=starting_after"),
            ("page query=NAME", "page numbers: page query=page first=1 last=meta.pages"),
            ("offset query=NAME", "the number of items read so far: offset query=from total=total"),
            ("hal, jsonAPI, odata", "the rules of these formats"),
        ],
        nameWidth: 26
    )

    static let sessions = [
        HelpSection(title: "", paragraphs: ["cumulus sessions lists, shows and removes sessions."]),
        HelpSection(
            title: "USAGE",
            rows: [
                ("cumulus sessions list", "lists your sessions, with their numbers of headers and cookies"),
                ("cumulus sessions show NAME [URL]", "shows a session without its secrets, for all origins or one"),
                ("cumulus sessions remove NAME [URL]", "removes a session"),
            ],
            nameWidth: 34
        ),
        session,
    ]

    static let session = HelpSection(
        title: "SESSIONS",
        paragraphs: [
            "--session NAME stores cookies, headers and credentials for an origin. Later requests with the same session "
                + "send them. cumulus sessions list shows yours."
        ]
    )

    static let cookies = HelpSection(
        title: "COOKIES",
        paragraphs: [
            "Without the options below, the cookies of a response are sent only with its redirects. The item "
                + "Cookie:NAME=VALUE sends one cookie."
        ]
    )

    static let proxy = HelpSection(
        title: "PROXIES",
        paragraphs: [
            "The variables http_proxy, https_proxy, all_proxy and no_proxy apply, unless --proxy names a proxy. A proxy "
                + "is http://HOST:PORT, https://, socks5:// (the proxy resolves names) or socks4a://."
        ]
    )

    static let tls = HelpSection(
        title: "TLS",
        paragraphs: [
            "Certificates are checked against the system's authorities, or those of SSL_CERT_FILE and SSL_CERT_DIR. "
                + "--verify FILE trusts your own authority; --verify=no trusts every server.",
            "Without --cert-pass, cumulus prompts for an encrypted key's passphrase. -m and -vv print the version, "
                + "the cipher suite and the server's certificate.",
        ]
    )

    static let retries = HelpSection(
        title: "RETRIES",
        paragraphs: [
            "A request is sent once, unless you use --retry. Temporary failures are retried: no connection, a "
                + "silence, 408, 425, 429, 500, 502, 503, 504. Retry-After is obeyed.",
            "POST and PATCH are retried only if nothing was sent or the server refused the request (429, or 503 with "
                + "Retry-After), unless you use --idempotency-key or --retry-unsafe.",
        ]
    )

    static let timeouts = HelpSection(
        title: "TIME LIMITS",
        paragraphs: ["Times are in seconds, or have a unit: 0.5, 500ms, 2m. 0 means no limit."]
    )

    static let curl = [
        HelpSection(
            title: "",
            paragraphs: ["cumulus curl sends the request of a curl command, such as one copied from a browser."]
        ),
        HelpSection(
            title: "USAGE",
            rows: [
                ("cumulus curl [--explain] 'curl URL ...'", "the copied command as one string"),
                ("cumulus curl [--explain] URL ...", "the words after curl"),
            ]
        ),
        HelpSection(
            title: "CURL",
            paragraphs: [
                "The string may contain both kinds of quotes, $'...' and lines that end with \\. No part of it is run. "
                    + "As in curl, redirects are followed only with -L. Options that would have no effect are refused.",
                "The options are \(CurlOption.allCases.filter { $0.refusal == nil }.map { $0.spellings[0] }.joined(separator: ", ")).",
                "--curl prints this program's request as a curl command. In other commands, curl and HTTPie options produce a hint:",
            ],
            rows: [
                ("curl -X PUT", "cumulus put URL"),
                ("curl -H 'Name: x'", "cumulus URL Name:x"),
                ("curl -d '{\"a\":1}'", "cumulus URL a:=1"),
                ("curl -d @FILE", "cumulus URL @FILE"),
                ("curl -F f=@FILE", "cumulus -f URL f@FILE"),
                ("curl -u USER:PW", "cumulus -a USER:PW URL"),
                ("curl -k", "cumulus --verify=no URL"),
                ("curl -i", "cumulus -p hb URL"),
                ("curl -I", "cumulus head URL"),
                ("curl -O", "cumulus download URL"),
                ("curl -T FILE", "cumulus upload FILE URL"),
            ]
        ),
    ]
}
