// SPDX-License-Identifier: Apache-2.0

extension HelpTopic {
    /// The pages of subjects that concern more than one command.
    static let subjects = [
        HelpTopic(name: "items", synonyms: ["item", "data"], before: [HelpTexts.items]),
        HelpTopic(
            name: "headers",
            synonyms: ["header", "fields"],
            options: [table.headers, table.verbose, table.print],
            before: [HelpTexts.headers]
        ),
        HelpTopic(
            name: "json",
            options: [table.json, table.raw, table.sorted, table.indent, table.as, table.filter],
            before: [HelpTexts.json]
        ),
        HelpTopic(
            name: "forms",
            synonyms: ["form", "multipart"],
            options: [table.form, table.multipart, table.boundary],
            before: [HelpTexts.forms]
        ),
        HelpTopic(
            name: "files",
            synonyms: ["file", "stdin", "input", "body"],
            options: [table.raw, table.output, table.ignoreStdin, table.compress, table.chunked],
            before: [HelpTexts.files]
        ),
        HelpTopic(
            name: "auth",
            synonyms: [
                "authorization", "authentication", "credentials", "password", "token", "bearer", "basic", "aws",
            ],
            options: rows(in: .authorization),
            before: [HelpTexts.auth]
        ),
        HelpTopic(
            name: "output",
            synonyms: ["format", "print", "colors", "colours", "pager"],
            options: rows(in: .output),
            before: [HelpTexts.output]
        ),
        HelpTopic(
            name: "filter",
            synonyms: ["jq", "path"],
            options: [table.filter, table.as],
            before: [HelpTexts.filter]
        ),
        HelpTopic(
            name: "paging",
            synonyms: ["pages"],
            options: [table.pages, table.paging],
            before: [HelpTexts.paging]
        ),
        HelpTopic(name: "session", options: rows(in: .session), before: [HelpTexts.session]),
        HelpTopic(
            name: "cookies",
            synonyms: ["cookie"],
            options: [table.cookies, table.session, table.sessionReadOnly],
            before: [HelpTexts.cookies]
        ),
        HelpTopic(name: "connection", synonyms: ["connections", "network"], options: rows(in: .connection)),
        HelpTopic(
            name: "proxy",
            synonyms: ["proxies", "socks"],
            options: [table.proxy, table.noproxy, table.proxyUser],
            before: [HelpTexts.proxy]
        ),
        HelpTopic(
            name: "tls",
            synonyms: ["ssl", "https", "certificate", "certificates", "cert"],
            options: [
                table.verify, table.cert, table.certKey, table.certPass, table.pin, table.tlsMin, table.tlsMax,
                table.ciphers,
            ],
            before: [HelpTexts.tls]
        ),
        HelpTopic(
            name: "retries",
            synonyms: ["retry"],
            options: [table.retry, table.retryMaxTime, table.retryUnsafe, table.idempotencyKey, table.explain],
            before: [HelpTexts.retries]
        ),
        HelpTopic(
            name: "timeouts",
            synonyms: ["timeout", "time"],
            options: [table.timeout, table.maxTime, table.minimumRate, table.retryMaxTime, table.heartbeat],
            before: [HelpTexts.timeouts]
        ),
        HelpTopic(
            name: "examples",
            synonyms: ["example"],
            before: [HelpTexts.examples, HelpTexts.downloadExamples, HelpTexts.uploadExamples]
        ),
        HelpTopic(
            name: "exit-codes",
            synonyms: ["exit", "codes", "exitcodes", "status"],
            options: [table.explainExit],
            before: [HelpTexts.exitCodes]
        ),
        HelpTopic(name: "environment", synonyms: ["env", "variables"], before: [HelpTexts.environment]),
    ]

    private static let table = OptionTable.all

    private static func rows(in group: OptionRow.Group) -> [OptionRow] {
        OptionTable.rows.filter { $0.group == group }
    }
}
