// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// Suggestions for an unknown option, or one without its value.
enum OptionHint {
    /// The hint for an option as an error quotes it, `-X` or `--proxy <url>`, in a command, which may have it.
    static func of(_ option: String, in command: String, hasIt: Bool) -> String? {
        let name = option.utf8.prefix { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "=") }.text
        if hasIt { return values[name] }
        if command != "cumulus", let hint = inCommands[name] { return hint }
        if command.ends(with: " events"), let hint = inEvents[name] { return hint }
        if command.ends(with: " upload"), let hint = inUploads[name] { return hint }
        return values[name] ?? elsewhere[name]
    }

    /// Options of curl, HTTPie and wget that users try.
    private static let elsewhere = [
        "-X": "the method comes first: cumulus PUT URL",
        "-H": "a header is an item: Name:value",
        "-d": "data are items, name=text; a whole body is @FILE, --raw TEXT or standard input",
        "--data": "data are items, name=text; a whole body is @FILE, --raw TEXT or standard input",
        "-u": "credentials are -a USER:PASSWORD",
        "-k": "write --verify=no, for a test server of your own only",
        "-L": "redirects are followed unless --no-follow is given",
        "-F": "a form is -f name=text name@FILE; redirects are followed unless --no-follow is given",
        "--follow": "redirects are followed unless --no-follow is given",
        "--check-status": "the exit code always shows the status; see --explain-exit 4",
        "-i": "write -p hb for headers and body",
        "-I": "write cumulus head URL",
        "-s": "write -q",
        "--download": "write cumulus download URL",
        "-c": "write cumulus download -c URL",
        "--continue": "write cumulus download -c URL",
        "-O": "write cumulus download URL",
        "--upload-file": "write cumulus upload FILE URL",
        "-T": "write cumulus upload FILE URL",
        "--max-redirs": "write --max-redirects N",
        "--insecure": "write --verify=no, for a test server of your own only",
        "--user": "credentials are -a USER:PASSWORD",
        "--header": "a header is an item: Name:value",
        "--request": "the method comes first: cumulus PUT URL",
        "-b": "write --cookies FILE",
        "--http2": "write --http-version 2",
        "-N": "output is never buffered; cumulus events URL prints server-sent events",
        "--no-buffer": "output is never buffered; cumulus events URL prints server-sent events",
        "--stream": "responses are always printed as they arrive",
    ]

    private static let inCommands = [
        "-h": "-h is help here, as a word of its own",
        "-b": "cumulus URL prints a body",
        "-v": "--explain prints each attempt",
    ]

    private static let inEvents = [
        "-o": "write > FILE",
        "--output": "write > FILE",
        "-X": "the method comes first: cumulus events post URL",
        "--request": "the method comes first: cumulus events post URL",
        "--method": "the method comes first: cumulus events post URL",
    ]

    private static let inUploads = [
        "-X": "write --method POST",
        "--request": "write --method POST",
        "-d": "write cumulus URL name=text, or cumulus URL @FILE",
    ]

    /// Example values.
    private static let values = [
        "--proxy": "--proxy http://proxy.example:8080, or --proxy= for none",
        "--session": "--session work keeps a session of that name, --session ./work.json in a file",
        "--session-read-only": "--session-read-only work",
        "--timeout": "--timeout 10; 0 means no limit",
        "--max-time": "--max-time 60; 0 means no limit",
        "--cache": "--cache ~/.cache/cumulus",
        "--cookies": "--cookies cookies.txt",
        "--har": "--har session.har",
        "--verify": "--verify=yes|no|FILE",
        "--cert": "--cert client.pem",
        "--auth": "-a USER:PASSWORD, or -A bearer -a TOKEN",
        "-a": "-a USER:PASSWORD, or -A bearer -a TOKEN",
        "--auth-type": "-A bearer -a TOKEN",
        "-A": "-A bearer -a TOKEN",
        "--output": "-o FILE",
        "-o": "-o FILE",
        "--print": "-p hb prints the response's headers and body; --print= prints nothing",
        "--resolve": "--resolve api.example.com:127.0.0.1",
        "--unix-socket": "--unix-socket /run/docker.sock",
        "--raw": "--raw TEXT; a file is @FILE; --raw=-4 for text that begins with a dash",
        "--base": "--base https://api.example.com/v1",
        "--pretty": "--pretty all, colors, format or none",
        "--checksum": "--checksum sha256:9f86d0...",
        "--limit-rate": "--limit-rate 500k",
    ]
}
