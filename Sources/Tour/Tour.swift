// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusTesting

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// `swift run tour`: starts a small REST service on loopback and runs the guide against it, step by step.
@main
struct Tour {
    static func main() async {
        // Before other threads read the environment.
        Stores.setKeys()
        var guide = TourGuide()
        do {
            var quick = OAuth2Service.Configuration()
            quick.interval = 1
            let identities = OAuth2Service(quick)
            let server = try await LoopbackServer.start {
                BlogService().install(in: &$0)
                TimelineService(identities: identities).install(in: &$0)
                identities.install(in: &$0)
                Tokens.install(in: &$0, identities)
                VaultService().install(in: &$0)
                LibraryService().install(in: &$0)
                Transfers.install(in: &$0)
                Stores.install(in: &$0)
            }
            print("A blog's REST service is running at \(server.url), on this machine only.")
            let site = Resource(server.url)
            await Resources(site: site).visit(&guide)
            await Values(site: site).visit(&guide)
            await Troubles(site: site, server: server).visit(&guide)
            await Patience(site: site, server: server).visit(&guide)
            await Secrets(site: site).visit(&guide)
            await Jars(url: server.url).visit(&guide)
            await Tokens(url: server.url, identities: identities).visit(&guide)
            await Logins(url: server.url, identities: identities, server: server).visit(&guide)
            await OtherProofs(url: server.url, identities: identities, server: server).visit(&guide)
            await Proofs(site: site).visit(&guide)
            await GuideProofs().visit(&guide)
            await OwnProofs().visit(&guide)
            await Bodies(site: site, url: server.url).visit(&guide)
            await Parts(site: site).visit(&guide)
            await Refusals(site: site).visit(&guide)
            await Workshop(site: site).visit(&guide)
            await Control(site: site).visit(&guide)
            await GuideCode(url: server.url).visit(&guide)
            await Transfers(server: server).visit(&guide)
            await Stores(site: site, url: server.url).visit(&guide)
            await Wholes(site: site, url: server.url).visit(&guide)
            await Services(url: server.url).visit(&guide)
            await Lists(site: site).visit(&guide)
            await Networks(url: server.url).visit(&guide)
            await Proxies(port: server.port).visit(&guide)
            await server.shutdown()
        } catch {
            guide.fail("The service did not start", error)
        }
        exit(guide.finish())
    }
}
