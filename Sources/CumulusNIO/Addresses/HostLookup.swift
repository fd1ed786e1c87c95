// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import NIOCore
import NIOPosix

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Asks the system for a host's addresses, for other uses than connecting to them.
enum HostLookup {
    /// The system knows no address.
    struct NoAddress: Error {}

    /// The addresses of a host, looked up on a thread that may block.
    static func addresses(of host: String, on eventLoop: any EventLoop) -> EventLoopFuture<[IPAddress]> {
        NIOThreadPool.singleton.runIfActive(eventLoop: eventLoop) { try addresses(of: host) }
    }

    /// The addresses in the system's order, without duplicates; blocks.
    static func addresses(of host: String) throws -> [IPAddress] {
        var first: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, nil, &first) == 0 else {
            throw NoAddress()
        }
        defer { if let first { freeaddrinfo(first) } }
        var found: [IPAddress] = []
        var next = first
        while let entry = next?.pointee {
            if let address = address(entry), !found.contains(address) { found.append(address) }
            next = entry.ai_next
        }
        return found
    }

    /// Through the system's text of the address, since the module with the members of `sockaddr_in` differs.
    private static func address(_ entry: addrinfo) -> IPAddress? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            guard let start = buffer.baseAddress,
                getnameinfo(entry.ai_addr, entry.ai_addrlen, start, 255, nil, 0, NI_NUMERICHOST) == 0
            else { return nil }
            // A zone (`fe80::1%eth0`) is not part of the address.
            return IPAddress(String(cString: start).before("%"))
        }
    }
}
