// SPDX-License-Identifier: Apache-2.0

/// The texts of help pages.
enum HelpTexts {
    /// The page of `cumulus --help`.
    static let overview = [
        HelpSection(
            title: "USAGE",
            rows: [
                ("cumulus [METHOD] URL [URL ...] [ITEM ...] [options]", ""), ("cumulus COMMAND [options]", ""),
            ]
        ),
        HelpSection(
            title: "COMMON OPTIONS",
            rows: OptionTable.rows.filter { $0.roles.contains(.common) }.map { HelpPage.row($0, in: .request) }
        ),
        HelpSection(
            title: "COMMANDS",
            rows: [
                ("download, upload", "save or send a file; resume a transfer"),
                ("events", "print server-sent events as they arrive"),
                ("call, services", "call an endpoint by its name; import services"),
                ("edit, curl", "change a document in your editor; send a copied curl command"),
                ("login, logout", "sign in with OAuth 2, or sign out"),
                ("sessions, cache", "list, show and remove sessions or stored responses"),
                ("config, trust", "configuration files"),
                ("completions", "print a shell's completion script, or the manual"),
            ]
        ),
        HelpSection(title: "EXAMPLES", rows: examples.rows.prefix(5).map { ($0.name, "") }),
        HelpSection(
            title: "HELP",
            rows: [
                ("cumulus help request", "items and all options of a request"),
                (
                    "cumulus help TOPIC",
                    "\(HelpTopic.subjects.map(\.name).joined(separator: ", ")), or a command"
                ),
            ]
        ),
    ]

    static let request = [
        HelpSection(title: "", paragraphs: ["cumulus sends an HTTP request and prints the response."]),
        HelpSection(
            title: "USAGE",
            rows: [
                ("cumulus [METHOD] URL [URL ...] [ITEM ...] [options]", ""),
                ("cumulus download URL", "saves files, and resumes interrupted downloads"),
                ("cumulus upload FILE URL", "sends a file of any size"),
                ("cumulus events URL", "prints server-sent events as they arrive"),
                ("cumulus call SERVICE ENDPOINT", "calls an endpoint by its name"),
                ("cumulus services", "lists, shows and adds services"),
                ("cumulus edit URL", "opens a document in your editor, and writes your changes"),
                ("cumulus curl 'curl ...'", "sends a curl command copied from a browser"),
                ("cumulus login|logout URL", "signs in with OAuth 2, or signs out"),
                ("cumulus sessions list", "shows the sessions that --session has stored"),
                ("cumulus cache list", "shows the responses that --cache has stored"),
                ("cumulus config show", "shows the settings of the configuration files"),
                ("cumulus help TOPIC", "explains one subject, such as auth, files, output or paging"),
            ]
        ),
        HelpSection(
            title: "METHOD AND URL",
            paragraphs: [
                "METHOD is GET, or POST if there is data. Write other methods in capitals.",
                "URL defaults to https://; :3000/path and localhost default to http://. Several URLs receive the "
                    + "same request, one after the other.",
                "cumulus post URL < FILE sends the file. Without a method that takes a body, standard input is not sent, "
                    + "and a warning says so.",
            ]
        ),
        items,
    ]

    static let items = HelpSection(
        title: "ITEMS",
        rows: [
            ("name=text", "data: a member of a JSON object, or a form field with -f"),
            ("name:=json", "data that is JSON: age:=36 tags:='[\"a\",\"b\"]'"),
            ("name==text", "a query item"),
            ("Name:text", "a header; Name: omits it, Name; sends it empty"),
            ("=@FILE :=@FILE ==@FILE :@FILE", "the same, with the value from a file"),
            ("name@FILE", "a file in a form, with -f: photo@cat.png;type=image/png"),
            ("name=text;type=TYPE", "with --multipart, a part of this type; name:=JSON makes a JSON part"),
            ("a[b][0][]=x", "nested data"),
            ("@FILE", "the whole body from a file; anywhere, - is piped input"),
            ("\\", "a backslash before a separator makes it literal"),
        ],
        nameWidth: 14
    )

    static let download = [
        HelpSection(
            title: "",
            paragraphs: ["cumulus download saves files, and resumes earlier downloads."]
        ),
        HelpSection(
            title: "USAGE",
            rows: [
                ("cumulus download URL [URL ...] [ITEM ...] [options]", ""),
                ("cumulus download -i LIST [ITEM ...] [options]", ""),
            ]
        ),
        HelpSection(
            title: "FILES",
            paragraphs: [
                "Bytes go to a hidden file, .NAME.DIGITS.part. The file is renamed once it is complete and verified. "
                    + "The name is the server's (Content-Disposition) or the last part of the URL, with the media type's "
                    + "extension if it has none; -o names a file, or a folder for it, which is created if its name "
                    + "ends with a slash.",
                "If a file of this name exists, the new one is numbered: data-1.tar. With -o FILE, an existing file is "
                    + "an error. --overwrite replaces it, and -c continues it. With -c, a file of the same "
                    + "length is kept if its digest matches (--checksum, or the server's), and downloaded again if it "
                    + "doesn't. Without a digest, it is kept, and a message says so, even with -q. A shorter file is "
                    + "continued if a digest will verify it, and otherwise downloaded again. A longer file, or one that "
                    + "is older than the server's, is an error. --trust-part continues a shorter file that another "
                    + "program has begun, if its last 64 KiB match the server's. Otherwise the file is left unchanged, "
                    + "and the command fails.",
                "After Ctrl-C, the received bytes are kept, and the command that resumes the download is printed.",
                "ITEMS are headers (Name:text) and query items (name==text).",
            ]
        ),
    ]

