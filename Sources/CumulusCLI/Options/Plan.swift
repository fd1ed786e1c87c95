// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusNIO

/// A parsed and checked command line, before anything happens.
struct Plan: Sendable {
    /// The target of a request.
    enum Target: Equatable, Sendable {
        /// A URL without its query's items.
        case absolute(RequestURL)
        /// A path that can't leave its base URL.
        case child(base: RequestURL, path: String)

        /// The target's origin.
        var origin: Origin {
            switch self {
            case .absolute(let url), .child(let url, _): url.origin
            }
        }
    }

    /// The request's body.
    enum Body: Sendable {
        case none
        case json(JSON)
        case form([ItemCollection.NamedText])
        /// A multipart form; a boundary that is `nil` is generated.
        case multipart([FormPart], boundary: String?)
        case raw(String)
        /// A file, sent unchanged.
        case file(path: String)
        /// The content of standard input.
        case held([UInt8])
        /// Standard input as a stream; nothing if it is empty.
        case input
        /// Standard input, sent like a file.
        case uploadedInput
    }

    /// The identity of the sender.
    enum Identity: Equatable, Sendable {
        /// A user; a password that is `nil` is asked for.
        case basic(user: String, password: Secret<String>?)
        /// A user with Digest authentication; a password that is `nil` is asked for.
        case digest(user: String, password: Secret<String>?)
        case bearer(Secret<String>)
        /// A stored login.
        case login(SavedLogin, LoginFolder)
        case headerKey(name: String, Secret<String>)
        case queryKey(name: String, Secret<String>)
        case aws(AWSIdentity)

        /// The name of the secret in a request, if the user chose it.
        var secretName: String? {
            switch self {
            case .basic, .digest, .bearer, .login, .aws: nil
            case .headerKey(let name, _), .queryKey(let name, _): name
            }
        }
    }

    /// A file of cookies.
    struct CookieFileChoice: Equatable, Sendable {
        let path: String
        /// Whether it is left unchanged.
        let isReadOnly: Bool
    }

    /// How servers are verified.
    enum Verification: Equatable, Sendable {
        case system
        case authority(pem: [UInt8])
        /// The environment's authorities, which are read once a connection needs TLS.
        case environment
        case none
    }

    /// Whether the body is compressed.
    enum Compression: Equatable, Sendable {
        /// Compresses the body if that makes it smaller, as far as this is known before it is sent.
        case ifSmaller
        case always
    }

    /// The method, in capitals; `nil` is POST if there is a body, otherwise GET.
    var method: String?
    /// The method that was probably meant instead, which the user is asked about.
    var meantMethod: String?
    var target: Target
    /// The query of the URL, as it was written.
    var urlQuery: String?
    /// The line of a download's list that has the URL; `nil` for the command line.
    var listLine: Int?
    /// The user and password of the URL.
    var urlUser: Credentials?
    var queryItems: [ItemCollection.NamedText] = []
    var headers = Headers()
    /// The headers that the command line sets or masks.
    var headerNames: Set<Headers.Name> = []
    var body = Body.none
    /// Whether standard input is left unread by an option or a configuration.
    var ignoresInput = false
    /// Whether standard input had no byte and no end when it was checked, and is not sent.
    var leavesInputOpen = false
    /// Whether the content type is a configuration's or a description's, which is sent with a body only.
    var inheritsContentType = false
    /// `nil` sends the body uncompressed.
    var compression: Compression?
    /// The accepted content codings; `nil` uses the library's.
    var codings: [ContentCoding]?
    /// Whether bodies without a known type are forms.
    var isForm = false
    /// Whether JSON is requested.
    var acceptsJSON = false
    var identity: Identity?
    /// Where a configuration sets the identity, in words; `nil` if none does.
    var identityPlace: String?
    /// Which store the identity is from, in words; `nil` if the command line or a configuration has it.
    var identityStore: String?
    /// Whether the identity is a netrc file's `default` entry, which goes to any host.
    var identityIsForAnyHost = false
    /// Whether the user has typed the password, and is asked again if it is refused.
    var asksAgain = false
    /// The command line, completed by the configuration.
    var arguments = Arguments()
    /// `nil` keeps the library's limits, zero disables them.
    var timeout: Duration?
    /// The time limit of the whole call.
    var deadline: Duration?
    var maximumRedirects: Int
    /// `nil` keeps the library's policy.
    var retry: RetryPolicy?
    /// Whether the command line or a configuration sets the number of retries.
    var choosesRetry = false
    /// Whether POST and PATCH get a key by which the server recognizes repetitions.
    var addsIdempotencyKey = false
    /// Whether each attempt is reported.
    var explains = false
    var verification = Verification.system
    /// The transport's configuration: addresses, and client certificates.
    var route = NIOTransport.Configuration()
    /// How other origins are connected to; `nil`: like the target's.
    var connections: OriginConnections?
    var httpVersion = HTTPVersion.automatic
    /// The proxy for requests.
    var proxy = ProxyPolicy.none
    /// Which addresses may be connected to.
    var allowedAddresses = AddressPolicy.any
    /// The bytes per second of bodies; shared by everything that uses it.
    var bandwidth: Bandwidth?
    /// The rate limit of requests.
    var rateLimit: RateLimit?
    /// The rate below which a transfer is aborted.
    var minimumRate: MinimumRate?
    /// The file of cookies.
    var cookieFile: CookieFileChoice?
    /// The cookies, once they have been read.
    var cookies: CookieJar?
    /// The folder of stored responses; `nil` for none.
    var cacheFolder: String?
    /// The HAR file in which the exchanges are recorded.
    var recordingFile: String?
    /// The names of secrets that other requests of the same run have.
    var otherSecretNames: Set<String> = []
    /// The session of the origin.
    var session: SessionPlan?
    /// Whether bodies are sent in chunks, without their length.
    var isChunked = false
    /// The number of pages whose items are printed, `Int.max` for all; `nil` prints the response.
    var pages: Int?
    /// How the list is paged; `nil` detects it.
    var paging: PagingRule?
    /// How the request is repeated; `nil` sends it once.
    var repetition: Repetition?
    var isOffline = false
    /// Whether the request is printed as a command for curl instead of being sent.
    var isCurl = false
    /// The options of that command apart from the request itself.
    var curlOptions: [String] = []
    var output: OutputPlan
    /// Notices that are not mistakes.
    var notices: [String] = []

    /// Whether standard input is not read, although no option says so.
    var leavesInputUnread: Bool {
        if case .none = body { !ignoresInput && !output.isSilent } else { false }
    }

    /// The method to use once it is known whether there is a body.
    func method(hasBody: Bool) -> String { method ?? (hasBody ? "POST" : "GET") }
}
