// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusNIO

/// Everything that a command line asks for, understood and checked; nothing has happened yet.
struct Plan: Sendable {
    /// Where the request goes.
    enum Target: Equatable, Sendable {
        /// A URL without what its query says.
        case absolute(RequestURL)
        /// A path that can't leave the URL above it.
        case child(base: RequestURL, path: String)

        /// Where it leads.
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
        /// A form in parts; a boundary that is `nil` is made up.
        case multipart([FormPart], boundary: String?)
        case raw(String)
        /// A file, sent as it is.
        case file(path: String)
        /// What standard input had.
        case held([UInt8])
        /// Whatever standard input has; nothing if it is empty.
        case input
        /// Whatever standard input has, sent as a file would be.
        case uploadedInput
    }

    /// Who sends it.
    enum Identity: Equatable, Sendable {
        /// A user; a password that is `nil` is asked for.
        case basic(user: String, password: Secret<String>?)
        /// A user who proves the password without sending it; a password that is `nil` is asked for.
        case digest(user: String, password: Secret<String>?)
        case bearer(Secret<String>)
        /// What somebody signed in with before.
        case login(SavedLogin, LoginFolder)
        case headerKey(name: String, Secret<String>)
        case queryKey(name: String, Secret<String>)
        case aws(AWSIdentity)

        /// The name that the secret has in a request, where it is the user's choice.
        var secretName: String? {
            switch self {
            case .basic, .digest, .bearer, .login, .aws: nil
            case .headerKey(let name, _), .queryKey(let name, _): name
            }
        }
    }

    /// A file of cookies.
    struct CookiePlace: Equatable, Sendable {
        let path: String
        /// Whether it is left as it is.
        let isReadOnly: Bool
    }

    /// Whether servers must prove who they are.
    enum Verification: Equatable, Sendable {
        case system
        case authority(pem: [UInt8])
        case none
    }

    /// Whether the body is compressed.
    enum Compression: Equatable, Sendable {
        /// If that makes it smaller, as far as that is known before it is sent.
        case ifSmaller
        case always
    }

    /// The method, in capitals; `nil` is POST where there is a body, else GET.
    var method: String?
    var target: Target
    /// The query that stood in the URL, as it was written.
    var urlQuery: String?
    /// The user and password that stood in the URL.
    var urlUser: Credentials?
    var queryItems: [ItemCollection.NamedText] = []
    var headers = Headers()
    /// The headers that the command line speaks of, if only to leave them out.
    var headerNames: Set<Headers.Name> = []
    var body = Body.none
    /// `nil` sends the body as it is.
    var compression: Compression?
    /// Which content codings are asked for; `nil` leaves that to the library.
    var codings: [ContentCoding]?
    /// Whether bodies without a known type are forms.
    var isForm = false
    /// Whether JSON is asked for.
    var acceptsJSON = false
    var identity: Identity?
    /// `nil` keeps the library's limits, zero lifts them.
    var timeout: Duration?
    /// What the whole call may take.
    var deadline: Duration?
    var maximumRedirects: Int
    /// `nil` keeps the library's.
    var retry: RetryPolicy?
    /// Whether the command line or a configuration says how often.
    var choosesRetry = false
    /// Whether POST and PATCH get a key by which the server knows them again.
    var addsIdempotencyKey = false
    /// Whether each attempt is told.
    var explains = false
    var verification = Verification.system
    /// Where connections go, and who we are to servers.
    var route = NIOTransport.Configuration()
    var httpVersion = HTTPVersion.automatic
    /// Which proxy requests go by.
    var proxy = ProxyPolicy.none
    /// Which addresses may be connected to.
    var allowedAddresses = AddressPolicy.any
    /// When a late answer is requested once more.
    var hedging: Hedging?
    /// How fast bodies go; shared by all who have it.
    var rate: TransferRate?
    /// When requests may begin.
    var pace: RequestPace?
    /// The rate below which it is given up.
    var minimumRate: MinimumRate?
    /// Where cookies come from and go to.
    var cookieFile: CookiePlace?
    /// The cookies, once they are read.
    var cookies: CookieJar?
    /// What is remembered of the origin.
    var session: SessionPlan?
    /// Whether bodies go out in chunks, without their length.
    var isChunked = false
    /// Of how many pages the items are printed, `Int.max` for all; `nil` prints the answer.
    var pages: Int?
    /// How the list is paged; `nil` has it found out.
    var paging: PagingRule?
    var isOffline = false
    /// Whether the request is printed as a command for curl instead of being sent.
    var isCurl = false
    /// What that command says besides the request itself.
    var curlOptions: [String] = []
    var output: OutputPlan
    /// Things that are worth saying but no mistakes.
    var notices: [String] = []

    /// The method to use once it is known whether there is a body.
    func method(hasBody: Bool) -> String { method ?? (hasBody ? "POST" : "GET") }
}
