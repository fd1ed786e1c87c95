// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import CumulusServices
import HTTPTypes

extension CommandRun {
    /// The largest description that is fetched.
    private static let longestDescription = 16 << 20

    /// Performs a plan of `cumulus services`.
    func services(_ plan: ServicesPlan) async throws -> CommandStatus {
        switch plan {
        case .list: return try list()
        case .show(let service, nil): try print(ServiceTable(service).text)
        case .show(let service, let endpoint?): try print(ServiceTable(service).text(of: endpoint))
        case .verify(let path): return try verify(path)
        case .take(let job): return try await take(job)
        case .trust(let path, let trust):
            // Refused before it is trusted, not only when it is called.
            let bytes = try ServiceFile.bytes(ofFile: path)
            _ = try ServiceFile(bytes, path: path)
            try await trust.trust(path, bytes)
            console.note("cumulus: \(quoted(path)) is trusted until it changes")
        case .remove(let files):
            for file in files {
                try PrivateFile(file).remove()
                console.note("cumulus: removed \(PeerText.printable(file))")
            }
        case .candidates(let words):
            try print(CallCompletion(console.surroundings).candidates(words).joined(separator: "\n"))
        case .completion(let script): try print(script)
        }
        return .success
    }

    private func print(_ text: String) throws { try console.write(Array("\(text)\n".utf8)) }

