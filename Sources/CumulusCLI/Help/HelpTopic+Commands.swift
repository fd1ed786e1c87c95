// SPDX-License-Identifier: Apache-2.0

extension HelpTopic {
    /// The pages of the commands.
    static let commands = [
        HelpTopic(
            name: "request",
            synonyms: ["cumulus", "requests", "options", "get", "post", "put", "patch", "delete", "head", "method"],
            command: .request,
            before: HelpTexts.request,
            behind: [HelpTexts.examples, HelpTexts.exitCodes, HelpTexts.environment]
        ),
        HelpTopic(
            name: "download",
            synonyms: ["downloads", "resume", "segments"],
            command: .download,
            before: HelpTexts.download,
            behind: [HelpTexts.downloadExamples]
        ),
        HelpTopic(
            name: "upload",
            synonyms: ["uploads"],
            command: .upload,
            before: HelpTexts.upload,
            behind: [HelpTexts.uploadExamples]
        ),
        HelpTopic(
            name: "events",
            synonyms: ["sse", "event-stream"],
            command: .events,
            before: HelpTexts.events,
            behind: [HelpTexts.eventsExamples]
        ),
        HelpTopic(name: "call", command: .call, before: HelpTexts.call, behind: [HelpTexts.callExamples]),
        HelpTopic(
            name: "services",
            synonyms: ["service", "openapi"],
            command: .services,
            before: HelpTexts.services
        ),
        HelpTopic(name: "edit", command: .edit, before: HelpTexts.edit, behind: [HelpTexts.editExamples]),
        HelpTopic(name: "curl", synonyms: ["httpie"], command: .curl, before: HelpTexts.curl),
        HelpTopic(
            name: "login",
            synonyms: ["oauth", "oauth2"],
            command: .login,
            before: HelpTexts.login,
            behind: [HelpTexts.loginExamples]
        ),
        HelpTopic(name: "logout", command: .logout, before: HelpTexts.logout),
        HelpTopic(name: "sessions", command: .sessions, before: HelpTexts.sessions),
        HelpTopic(name: "cache", synonyms: ["caching"], command: .cache, before: HelpTexts.cache),
        HelpTopic(
            name: "config",
            synonyms: ["configuration", "settings", "profile", "profiles"],
            command: .config,
            before: HelpTexts.config
        ),
        HelpTopic(name: "trust", command: .trust, before: HelpTexts.trust),
        HelpTopic(
            name: "completions",
            synonyms: ["completion"],
            command: .completions,
            before: HelpTexts.completions
        ),
    ]
}
