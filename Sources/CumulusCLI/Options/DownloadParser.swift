// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// Interprets the words and options of `cumulus download`.
struct DownloadParser {
    private static let usage = "write cumulus download URL [ITEM ...]"

    private let arguments: Arguments
    private let surroundings: Surroundings

    init(_ arguments: Arguments, in surroundings: Surroundings) {
        self.arguments = arguments
        self.surroundings = surroundings
    }

    /// The plan.
    ///
    /// - Throws: ``UsageMistake`` for the first mistake.
    func plan() throws(UsageMistake) -> DownloadJob {
        let requests = try requests()
        if requests.count > 1 { try refuseOptionsOfOne() }
        if arguments.trustPart, !arguments.continue {
            throw UsageMistake("--trust-part needs -c", hint: "write cumulus download -c --trust-part URL")
        }
        // What all files share is that of the first.
        let completed = requests.first?.arguments ?? arguments
        return DownloadJob(
            requests: requests,
            isList: arguments.list != nil || requests.count > 1,
            output: try output(),
            resumes: arguments.continue,
            trustsPart: arguments.trustPart,
            connections: completed.connections,
            checksum: try checksum(),
            setsTime: completed.remoteTime,
            overwrites: arguments.overwrite,
            parallel: completed.parallel ?? 4,
            isQuiet: arguments.quiet > 0,
            continuation: ContinuationCommand(arguments, user: requests.first?.urlUser).text,
            repetition: ContinuationCommand(arguments, user: requests.first?.urlUser, resumes: false).text
        )
    }

    private func requests() throws(UsageMistake) -> [Plan] {
        // Here it names the file or folder of the download.
        var request = arguments
        request.output = nil
        var parser = PlanParser(request, in: surroundings)
        // A list on standard input is not a body.
        parser.checksInput = false
        // Refused even without a URL.
        let given = RateParser(arguments)
        _ = (try given.bandwidth(), try given.minimum(), try given.rateLimit())
        // Files with the same limit share it.
        var shared: [String: Bandwidth] = [:]
        let (urls, items) = try urlsAndItems()
        var plans: [Plan] = []
        for (line, url) in urls {
            var plan: Plan
            do throws(UsageMistake) {
                plan = try parser.plan(
                    ("GET", url, items[...]),
                    use: "a download sends no data",
                    hint: "write name==text for a query item"
                )
            } catch  where line != nil {
                let place = "line \(line ?? 0) of the list, \(quotedURL(url))"
                throw UsageMistake("\(place): \(error.reason)", hint: error.hint)
            }
            if plan.headerNames.contains(.range) {
                throw UsageMistake(
                    "the header 'Range' can't be set: a download requests ranges automatically",
                    hint: "cumulus URL Range:... -o FILE saves a range"
                )
            }
            // The library's retries apply to downloads, unless an option sets their number.
            RetryParser(plan.arguments).useDefault(in: &plan)
            let rates = RateParser(plan.arguments)
            if let limit = plan.arguments.limitRate {
                if shared[limit] == nil { shared[limit] = try rates.bandwidth() }
                plan.bandwidth = shared[limit]
            }
            plan.listLine = line
            plan.rateLimit = try rates.rateLimit()
            plan.minimumRate = try rates.minimum()
            plans.append(plan)
        }
        return plans
    }

    /// The URLs, with their line numbers if they come from the list, and the items for all of them.
    private func urlsAndItems() throws(UsageMistake) -> (urls: [(line: Int?, url: String)], items: [String]) {
        if let list = arguments.list { return (try listed(in: list), arguments.words) }
        guard let first = arguments.words.first else {
            throw arguments.missingURL(DownloadParser.usage)
        }
        let rest = arguments.words.dropFirst()
        let isURL = rest.first.map { !RequestItem.isItem($0) || URLShorthand.isAnotherURL($0) } ?? false
        if isURL, MethodName.isKnown(first) {
            throw UsageMistake(
                "a download always uses GET, so it can't use the method \(quoted(first))",
                hint: "cumulus \(first.uppercased()) URL -o FILE saves the response to another method"
            )
        }
        if arguments.mayContinueSecret, rest.contains(where: URLShorthand.isAnotherURL) {
            try WordParser(arguments, hasBase: arguments.base != nil).refuseEndOfSecret(first)
        }
        let urls = [first] + rest.filter(URLShorthand.isAnotherURL)
        return (urls.map { (nil, $0) }, rest.filter { !URLShorthand.isAnotherURL($0) })
    }

    /// Refuses options that only make sense for one file.
    private func refuseOptionsOfOne() throws(UsageMistake) {
        if arguments.checksum != nil { throw UsageMistake("--checksum is for one file, but there are several URLs") }
    }

    /// The URLs of the list, one per line; empty lines and lines that begin with # are skipped.
    private func listed(in list: String) throws(UsageMistake) -> [(line: Int?, url: String)] {
        if let first = arguments.words.first, URLShorthand.hasScheme(first) || !RequestItem.isItem(first) {
            throw UsageMistake("--list already provides the URLs, so \(arguments.shown(first)) can't be added")
        }
        try refuseOptionsOfOne()
        let bytes: [UInt8]
        do {
            bytes = try surroundings.readFile.bytes(list == "-" ? FileReader.standardInput : list, upTo: .value)
        } catch {
            let failure =
                list == "-" ? "the list can't be read from standard input" : "the list \(quoted(list)) can't be read"
            throw UsageMistake("\(failure): \(error)")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw UsageMistake("the list \(quoted(list)) is not valid UTF-8")
        }
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let urls: [(line: Int?, url: String)] = lines.enumerated().compactMap { index, line in
            let url = DownloadParser.trimmed(line)
            return url.isEmpty || url.utf8.starts(with: "#".utf8) ? nil : (index + 1, url)
        }
        if urls.isEmpty { throw UsageMistake("the list \(quoted(list)) contains no URLs") }
        return urls
    }

    /// A line without surrounding white space.
    private static func trimmed(_ line: Substring.UTF8View) -> String {
        var line = line.drop { $0 <= 0x20 }
        while let last = line.last, last <= 0x20 { line = line.dropLast() }
        return line.text
    }

    private func output() throws(UsageMistake) -> String? {
        guard let output = arguments.output else { return nil }
        if output.isEmpty { throw UsageMistake("--output is empty") }
        if output == "-" {
            throw UsageMistake(
                "a download can't be written to standard output, because it couldn't be resumed",
                hint: "cumulus URL prints the body"
            )
        }
        return output
    }

    private func checksum() throws(UsageMistake) -> Checksum? {
        guard let text = arguments.checksum else { return nil }
        do {
            return try Checksum(parsing: text)
        } catch {
            let reason = (error as? CumulusError)?.message ?? "\(error)"
            throw UsageMistake("--checksum: \(reason)", hint: "for example --checksum sha256:9f86d0...")
        }
    }
}
