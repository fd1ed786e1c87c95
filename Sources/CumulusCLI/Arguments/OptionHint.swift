// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// Suggestions for an unknown option, or one without its value.
enum OptionHint {
    /// The mistake for an option that a command doesn't have.
    ///
    /// The hint is that of a row that has this spelling of another program, the command that has the option, or a
    /// similar name.
    static func unknown(_ name: String, in command: Subcommand) -> UsageMistake {
        UsageMistake("unknown option \(quoted(name))", hint: hint(for: name, in: command))
    }

    /// An example of an option with its value.
    static func example(of option: OptionRow, spelled name: String) -> String {
        if let example = option.example { return example }
        if case .choice(let values) = option.kind { return "\(name) takes \(UsageMistake.list(values))" }
        return "\(name) \((option.valueName ?? "").uppercased())"
    }

    /// How to write a value that begins with a dash.
    static func joined(_ option: OptionRow) -> String {
        option.example ?? "for a value that begins with a dash, write --\(option.name)=-1"
    }

    private static func hint(for name: String, in command: Subcommand) -> String {
        let special = elsewhere.first { $0.commands?.contains(command) == true && $0.names.contains(name) }
        if let special { return special.hint }
        if isCurlCluster(name) {
            let instead =
                name.ends(with: "o")
                ? "; write -o FILE" : command == .download ? "" : "; cumulus download URL saves a file"
            return "omit this option: redirects are followed, errors are printed, and the exit code shows the status"
                + instead
        }
        let own = OptionTable.rows.first { $0.commands.contains(command) && $0.foreign[name] != nil }
        if let hint = own?.foreign[name] { return hint }
        if let row = OptionTable.rows.first(where: { $0.spellings.contains(name) }) {
            // A letter says little.
            let shown = name.begins(with: "--") ? name : "\(name) (--\(row.name))"
            return "\(shown) is for \(commands(of: row))"
        }
        if let hint = elsewhere.first(where: { $0.commands == nil && $0.names.contains(name) })?.hint { return hint }
        if let row = OptionTable.rows.first(where: { $0.foreign[name] != nil }), let hint = row.foreign[name] {
            // Its words are of no use here unless they name a command.
            return hint.has("cumulus ") ? hint : "\(hint); --\(row.name) is for \(commands(of: row))"
        }
        if name.begins(with: "--") {
            let names = OptionTable.rows.filter { $0.commands.contains(command) }.map(\.name)
            let similar = SimilarName.of(name.utf8.dropFirst(2).text, among: names)
            if let similar { return "did you mean --\(similar)?" }
            let longer = names.filter { name.begins(with: "--\($0)-") }.max { $0.utf8.count < $1.utf8.count }
            if let longer { return "did you mean --\(longer)?" }
        }
        let page = command == .request ? "cumulus help request" : "\(command.name) --help"
        return "\(page) lists the options"
    }

    /// Whether a spelling is one of curl's, HTTPie's, wget's or aria2's that no row has.
    static func isForeign(_ name: String) -> Bool {
        OptionTable.rows.contains { $0.foreign[name] != nil } || elsewhere.contains { $0.names.contains(name) }
            || isCurlCluster(name)
    }

    /// Whether a word is several of the letters that curl's users join: `-fsSL`, `-sSLO`, `-LJO`, `-sSLo FILE`.
    private static func isCurlCluster(_ name: String) -> Bool {
        var letters = name.utf8.dropFirst()
        // Other letters before -o may be this command's own.
        if letters.last == UInt8(ascii: "o"), letters.contains(UInt8(ascii: "L")) { letters = letters.dropLast() }
        guard name.begins(with: "-"), name.utf8.count > 2, letters.allSatisfy("fsSLOJ".utf8.contains) else {
            return false
        }
        // -ff is a flag twice, and -sS has a hint of its own.
        return !letters.allSatisfy("f".utf8.contains) && !letters.allSatisfy("sS".utf8.contains)
    }

    /// The commands that have an option: "cumulus download and cumulus upload".
    private static func commands(of row: OptionRow) -> String {
        UsageMistake.list(
            Subcommand.allCases.filter(row.commands.contains).map { $0 == .request ? "cumulus URL" : $0.name },
            joinedBy: "and"
        )
    }

