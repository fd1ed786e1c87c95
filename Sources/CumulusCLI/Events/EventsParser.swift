// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// A plan of `cumulus events`.
struct EventsPlan: Sendable {
    /// The request for the events.
    var request: Plan
    /// The types of the events that are printed; empty for all.
    var types: Set<String>
    /// The data of the event that ends the stream.
    var sentinel: String?
    /// Whether texts are printed without line ends between them.
    var joins: Bool
    /// Whether each event is printed with its type and ID.
    var showsMetadata: Bool
    var reconnection: Reconnection
    /// The longest silence of a connection.
    var heartbeat: Duration?
}

/// Interprets the words and options of `cumulus events`.
struct EventsParser {
    /// When another connection follows the end of one.
    enum Reconnecting: String, CaseIterable {
        case auto
        case always
        case get
        case never

        var rule: Reconnection {
            switch self {
            case .auto: .automatic
            case .always: .always
            case .get: .byGet
            case .never: .never
            }
        }
    }

    private static let usage = "write cumulus events [METHOD] URL [ITEM ...]"

    private let arguments: Arguments
    private let surroundings: Surroundings

    init(_ arguments: Arguments, in surroundings: Surroundings) {
        self.arguments = arguments
        self.surroundings = surroundings
    }

    /// The plan.
    ///
    /// - Throws: ``UsageMistake`` for the first mistake.
    func plan() throws(UsageMistake) -> EventsPlan {
        try checkOptions()
        let plans = try PlanParser(request, in: surroundings).plans()
        guard plans.count == 1, var plan = plans.first else {
            throw UsageMistake("there is a second URL, but this command takes only one", hint: EventsParser.usage)
        }
        if plan.headerNames.insert(.accept).inserted { plan.headers[.accept] = "text/event-stream" }
        if let id = arguments.lastEventId { try setLastEventID(id, of: &plan) }
        // One event is one line, on a terminal as well.
        plan.output.formats = false
        return EventsPlan(
            request: plan,
            types: Set(arguments.event),
            sentinel: arguments.until,
            joins: arguments.join,
            showsMetadata: arguments.meta,
            reconnection: (arguments.reconnect ?? .auto).rule,
            heartbeat: heartbeat
        )
    }

    private func checkOptions() throws(UsageMistake) {
        if arguments.words.isEmpty { throw arguments.missingURL(EventsParser.usage) }
        if let text = arguments.until, (try? ResponseCondition(parsing: text))?.comparison != nil {
            throw UsageMistake(
                "for events, --until takes the data of the last event, not a condition",
                hint: "for example --until '[DONE]'"
            )
        }
        if arguments.meta, arguments.filter != nil || arguments.join {
            throw UsageMistake(
                "--meta and \(arguments.join ? "--join" : "--filter") can't be combined: --meta prints whole events",
                hint: "write cumulus events --meta URL | jq ..."
            )
        }
    }

    /// The arguments of the request, in which `--meta` would mean times.
    private var request: Arguments {
        var request = arguments
        request.meta = false
        return request
    }

    private func setLastEventID(_ id: String, of plan: inout Plan) throws(UsageMistake) {
        let name = Headers.Name("Last-Event-ID")
        guard plan.headerNames.insert(name).inserted else {
            throw UsageMistake("--last-event-id and the item 'Last-Event-ID:' can't be combined: both set that header")
        }
        plan.headers[name] = id
    }

    private var heartbeat: Duration? {
        guard let seconds = arguments.heartbeat, seconds > 0 else { return nil }
        return max(.seconds(seconds), .milliseconds(1))
    }
}
