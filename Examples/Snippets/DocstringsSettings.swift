// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusAWS
import CumulusOAuth
import CumulusXML

/// The samples in docstrings of settings and authorizers.
enum DocstringsSettings {
    static func addresses(site: Resource) throws {
        // snippet.addresses
        site.setRules { $0.allowedAddresses = .publicOnly }
        let policy = try AddressPolicy.publicOnly(allowing: "10.1.0.0/16", "auth.internal")
        site.setRules { $0.allowedAddresses = policy }
        // snippet.end
    }

    static func bandwidth(site: Resource) {
        // snippet.bandwidth
        let rate = Bandwidth(bytesPerSecond: 500_000)
        site["backups"].setRules { $0.bandwidth = rate }  // all transfers there together
        rate.bytesPerSecond = 0  // pauses them
        rate.bytesPerSecond = nil  // no limit
        // snippet.end
    }

    static func client(site: Resource) {
        // snippet.client
        site.setRules { $0.client = ClientIdentity(name: "Notes", version: "2.1", contact: "https://notes.example") }
        // User-Agent: Notes/2.1 (https://notes.example) Cumulus/0.1
        // snippet.end
    }

    static func proxies(site: Resource) throws {
        // snippet.proxies
        let proxy = try ProxyPolicy.url("http://ada:secret@proxy.example:3128", except: "localhost", "10.0.0.0/8")
        site.setRules { $0.proxy = proxy }
        site.setRules { $0.proxy = .environment }
        site.setRules { $0.proxy = .none }
        // snippet.end
    }

    static func rates(site: Resource) {
        // snippet.rates
        site.setRules { $0.rateLimit = .requests(10, per: .seconds(1), burst: 5) }
        site["search"].setRules { $0.rateLimit = .quota }  // waits while the server reports that nothing is left
        // snippet.end
    }

    static func retries(site: Resource) {
        // snippet.retries
        site.setRules { $0.retry = RetryPolicy(limit: 4) }
        site.setRules { $0.retry?.backoff.cap = .seconds(5) }
        site["payments"].setRules { $0.retry = .never }
        // snippet.end
    }

    static func statuses(site: Resource) {
        // snippet.statuses
        site.setRules { $0.acceptableStatuses = .successful.union([.notFound]) }
        site.setRules { $0.acceptableStatuses = .range(200...299) }
        // snippet.end
    }

    static func errors(site: Resource) {
        // snippet.errors
        site.setRules { $0.errorDecoders = [.jsonMember("error", "error_code"), .problemDetails] }
        // snippet.end

        // snippet.aws-errors
        site.setRules { $0.errorDecoders = [.aws] }
        // snippet.end
    }

    static func authorizers(site: Resource, secret: Secret<String>) {
        // snippet.aws
        site.setRules { $0.authorizers.append(.aws(.environment, region: "eu-central-1", service: "s3")) }
        // snippet.end

        // snippet.oauth2
        site.setRules {
            $0.authorizers.append(
                .oauth2(.clientCredentials(id: "atlas", secret: secret), tokens: "https://id.example.com/token")
            )
        }
        // snippet.end
    }

    static func session(site: Resource, code: String, store: any TokenStore) -> Resource {
        // snippet.session
        let ada = site.with {
            $0.authorizers = [
                .bearer(for: "ada", store: store) { latest in
                    let form = ["code": latest?.refresh?.revealed ?? code]
                    let pair = try await site["tokens"].post(body: form, as: TokenPair.self)
                    return BearerToken(pair.access, refresh: pair.refresh, lifetime: .seconds(pair.seconds))
                }
            ]
        }
        // snippet.end
        return ada
    }

    static func coders(site: Resource) async throws {
        struct Feed: Decodable, Sendable { var title: String }
        // snippet.xml
        site.setRules { $0.coders.registerXML() }
        let feed = try await site["feed.xml"].get(as: Feed.self)
        // snippet.end
        print(feed.title)
    }

    /// The requests that were sent.
    final class Recording: Sendable {}

    struct RecordingTransport: Transport {
        let recording: Recording
        let next: any Transport

        init(_ recording: Recording, _ next: any Transport) { (self.recording, self.next) = (recording, next) }

        var capabilities: TransportCapabilities { next.capabilities }

        func identity(at origin: Origin) -> TransportIdentity { next.identity(at: origin) }

        func send(_ request: TransportRequest) async throws -> TransportResponse { try await next.send(request) }
    }

    // snippet.transport
    enum RecordingKey: TransportSettingKey {
        static var defaultValue: Recording? { nil }
        static func transport(before next: any Transport, in settings: Resource.Settings) -> any Transport {
            settings[key: RecordingKey.self].map { RecordingTransport($0, next) } ?? next
        }
    }
    // snippet.end
}
