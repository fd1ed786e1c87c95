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
        let found = try configuration.block(for: origin, profile: command.session.profile)
        let block = credentials.block(
            found,
            besides: command.authorization,
            items: try fields(of: words.items),
            hasUser: place.user != nil && !(baseIsConfigured && inheritsBase(words.url))
        )
        let configured = ConfiguredCommand(command)
        for setting in block.settings where setting.name != "base" { try configured.apply(setting) }
        if let setting = configured.applied.first(where: \.loosensSecurity), command.output.quiet > 1 {
            throw setting.mistake(
                "\(setting.name) takes a protection away, and -qq would keep that quiet",
                hint: "--\(setting.name) on the command line says that it is meant"
            )
        }
        let base = block.settings.filter { $0.name == "base" && baseIsConfigured && inheritsBase(words.url) }
        try credentials.refuseMixed(base + configured.applied, headers: block.headers)
        var plan: Plan
        do throws(UsageMistake) {
            plan = try self.plan(words, by: configured)
        } catch {
            guard let setting = setting(behind: error, of: words, in: configured) else { throw error }
            throw setting.mistake(error.reason, hint: error.hint)
        }
        plan.transfer = TransferSettings(configured.applied)
        plan.identityPlace = configured.applied.first { $0.name == "auth" }?.place
        let folder = ConfigurationLookup(surroundings).folderPath
        let ofFolder = (base + configured.applied).filter { $0.file == folder }
        try credentials.refuseStored(plan, ofFolder, typed: typed(plan, words.url, base: base.first, of: folder))
        for field in block.headers {
            guard case .string(let text) = field.value.content else { continue }
            let name = Headers.Name(field.name)
            guard plan.headerNames.insert(name).inserted else { continue }
            plan.headers[name] = text
            if name == .contentType { plan.inheritsContentType = true }
        }
        for setting in configured.applied where setting.loosensSecurity {
            plan.notices.append("\(setting.name) is set in \(setting.place)")
        }
        plan.notices += found.withheld.map { $0.withholding(from: origin) }
        if let notice = configuration.notice { plan.notices.append(notice) }
        plan.connections = OriginConnections(command, in: surroundings, filledBy: configuration, to: origin)
        return plan
    }

    /// Whose the identity is if no store has it, in words; `nil` if a file's `auth` or the folder's base has it.
    private func typed(
        _ plan: Plan,
        _ url: String,
        base: ConfigurationSetting?,
        of folder: String?
    ) -> String? {
        if command.authorization.auth != nil { return "what --auth names" }
        if plan.identityPlace != nil { return nil }
        if let base { return base.file == folder ? nil : "the user in the configuration's base" }
        return inheritsBase(url) ? "the user in CUMULUS_BASE" : "the user in the URL"
    }

    /// The header fields that items set or mask.
    private func fields(of words: ArraySlice<String>) throws(UsageMistake) -> Set<Headers.Name> {
        var names: Set<Headers.Name> = []
        for word in words {
            let item = try RequestItem(parsing: word)
            if [.header, .emptyHeader, .headerFromFile].contains(item.kind) { names.insert(Headers.Name(item.name)) }
        }
        return names
    }

    private func plan(_ words: Words, by configured: ConfiguredCommand) throws(UsageMistake) -> Plan {
        var surroundings = surroundings
        if let base { surroundings.environment["CUMULUS_BASE"] = base }
        let folder = ConfigurationLookup(surroundings).folderPath
        surroundings.folderOptions = Set(configured.applied.filter { $0.file == folder }.map { "--\($0.name)" })
        return try PlanParser(configured.command, in: surroundings, filledBy: nil).filledPlan(words)
    }

    /// The setting that a mistake is about: one that it names, otherwise one without which there is no such mistake.
    private func setting(
        behind mistake: UsageMistake,
        of words: Words,
        in configured: ConfiguredCommand
    ) -> ConfigurationSetting? {
        let named = configured.applied.filter { mistake.reason.has("--\($0.name)") }
        // The longest name, since --all is also the beginning of --allow-address.
        if let setting = named.max(by: { $0.name.utf8.count < $1.name.utf8.count }) { return setting }
        return configured.applied.first { setting in
            let others = ConfiguredCommand(command)
            do throws(UsageMistake) {
                for other in configured.applied where other != setting { try others.apply(other) }
                _ = try plan(words, by: others)
                return true
            } catch {
                return error != mistake
            }
        }
    }
}
