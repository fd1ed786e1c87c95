// SPDX-License-Identifier: Apache-2.0

import Cumulus
import Logging

/// The code of the guide's page on logs and observers.
enum WatchingRequests {
    static func logging(_ site: Resource) {
        // snippet.logger
        var logger = Logger(label: "com.example.atlas")
        logger.logLevel = .debug
        site.setRules { $0.logger = logger }
        site["quiet"].setRules { $0.logger = nil }  // except for requests at and below this place
        // snippet.end
    }

    static func observing(_ site: Resource) async throws {
        // snippet.observer-use
        site.setRules { $0.observers.append(SlowCalls(limit: .seconds(1)).observe) }
        // snippet.end

        // snippet.bytes
        site.setRules {
            $0.observers.append(
                CallObserver(of: [.steps, .bytes]) { event in
                    switch event.kind {
                    case .received(let bytes): print("#\(event.id): \(bytes.count) bytes")
                    case .ended(let outcome): print("#\(event.id): \(outcome)")
                    default: break
                    }
                }
            )
        }
        // snippet.end

        let response = try await site["old"].get()
        for attempt in response.attempts { print(attempt) }
        // call: GET https://api.example.com/old: 301 after 12 ms
        // redirect: GET https://api.example.com/posts: 200 after 34 ms
    }

    static func curl(_ site: Resource) async throws {
        // snippet.curl
        let command = try await site["posts"].call(.post, .json(["title": "Clouds"])).curl()
        print(command)  // nothing is sent; secrets are <redacted>

        let response = try await site["posts/1"].get()
        print(response.request.curl())
        // snippet.end
    }
}

// snippet.observer
struct SlowCalls: Sendable {
    let limit: Duration

    func observe(_ event: CallEvent) {
        switch event.kind {
        case .again(let reason, let request, _): print("#\(event.id): once more, \(reason): \(request)")
        case .ended(let outcome) where event.elapsed > limit: print("\(event.draft) took \(event.elapsed): \(outcome)")
        default: break
        }
    }
}
// snippet.end

// snippet.redaction
/// One line for a log of your own.
func line(_ request: EncodedRequest, _ response: Response) -> String {
    let fields = response.headers.map { field in
        "\(field.name): \(SecretRedaction.value(field.value, of: field.name.rawName, isResponse: true))"
    }
    return "\(request.method) \(SecretRedaction.url("\(request.url)")) \(fields.joined(separator: ", "))"
}
// snippet.end
