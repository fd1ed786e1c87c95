// SPDX-License-Identifier: Apache-2.0

public import CumulusCore

extension Service {
    /// Makes a service at one of its servers, whose requests are carried by the process-wide default transport.
    ///
    /// - Parameters:
    ///   - definition: What the service is.
    ///   - server: The server's name; `nil` for the first. One that isn't there makes calls throw.
    public init(_ definition: ServiceDescription, server: String? = nil) {
        self.init(definition, server: server, transport: DefaultTransport.shared)
    }
}

extension ServiceClient {
    /// Makes a client at one of the service's servers, whose requests are carried by the process-wide default transport.
    ///
    /// - Parameters:
    ///   - endpoints: The endpoints.
    ///   - server: The server's name; `nil` for the first. One that isn't there makes calls throw.
    public init(_ endpoints: Endpoints, server: String? = nil) {
        self.init(endpoints, server: server, transport: DefaultTransport.shared)
    }
}