    private func counted(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

    /// Prints the services; one that can't be read is reported, and doesn't hide the others.
    private func list() throws -> CommandStatus {
        let folder = try ServiceLookup(console.surroundings).ownFolder()
        var rows: [[String]] = []
        var status = CommandStatus.success
        for name in folder.names {
            guard let path = folder.file(name) else { continue }
            do {
                let service = try ServiceFile(path: path).service
                let place = service.servers.first?.url ?? service.endpoints.first?.template.text ?? ""
                rows.append([name, "\(service.endpoints.count)", SecretRedaction.url(place)])
            } catch {
                console.note(ErrorLine.text(for: error))
                if status == .success { status = CommandStatus(error) }
            }
        }
        let isEmpty = rows.isEmpty && status == .success
        do {
            try print(
                isEmpty
                    ? "no services yet; cumulus services import URL adds one"
                    : TextTable(["SERVICE", "ENDPOINTS", "BASE URL"], rows).text
            )
        } catch is ClosedOutput {}
        return status
    }

    private func verify(_ path: String) throws -> CommandStatus {
        let file = try ServiceFile(path: path)
        let problems = file.service.servers.isEmpty && file.isOpenAPI ? [] : file.service.verify()
        var lines = file.gaps.map { "omitted: \(PeerText.printable($0.description, limit: 1_000))" }
        lines += problems.map { "wrong: \(PeerText.printable("\($0)", limit: 1_000))" }
        let name = PeerText.printable(file.service.name)
        let counts = [
            counted(file.service.endpoints.count, "endpoint"), counted(problems.count, "problem"),
            counted(file.gaps.count, "gap"),
        ]
        lines.append("\(name): \(counts.joined(separator: ", "))")
        do { for line in lines { try print(line) } } catch is ClosedOutput {}
        return problems.isEmpty ? .success : .failure
    }

    // MARK: Imports

    private func take(_ job: ServicesPlan.Import) async throws -> CommandStatus {
        let read: ServiceFile
        let place: String
        if let plan = job.request {
            (read, place) = try await fetched(try completed(plan))
        } else {
            let path = ServiceStorage.absolute(job.file ?? "")
            (read, place) = (try ServiceFile(path: path), path)
        }
        var service = read.service
        let fileName = job.file.map { ServiceFolder.name(ofFile: $0) }
        let title = ServiceFolder.name(madeOf: service.name)
        let own = read.isOpenAPI ? nil : fileName.flatMap { ServiceFolder.isName($0) ? $0 : nil }
        let name = job.name ?? own ?? title
        if let base = job.base {
            service.servers = [ServiceServer(base)]
        } else if let asked = job.request?.target.origin {
            try guardOrigins(of: &service, from: asked)
        }
        let areWhole = service.endpoints.allSatisfy { URLShorthand.hasScheme($0.template.text) }
        if service.servers.isEmpty, !areWhole {
            throw UsageMistake(
                "the description has no usable server",
                hint: "for example --base https://api.example.com"
            )
        }
        if service.endpoints.isEmpty {
            let about = read.gaps.last { $0.pointer.begins(with: "/paths") } ?? read.gaps.last
            let gap = about.map { ": \(PeerText.printable($0.description, limit: 300))" } ?? ""
            throw UsageMistake("the description has no usable endpoint\(gap)")
        }
        if let there = job.folder.file(name), !job.overwrites {
            throw UsageMistake(
                "the service \(quoted(name)) already exists, in \(quoted(there))",
                hint: "--overwrite replaces it, --name NAME chooses another name"
            )
        }
        try keep(service, as: name, in: job.folder)
        for gap in read.gaps.prefix(20) {
            console.note("cumulus: omitted: \(PeerText.printable(gap.description, limit: 300))")
        }
        if read.gaps.count > 20 {
            console.note("cumulus: omitted: \(read.gaps.count - 20) more; cumulus services verify FILE lists all")
        }
        let (endpoints, gaps) = (counted(service.endpoints.count, "endpoint"), counted(read.gaps.count, "gap"))
        try print("\(name): \(endpoints), \(gaps), from \(PeerText.printable(SecretRedaction.url(place)))")
        return .success
    }

    /// Ensures that credentials are only sent to the origin that the user named: redirects may have led elsewhere.
    private func guardOrigins(of service: inout ServiceDescription, from asked: Origin) throws(UsageMistake) {
        for index in service.servers.indices where (try? RequestURL(service.servers[index].url).origin) != asked {
            service.servers[index].isThirdParty = true
        }
        let elsewhere = service.endpoints.first { endpoint in
            URLShorthand.hasScheme(endpoint.template.text)
                && (try? RequestURL(endpoint.template.expandLeniently([:]).text).origin) != asked
        }
        guard let elsewhere else { return }
        throw UsageMistake(
            "the endpoint \(quoted(elsewhere.name)) is not at the description's origin",
            hint: "save the description, review it, and import the file"
        )
    }

    private func keep(_ service: ServiceDescription, as name: String, in folder: ServiceFolder) throws {
        let problems = service.verify()
        if !problems.isEmpty { throw ServiceFile.mistake(problems, name) }
        do {
            try ServiceStorage.make(folder.path)
        } catch {
            throw UsageMistake("the folder \(quoted(folder.path)) can't be created: \(error)")
        }
        // A file with another extension would be hidden by it.
        for ending in ServiceFolder.endings where ending != "json" {
            try PrivateFile("\(folder.path)/\(name).\(ending)").remove()
        }
        try PrivateFile("\(folder.path)/\(name).json").write(service.json.encoded(.prettyPrinted))
    }

    private func fetched(_ plan: Plan) async throws -> (ServiceFile, String) {
        let transport = makeTransport(plan)
        let draft = try await RequestBuilder(plan, console: console, renewals: renewals).build(over: transport)
        let stream = try await draft.open()
        let url = stream.request.url.description
        guard stream.status.kind == .successful else {
            throw CumulusError(
                .status,
                stage: .validation,
                "the server responded with \(ErrorLine.phrase(stream.status)) instead of a description",
                request: stream.request,
                response: try Response(stream.status)
            )
        }
        var bytes: [UInt8] = []
        for try await chunk in stream {
            chunk.withUnsafeBytes { bytes += $0 }
            if bytes.count > CommandRun.longestDescription {
                throw UsageMistake("the description is longer than \(CommandRun.longestDescription) bytes")
            }
        }
        let path = stream.request.url.path
        do throws(ServiceProblems) {
            let name = ServiceFolder.name(ofFile: path)
            let file = try ServiceFile(bytes, ending: ServiceFolder.ending(of: path), named: name, from: url)
            return (file, url)
        } catch {
            throw ServiceFile.mistake(error, SecretRedaction.suspectURL(url))
        }
    }
}