    /// Options of curl, HTTPie, wget and aria2 that users try, and which no row has: in some commands, or in all.
    private static let elsewhere: [(names: [String], commands: Set<Subcommand>?, hint: String)] = [
        (["-o", "--output"], [.events], "write > FILE"),
        (["--as"], [.events], "--filter EXPRESSION selects values from each event's data; -m prints JSON objects"),
        (["--sha256", "--sha256sum", "--md5", "--md5sum"], [.download], "write --checksum sha256:HEX"),
        (["--output-document", "--out", "--outfile"], nil, "write -o FILE"),
        (["--bearer-token", "--access-token"], nil, "write -A bearer -a TOKEN"),
        (["--api-key", "--apikey"], nil, "write -A apikey -a KEY"),
        (["--passwd", "--http-password", "--password"], nil, "write -a USER:PASSWORD, or -a USER for a prompt"),
        (["-X", "--request", "--method"], [.events], "write the method first: cumulus events post URL"),
        (["-h"], [.events, .download, .edit], "-h shows help here, and must be a separate word"),
        (["-b", "--body"], [.download], "cumulus URL prints a body"),
        (["-d", "--data"], [.upload], "write cumulus URL name=text, or cumulus URL @FILE"),
        (
            ["-O", "--remote-name"], [.download],
            "the server's file name is used automatically; -o FILE chooses another"
        ),
        (["-d", "--dir", "-P"], [.download], "write -o FOLDER/"),
        (["-s"], [.download], "write -q for less output, or -x N for connections"),
        (
            ["-s", "-sS", "--silent", "--show-error", "--no-progress-meter", "--no-verbose"],
            [.download, .upload, .events], "write -q, which still prints errors"
        ),
        (["-j"], [.download], "write --parallel N"),
        (["-m", "--tries"], [.download], "write --retry N, or --max-time SECONDS"),
        (
            ["-n"], [.download],
            "a file is replaced only with --overwrite; -q prints less, --netrc requires the netrc file"
        ),
        (["-N", "--timestamping"], [.download], "write -c, which does not download a complete file again"),
        (["-S", "--server-response", "--spider"], [.download], "cumulus head URL prints the headers"),
        (["-T"], [.download], "write --timeout SECONDS; cumulus upload FILE URL sends a file"),
        (["-w", "--wait"], [.download], "--rate 30/m spaces the requests"),
        (
            ["-r", "-l", "--recursive", "--mirror"], [.download],
            "-i LIST downloads the URLs in a file; links are not followed"
        ),
        (["-c"], [.request, .call], "write --cookies FILE; cumulus download -c URL continues a download"),
        (["-X", "--request"], nil, "write the method first: cumulus PUT URL"),
        (["-H", "--header"], nil, "write a header as an item: Name:value"),
        (
            [
                "-d", "--data", "--data-binary", "--data-raw", "--data-ascii", "--post-data", "--post-file",
                "--body-data",
            ], nil,
            "write data as items: name=text; for a whole body, write @FILE or --raw TEXT, or use standard input"
        ),
        (["-G", "--get", "--url-query"], nil, "write a query item as name==text"),
        (["-I", "--head", "--spider"], nil, "write cumulus head URL"),
        (
            ["-O", "--remote-name", "--remote-name-all", "-J", "--remote-header-name", "--download"], nil,
            "write cumulus download URL"
        ),
        (["--content-disposition"], nil, "cumulus download uses the server's file name automatically"),
        (["--create-dirs"], nil, "cumulus download -o FOLDER/ URL creates the folder"),
        (["-T", "--upload-file"], nil, "write cumulus upload FILE URL"),
        (["-N", "--no-buffer"], nil, "output is never buffered; cumulus events URL prints server-sent events"),
        (["--stream", "--no-stream"], nil, "responses are always printed as they arrive"),
        (
            ["--fail", "--fail-with-body", "--check-status", "--no-check-status"], nil,
            "the exit code always shows the status; see --explain-exit 4"
        ),
        (["-e", "--referer"], nil, "write the item Referer:URL"),
        (["--user-agent"], nil, "write the item User-Agent:TEXT"),
        (["-r", "--range"], nil, "write the item Range:bytes=0-99"),
        (["-z", "--time-cond"], nil, "write the item If-Modified-Since:DATE"),
        (["--https"], nil, "https is the default; write https:// before localhost"),
        (["--default-scheme"], nil, "write http:// before the host; it is the default for :PORT and localhost"),
        (["--path-as-is"], nil, "dots in paths are always resolved, as RFC 3986 requires"),
        (["--max-filesize"], nil, "--max-time limits how long a response may take; no option limits its size"),
        (["-g", "--globoff"], nil, "URLs are sent as they are; patterns are not expanded"),
        (["--url"], nil, "write the URL without an option"),
        (["--next", "-:"], nil, "run a separate command; several URLs receive the same request"),
        (["--stderr"], nil, "write 2> FILE"),
        (["--certificate"], nil, "write --cert FILE"),
        (["--disable-compression"], nil, "write the item Accept-Encoding:identity"),
        (
            ["-#", "--progress-bar", "--show-progress", "--progress"], nil,
            "cumulus download and cumulus upload show the progress"
        ),
        (["-M", "--manual", "--man"], nil, "write cumulus help"),
    ]
}