    static let upload = [
        HelpSection(title: "", paragraphs: ["cumulus upload sends a file of any size and prints the response."]),
        HelpSection(title: "USAGE", rows: [("cumulus upload FILE URL [ITEM ...] [options]", "")]),
        HelpSection(
            title: "FILE",
            paragraphs: [
                "The file is read while it is sent. Its type comes from its extension, unless Content-Type:text names "
                    + "one. FILE is - for standard input, which is sent chunked. A file that changes size while it "
                    + "is sent is an error.",
                "ITEMS are headers (Name:text) and query items (name==text). A form with files is sent by "
                    + "cumulus -f URL name=text name@FILE.",
            ]
        ),
        HelpSection(
            title: "PIECES",
            paragraphs: [
                "--tus sends a file in pieces to a tus 1.0 server. With a URL s3://BUCKET/KEY, the file goes to a store; "
                    + "the keys come from the environment or AWS_PROFILE. With -c, bytes that the server already has are "
                    + "not sent again, unless the file has changed. At the end, the upload's URL is printed, even with "
                    + "-q."
            ]
        ),
    ]

    static let events = [
        HelpSection(title: "", paragraphs: ["cumulus events prints server-sent events as they arrive."]),
        HelpSection(title: "USAGE", rows: [("cumulus events [METHOD] URL [ITEM ...] [options]", "")]),
        HelpSection(
            title: "EVENTS",
            paragraphs: [
                "The data of each event is printed on one line; with --meta, it is a JSON object with the type and ID. "
                    + "Multi-line data is printed on several lines, unless it is JSON. --filter prints the "
                    + "values at a path, strings without quotes; --join prints them one after another.",
                "After a GET, cumulus reconnects when the connection ends, and continues after the last event ID. "
                    + "Each reconnection is reported on standard error. The stream ends at --until, with 204, with a "
                    + "permanent error, after --max-time, or with Ctrl-C (exit code 130).",
                "--timeout is the limit for the head of each response.",
            ],
            rows: [
                ("--reconnect auto", "reconnect after a GET"),
                ("--reconnect get", "reconnect with GET; after a POST, only once an event with an ID has arrived"),
                ("--reconnect always", "send a POST again, with its body"),
                ("--reconnect never", "end with the response"),
            ]
        ),
    ]

    static let edit = [
        HelpSection(
            title: "",
            paragraphs: ["cumulus edit opens a document in your editor, and writes your changes."]
        ),
        HelpSection(title: "USAGE", rows: [("cumulus edit URL [ITEM ...] [options]", "")]),
        HelpSection(
            title: "DOCUMENT",
            paragraphs: [
                "The editor is $VISUAL, else $EDITOR, else vi. JSON is formatted; numbers and the order of "
                    + "members are preserved.",
                "You see and confirm the difference before it is written. The document is written only if no one else "
                    + "has changed it in the meantime (If-Match), so the server must send a strong entity tag.",
                "ITEMS are headers (Name:text) and query items (name==text).",
            ]
        ),
    ]

    static let login = [
        HelpSection(
            title: "",
            paragraphs: ["cumulus login signs in with OAuth 2; later requests to the URL's origin send the token."]
        ),
        HelpSection(
            title: "USAGE",
            rows: [
                ("cumulus login URL --issuer URL --client ID [options]", ""),
                ("cumulus login URL --tokens URL --client ID [options]", ""),
                ("cumulus logout URL", ""),
            ]
        ),
        HelpSection(
            title: "GRANTS",
            paragraphs: [
                "Tokens and logins are stored in files that only you can read, below $XDG_STATE_HOME/cumulus or "
                    + "~/.local/state/cumulus. Tokens are renewed when needed. -a and an Authorization item replace a "
                    + "login. The command waits up to 10 seconds for a renewal to finish."
            ],
            rows: [
                ("code", "you sign in with a browser on this machine; the URL to open is printed"),
                ("device", "you sign in with a browser anywhere, and type a code there"),
                ("client", "the program itself signs in, with --secret"),
            ]
        ),
    ]

    static let logout = [
        HelpSection(
            title: "",
            paragraphs: ["cumulus logout removes the login for a URL's origin, and revokes its tokens at the server."]
        ),
        HelpSection(title: "USAGE", rows: [("cumulus logout URL", "")]),
    ]
}
