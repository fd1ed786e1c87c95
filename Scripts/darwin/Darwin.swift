// SPDX-License-Identifier: Apache-2.0

// Stands in for Apple's C library: what its headers declare and glibc's do not, or declare otherwise.

@_exported public import Glibc

// <stdio.h>, <fcntl.h>, <sys/socket.h>
@discardableResult public func renamex_np(_ from: UnsafePointer<CChar>, _ to: UnsafePointer<CChar>, _ flags: UInt32) -> Int32 { -1 }
public let RENAME_EXCL: Int32 = 4
public let F_FULLFSYNC: Int32 = 51
public let SO_NWRITE: Int32 = 0x1024
public let SOCK_STREAM: Int32 = 1
public let MSG_DONTWAIT: Int32 = 0x80
public let RLIMIT_NOFILE: Int32 = 8

// <stdlib.h>
@discardableResult public func grantpt(_: Int32) -> Int32 { 0 }
@discardableResult public func unlockpt(_: Int32) -> Int32 { 0 }
public func ptsname(_: Int32) -> UnsafeMutablePointer<CChar>? { nil }

// <sys/stat.h>
extension stat {
    public var st_mtimespec: timespec { st_mtim }
}

// <sys/signal.h>
public struct __sigaction_u {
    public var __sa_handler: (@convention(c) (Int32) -> Void)?
}

extension sigaction {
    public var __sigaction_u: Darwin.__sigaction_u { Darwin.__sigaction_u() }
}

extension siginfo_t {
    public var si_pid: pid_t { 0 }
    public var si_status: Int32 { 0 }
}

// <spawn.h>: the types are pointers.
public typealias SpawnAttributes = UnsafeMutablePointer<posix_spawnattr_t?>
public typealias SpawnActions = UnsafeMutablePointer<posix_spawn_file_actions_t?>
@discardableResult public func posix_spawnattr_init(_: SpawnAttributes) -> Int32 { 0 }
@discardableResult public func posix_spawnattr_destroy(_: SpawnAttributes) -> Int32 { 0 }
@discardableResult public func posix_spawnattr_setflags(_: SpawnAttributes, _: Int16) -> Int32 { 0 }
@discardableResult public func posix_spawnattr_setsigmask(_: SpawnAttributes, _: UnsafePointer<sigset_t>) -> Int32 { 0 }
@discardableResult public func posix_spawnattr_setsigdefault(_: SpawnAttributes, _: UnsafePointer<sigset_t>) -> Int32 { 0 }
@discardableResult public func posix_spawn_file_actions_init(_: SpawnActions) -> Int32 { 0 }
@discardableResult public func posix_spawn_file_actions_destroy(_: SpawnActions) -> Int32 { 0 }
@discardableResult public func posix_spawn_file_actions_adddup2(_: SpawnActions, _: Int32, _: Int32) -> Int32 { 0 }
@discardableResult public func posix_spawn(
    _: UnsafeMutablePointer<pid_t>, _: UnsafePointer<CChar>, _: UnsafePointer<posix_spawn_file_actions_t?>,
    _: UnsafePointer<posix_spawnattr_t?>, _: UnsafePointer<UnsafeMutablePointer<CChar>?>,
    _: UnsafePointer<UnsafeMutablePointer<CChar>?>
) -> Int32 { 0 }
