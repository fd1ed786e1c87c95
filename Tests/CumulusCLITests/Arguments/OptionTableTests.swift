// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CumulusCLI

/// The rows of the table of options.
@Suite struct OptionTableTests {
    @Test("each property has the name of its option")
    func names() {
        for child in Mirror(reflecting: OptionTable.all).children {
            let parts = (child.value as? OptionRow)?.name.split(separator: "-").map(String.init) ?? []
            let name = parts.prefix(1) + parts.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
            #expect(child.label == name.joined(), "\(child.label ?? "")")
        }
        #expect(OptionTable.rows.count > 95)
    }

    @Test("a name, and a letter, means one thing in all commands")
    func uniqueSpellings() {
        let spellings = OptionTable.rows.flatMap(\.spellings)
        #expect(Set(spellings).count == spellings.count)
        let negations = OptionTable.rows.compactMap(\.negation).map { "--\($0)" }
        #expect(Set(spellings).isDisjoint(with: negations))
    }

    @Test("the names in columns are those of options")
    func references() {
        let names = Set(OptionTable.rows.map(\.name))
        for row in OptionTable.rows {
            #expect(names.isSuperset(of: row.conflicts.keys) && names.isSuperset(of: row.relatives), "\(row.name)")
            #expect(!row.commands.isEmpty && !row.help.isEmpty, "\(row.name)")
        }
        for group in OptionRow.Group.allCases where group.isShared { #expect(2...4 ~= group.examples.count) }
    }

    @Test("options that can be combined in a configuration with neither have the same relatives")
    func relativesOfConflicts() {
        for row in OptionTable.rows where row.isSetting {
            let others = OptionTable.rows.filter { $0.isSetting && row.conflicts[$0.name] != nil }
            #expect(others.allSatisfy { row.relatives.contains($0.name) }, "\(row.name)")
        }
    }

    /// Options of curl, HTTPie and wget that users type from habit, and a word of the right hint.
    private static let habits: [(spelling: String, hint: String)] = [
        ("--location", "--no-follow"), ("-L", "--no-follow"), ("--connect-timeout", "--timeout"),
        ("--cookie-jar", "--cookies"), ("--data-binary", "@FILE"), ("--data-urlencode", "-f"),
        ("--url-query", "name==text"), ("--form-string", "-f"), ("--token", "-A bearer"), ("--bearer", "-A bearer"),
        ("--netrc-file", "NETRC"), ("--session-file", "--session"), ("--path-as-is", "RFC 3986"),
        ("--tls13-ciphers", "--ciphers"), ("--pass", "--cert-pass"), ("--ssl", "--tls-min"), ("--color", "--pretty"),
        ("--colour", "--pretty"),
        ("--no-color", "NO_COLOR"),
        ("--max-filesize", "--max-time"), ("--http2-prior-knowledge", "--http-version 2"),
        ("--http2", "--http-version 2"),
        ("--http1.1", "--http-version 1.1"), ("--default-scheme", "http://"), ("--format-options", "--indent"),
        ("-G", "name==text"), ("-C", "download -c"), ("-J", "download"), ("-N", "never buffered"), ("-s", "-q"),
        ("-S", "-q"), ("-e", "Referer"), ("-z", "If-Modified-Since"),
        ("--fail", "exit code"), ("--silent", "-q"), ("--cacert", "--verify FILE"), ("--key", "--cert-key"),
        ("-k", "--verify=no"), ("--insecure", "--verify=no"), ("-X", "cumulus PUT"), ("--request", "cumulus PUT"),
        ("-H", "Name:value"), ("--header", "Name:value"), ("-d", "name=text"), ("--data", "name=text"),
        ("-u", "-a USER"), ("--user", "-a USER"), ("-F", "-f"), ("-i", "-p hb"), ("-I", "cumulus head"),
        ("-O", "cumulus download"), ("-T", "cumulus upload"), ("-c", "cumulus download"), ("-x", "--compress"),
        ("--max-redirs", "--max-redirects"), ("--write-out", "-w"), ("--download", "cumulus download"),
        ("--check-status", "exit code"), ("--stream", "arrive"),
        ("--limit-rate", "cumulus download and cumulus upload"), ("-V", "write cumulus --version"), ("-t", "--retry"),
        ("-P", "--all"), ("--post-data", "name=text"), ("--ask-password", "prompts"), ("--negotiate", "-A KIND"),
        ("--save-cookies", "--cookies"), ("--etag-save", "--cache"), ("--disable", "--no-config"), ("--stderr", "2>"),
        ("--spider", "cumulus head"), ("--no-verify", "--verify=no"), ("--https", "https://"),
        ("--create-dirs", "-o FOLDER/"), ("--max-tries", "--retry"), ("--disable-compression", "identity"),
    ]

    /// The same for wget's and aria2's options, which users type after `cumulus download`.
    private static let downloadHabits: [(spelling: String, hint: String)] = [
        ("-P", "-o FOLDER/"), ("-s", "-x N"), ("-j", "--parallel"), ("-m", "--retry"), ("--tries", "--retry"),
        ("-nc", "--overwrite"), ("-N", "write -c"), ("-S", "cumulus head"), ("-T", "--timeout"), ("--wait", "--rate"),
        ("-r", "-i LIST"), ("--min-split-size", "-x N"), ("--check-integrity", "--checksum"),
        ("--allow-overwrite", "--overwrite"), ("--no-clobber", "--overwrite"), ("--max-download-limit", "--limit-rate"),
        ("--certificate", "--cert"), ("--show-progress", "progress"), ("--content-disposition", "automatically"),
    ]

    @Test("a download has hints for options of wget and aria2", arguments: downloadHabits)
    func foreignDownloads(spelling: String, hint: String) {
        let mistake = mistake(["download", spelling, "http://x.y/"])
        #expect(mistake?.hint?.contains(hint) == true, "\(mistake?.hint ?? "")")
    }

    @Test("an option of another program gets the right hint, and no guess", arguments: habits)
    func foreignSpellings(spelling: String, hint: String) {
        let mistake = mistake([spelling, "http://x.y/"])
        #expect(mistake?.reason == "unknown option '\(spelling)'")
        #expect(mistake?.hint?.contains(hint) == true, "\(mistake?.hint ?? "")")
        #expect(mistake?.hint?.contains("did you mean") == false)
    }

    @Test("a hint names the commands if the one at hand has no such option")
    func hintsForOtherCommands() {
        #expect(mistake(["cache", "--user", "a:b"])?.hint?.contains("--auth is for cumulus URL") == true)
        #expect(mistake(["--endpoint-url", "x"])?.hint == "write --endpoint URL; --endpoint is for cumulus upload")
        #expect(mistake(["-C", "-", "x.y"])?.hint == "write cumulus download -c URL")
        #expect(mistake(["--nothing-like-it", "x.y"])?.hint == "cumulus help request lists the options")
    }

    @Test("the options that carry secrets, or weaken a protection, say so in the table")
    func secretsAndProtections() {
        #expect(
            Set(OptionTable.rows.filter { $0.secret != nil }.map(\.name)) == [
                "auth", "base", "cert-pass", "endpoint", "proxy", "proxy-user",
            ]
        )
        #expect(
            Set(OptionTable.rows.filter { $0.weakening != nil }.map(\.name))
                == ["verify", "show-secrets", "public-only", "allow-address"]
        )
        #expect(OptionTable.rows.filter { $0.group == .output && $0.fitsPieces }.map(\.name) == ["quiet"])
    }

    @Test("a word of 120,000 letters is no misspelled name")
    func longWords() {
        let word = String(repeating: "x", count: 120_000)
        #expect(SimilarName.of(word) == nil && SimilarName.of("download", among: [word]) == nil)
        #expect(SimilarName.of("dowload") == "download")
    }

    @Test("within a command, the hint is about that command")
    func hintsOfCommands() {
        #expect(mistake(["download", "-O", "x.y"])?.hint?.contains("-o FILE") == true)
        #expect(mistake(["upload", "-X", "PUT", "f", "x.y"])?.hint == "write --method POST")
        #expect(mistake(["events", "-o", "f", "x.y"])?.hint == "write > FILE")
        #expect(mistake(["download", "--jsn", "x.y"])?.hint == "cumulus download --help lists the options")
        #expect(mistake(["--jsn", "x.y"])?.hint == "did you mean --json?")
        #expect(mistake(["--explain-exit"])?.hint == "for example --explain-exit 9")
    }
}
