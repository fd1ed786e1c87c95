// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// Command lines that a configuration completes.
extension PlanParser {
    /// The plan of a command line completed by a configuration.
    func plan(_ words: Words, filledBy configuration: Configuration) throws(UsageMistake) -> Plan {
        // A base from the configuration counts like one from the environment: a whole URL takes precedence.
        let place = try place(words.url)
        let origin = place.target.origin
        let credentials = ConfiguredCredentials(of: configuration)
        let found = try configuration.block(for: origin, profile: arguments.profile)
        let block = credentials.block(
            found,
            besides: arguments,
            items: try fields(of: words.items),
            hasUser: place.user != nil && !(baseIsConfigured && inheritsBase(words.url))
        )
        var configured = arguments
        for setting in block.settings where setting.name != "base" { try configured.apply(setting) }
        if let setting = configured.settings.first(where: \.loosensSecurity), arguments.quiet > 1 {
            throw setting.mistake(
                "\(setting.name) weakens security, and -qq would hide the warning",
                hint: "--\(setting.name) on the command line confirms it"
            )
        }
        let base = block.settings.filter { $0.name == "base" && baseIsConfigured && inheritsBase(words.url) }
        try credentials.refuseMixed(base + configured.settings, headers: block.headers)
        var plan = try configured.locatingMistakes { (arguments) throws(UsageMistake) in
            try self.plan(words, by: arguments)
        }
        plan.identityPlace = configured.settings.first { $0.name == "auth" }?.place
        let ofFolder = (base + configured.settings).filter(\.isOfFolder)
        try credentials.refuseStored(plan, ofFolder, typed: typed(plan, words.url, base: base.first))
        for field in block.headers {
            guard case .string(let text) = field.value.content else { continue }
            let name = Headers.Name(field.name)
            guard plan.headerNames.insert(name).inserted else { continue }
            plan.headers[name] = text
            if name == .contentType { plan.inheritsContentType = true }
        }
        for setting in configured.settings where setting.loosensSecurity {
            plan.notices.append(setting.weakeningNotice)
        }
        plan.notices += found.withheld.map { $0.withholding(from: origin) }
        if let notice = configuration.notice { plan.notices.append(notice) }
        plan.connections = OriginConnections(arguments, in: surroundings, filledBy: configuration, to: origin)
        return plan
    }

    /// Whose the identity is if no store has it, in words; `nil` if a file's `auth` or the folder's base has it.
    private func typed(
        _ plan: Plan,
        _ url: String,
        base: ConfigurationSetting?
    ) -> String? {
        if arguments.auth != nil { return "the credentials in --auth" }
        if plan.identityPlace != nil { return nil }
        if let base { return base.isOfFolder ? nil : "the user in the configuration's base" }
        return inheritsBase(url) ? "the user in CUMULUS_BASE" : "the user in the URL"
    }

    /// The header fields that items set or mask.
    private func fields(of words: ArraySlice<String>) throws(UsageMistake) -> Set<Headers.Name> {
        var names: Set<Headers.Name> = []
        for item in try ItemSplit(words, arguments).items() {
            if [.header, .emptyHeader, .headerFromFile].contains(item.kind) { names.insert(Headers.Name(item.name)) }
        }
        return names
    }

    private func plan(_ words: Words, by configured: Arguments) throws(UsageMistake) -> Plan {
        var surroundings = surroundings
        if let base { surroundings.environment["CUMULUS_BASE"] = base }
        return try PlanParser(configured, in: surroundings, filledBy: nil).filledPlan(words)
    }
}
