// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusLifecycle
import CumulusNIO
import Logging
import ServiceLifecycle
import UnixSignals

func shuttingDown(_ site: Resource, _ transport: NIOTransport, _ server: some Service, _ logger: Logger) {
    // snippet.group
    let client = ClientService(site, limit: .seconds(20)) { await transport.shutdown() }
    let group = ServiceGroup(services: [client, server], gracefulShutdownSignals: [.sigterm], logger: logger)
    // snippet.end
    _ = group
}
