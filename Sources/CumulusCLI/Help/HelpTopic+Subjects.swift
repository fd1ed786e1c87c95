// SPDX-License-Identifier: Apache-2.0

extension HelpTopic {
    /// The pages of subjects that concern more than one command.
    static let subjects = [
        HelpTopic(name: "items", synonyms: ["item", "data"], before: [HelpTexts.items]),
        HelpTopic(
            name: "headers",
            synonyms: ["header", "fields"],
            options: ["headers", "verbose", "print"],
            before: [HelpTexts.headers]
        ),
        HelpTopic(
            name: "json",
            options: ["json", "raw", "sorted", "indent", "as", "filter"],
            before: [HelpTexts.json]
        ),
        HelpTopic(
            name: "forms",
            synonyms: ["form", "multipart"],
            options: ["form", "multipart", "boundary"],
            before: [HelpTexts.forms]
        ),
        HelpTopic(
            name: "files",
            synonyms: ["file", "stdin", "input", "body"],
            options: ["raw", "output", "ignore-stdin", "compress", "chunked"],
            before: [HelpTexts.files]
        ),
        HelpTopic(
            name: "auth",
            synonyms: [
                "authorization", "authentication", "credentials", "password", "token", "bearer", "basic", "aws",
            ],
            options: names(in: .authorization),
            before: [HelpTexts.auth]
        ),
        HelpTopic(
            name: "output",
            synonyms: ["format", "print", "colors", "colours", "pager"],
            options: names(in: .output),
            before: [HelpTexts.output]
        ),
        HelpTopic(name: "filter", synonyms: ["jq", "path"], options: ["filter", "as"], before: [HelpTexts.filter]),
        HelpTopic(name: "paging", synonyms: ["pages"], options: ["pages", "paging"], before: [HelpTexts.paging]),
        HelpTopic(
            name: "sessions",
            synonyms: ["session"],
            options: names(in: .session),
            before: [HelpTexts.sessions]
        ),
        HelpTopic(
            name: "cookies",
            synonyms: ["cookie"],
            options: ["cookies", "session", "session-read-only"],
            before: [HelpTexts.cookies]
        ),
        HelpTopic(name: "connection", synonyms: ["connections", "network"], options: names(in: .connection)),
        HelpTopic(
            name: "proxy",
            synonyms: ["proxies", "socks"],
            options: ["proxy", "noproxy", "proxy-user"],
            before: [HelpTexts.proxy]
        ),
        HelpTopic(
            name: "tls",
            synonyms: ["ssl", "https", "certificate", "certificates", "cert"],
            options: ["verify", "cert", "cert-key", "pin", "tls-min"],
            before: [HelpTexts.tls]
        ),
        HelpTopic(
            name: "retries",
            synonyms: ["retry"],
            options: ["retry", "retry-max-time", "retry-unsafe", "idempotency-key", "explain"],
            before: [HelpTexts.retries]
        ),
        HelpTopic(
            name: "timeouts",
            synonyms: ["timeout", "time"],
            options: ["timeout", "max-time", "minimum-rate", "retry-max-time", "heartbeat"],
            before: [HelpTexts.timeouts]
        ),
        HelpTopic(name: "curl", synonyms: ["httpie"], options: ["curl", "show-secrets"], before: [HelpTexts.curl]),
        HelpTopic(
            name: "examples",
            synonyms: ["example"],
            before: [HelpTexts.examples, HelpTexts.downloadExamples, HelpTexts.uploadExamples]
        ),
        HelpTopic(
            name: "exit-codes",
            synonyms: ["exit", "codes", "exitcodes", "status"],
            options: ["explain-exit"],
            before: [HelpTexts.exitCodes]
        ),
        HelpTopic(name: "environment", synonyms: ["env", "variables"], before: [HelpTexts.environment]),
    ]

    private static func names(in group: OptionRow.Group) -> [String] {
        OptionTable.rows.filter { $0.group == group }.map(\.name)
    }
}
