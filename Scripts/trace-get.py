#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Traces one GET, and compares what it sees with "The path of a GET" in ARCHITECTURE.md.

    Scripts/trace-get.py [PROGRAM]            traces; fails where ARCHITECTURE.md says something else
    Scripts/trace-get.py [PROGRAM] --files    also prints each file that the GET ran, and which files called it

PROGRAM is a debug build of Examples/ClientCheck's `OneGet` (.build/debug/OneGet), which runs under ptrace against a
server of this script's: a plain GET without hooks, on a connection that is kept. Breakpoints on all functions of the
library tell when each is first entered and who called it. Callers are those on the stack and, from an asynchronous
function on, those that wait for it. Linux on x86-64; elsewhere it says so and ends well.

Of the list in ARCHITECTURE.md it shows:

- the GET enters the function named for each file, in the order of the list;
- each of them was called from a file further up in the list, and the library has no other file between the two; only
  the verb, and what SwiftNIO calls with the bytes that it has read, have no caller;
- no file is missing that is on the stack when the request is written to the socket or when the waiting task is woken,
  or that the woken task goes back through.

Files beside the list are those that a listed one asks for something: settings, fields, clocks, the ledger. That they
are rightly left out of it, the script can't tell.
"""

import bisect
import ctypes
import http.server
import os
import platform
import re
import shutil
import signal
import struct
import subprocess
import sys
import threading

MODULES = ("Cumulus", "CumulusCore", "CumulusNIO")
MOST = 25
# How the second part of an asynchronous function is named, and those after it.
RESUMPTION = re.compile(r"(T[YQR]\d+_)+$")


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, check=True, **options).stdout


def tool(name):
    """A tool of LLVM's, which lies beside the compiler."""
    compiler = os.path.realpath(shutil.which("swift") or "")
    beside = os.path.join(os.path.dirname(compiler), name)
    return beside if os.path.exists(beside) else name


class Functions:
    """The functions of a program, by address; of the library's also names and files."""

    def __init__(self, program):
        names, asynchronous = {}, set()
        for line in run("nm", "--defined-only", program).splitlines():
            address, kind, name = line.split(maxsplit=2)
            if kind in "tT":
                names[int(address, 16)] = name
            elif name.endswith("Tu"):
                asynchronous.add(name[:-2])
        self.starts = sorted(names)
        self.asynchronous = {
            address for address, name in names.items() if RESUMPTION.search(name) or name in asynchronous
        }
        # A mangled name has its module in full at least once.
        ours = re.compile("|".join(f"{len(module)}{module}" for module in MODULES))
        self.names = {address: name for address, name in names.items() if ours.search(name)}
        marks = {name: address for address, name in names.items()}
        self.begin, self.end = marks["$s6OneGetAAV5beginyyFZ"], marks["$s6OneGetAAV3endyyFZ"]
        self.files = self.find_files(program)

    def find_files(self, program):
        addresses = "\n".join(map(hex, self.names))
        told = run(tool("llvm-symbolizer"), "--obj=" + program, "--no-inlines", input=addresses).strip().split("\n\n")
        files = {}
        for address, lines in zip(self.names, told):
            # What the compiler made by itself has line 0.
            found = re.search(r"/Sources/(\w+)/(.+\.swift):[1-9]\d*:\d+$", lines.split("\n")[1])
            if found and found[1] in MODULES:
                files[address] = f"{found[1]}/{found[2]}"
        # An asynchronous function's parts are where its beginning is.
        beginnings = {name: files.get(address) for address, name in self.names.items()}
        for address, name in self.names.items():
            if RESUMPTION.search(name) and beginnings.get(RESUMPTION.sub("", name)):
                files[address] = beginnings[RESUMPTION.sub("", name)]
        return files

    def around(self, address):
        """The function that an address is in."""
        return self.starts[bisect.bisect_right(self.starts, address) - 1]

    def is_resumption(self, function):
        return RESUMPTION.search(self.names[function]) is not None


class Registers(ctypes.Structure):
    _fields_ = [(name, ctypes.c_ulonglong) for name in (
        "r15 r14 r13 r12 rbp rbx r11 r10 r9 r8 rax rcx rdx rsi rdi orig_rax rip cs eflags rsp ss fs_base gs_base "
        "ds es fs gs").split()]


class Process:
    """A program under ptrace with all its threads; its memory and its breakpoints, each of which is met once."""

    GET_REGISTERS, SET_REGISTERS, CONTINUE, SET_OPTIONS = 12, 13, 24, 0x4200
    # What a system call stops with, so that it can be told from a breakpoint.
    SYSTEM_CALL = signal.SIGTRAP | 0x80

    def __init__(self, *command):
        self.libc = ctypes.CDLL(None, use_errno=True)
        self.libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
        self.libc.ptrace.restype = ctypes.c_long
        self.saved = {}
        self.id = os.fork()
        if self.id == 0:
            if self.libc.ptrace(0, 0, None, None) == 0:
                os.execv(command[0], command)
            os._exit(1)
        if not os.WIFSTOPPED(os.waitpid(self.id, 0)[1]):
            raise PermissionError
        # New threads too (8), marked system calls (1), and an end when this script ends (0x100000).
        self.ptrace(self.SET_OPTIONS, self.id, 0, 8 | 1 | 0x100000)
        self.memory = os.open(f"/proc/{self.id}/mem", os.O_RDWR)

    def ptrace(self, request, thread, address=0, data=0):
        # A thread may have ended meanwhile (3, ESRCH).
        if self.libc.ptrace(request, thread, address, data) < 0 and ctypes.get_errno() != 3:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))

    def registers(self, thread):
        registers = Registers()
        self.ptrace(self.GET_REGISTERS, thread, 0, ctypes.addressof(registers))
        return registers

    def read(self, address, length):
        try:
            return os.pread(self.memory, length, address)
        except (OSError, OverflowError):
            return b""

    def word(self, address):
        data = self.read(address, 8)
        return struct.unpack("<Q", data)[0] if len(data) == 8 else 0

    def loaded(self, name):
        """Where a program or library begins in memory, and its path."""
        with open(f"/proc/{self.id}/maps", encoding="utf-8") as maps:
            lines = [line.split() for line in maps if line.rstrip().endswith("/" + name)]
        return min(int(line[0].split("-")[0], 16) for line in lines), lines[0][-1]

    def exported(self, library, *names):
        """The addresses of a library's functions, with their names."""
        base, path = self.loaded(library)
        lines = [line.split() for line in run("nm", "-D", "--defined-only", path).splitlines()]
        return {base + int(line[0], 16): name for line in lines if (name := line[-1].split("@")[0]) in names}

    def arm(self, addresses):
        for address in addresses:
            self.saved[address] = self.read(address, 1)
            os.pwrite(self.memory, b"\xcc", address)

    def disarm(self, addresses):
        for address in addresses:
            os.pwrite(self.memory, self.saved.pop(address), address)

    def run(self, at_breakpoint, at_system_call):
        """Lets it run to its end, and gives its status."""
        self.ptrace(self.CONTINUE, self.id)
        while True:
            thread, status = os.waitpid(-1, 0x40000000)
            if not os.WIFSTOPPED(status):
                if thread == self.id:
                    return os.waitstatus_to_exitcode(status)
                continue
            stopped = os.WSTOPSIG(status)
            if stopped == self.SYSTEM_CALL:
                at_system_call()
            elif stopped == signal.SIGTRAP and status >> 16 == 0:
                self.pass_breakpoint(thread, at_breakpoint)
            own = stopped in (self.SYSTEM_CALL, signal.SIGTRAP, signal.SIGSTOP)
            self.ptrace(self.CONTINUE, thread, 0, 0 if own else stopped)

    def pass_breakpoint(self, thread, at_breakpoint):
        registers = self.registers(thread)
        registers.rip -= 1
        self.ptrace(self.SET_REGISTERS, thread, 0, ctypes.addressof(registers))
        # Another thread may have met it first.
        if registers.rip in self.saved:
            self.disarm([registers.rip])
            at_breakpoint(registers)


class Trace:
    """What ran between the two marks of `OneGet`."""

    def __init__(self, program, functions, url):
        self.functions = functions
        # Functions in the order in which they were entered, and the files that called them, the nearest first.
        self.entered, self.callers = [], {}
        # The files on the stack when the request was written and when the task was woken; and what the task goes on with.
        self.writing = self.waking = self.woken = None
        self.process = Process(program, url)
        self.base = self.process.loaded(os.path.basename(program))[0]
        self.writers, self.wakers, self.passed = {}, {}, []
        self.process.arm([self.base + self.functions.begin])
        self.status = self.process.run(self.stopped, self.called)

    def stopped(self, registers):
        function = registers.rip - self.base
        if function == self.functions.begin:
            self.begin()
        elif function == self.functions.end:
            self.process.disarm(list(self.process.saved))
        elif registers.rip in self.writers:
            self.write(registers)
        elif registers.rip in self.wakers:
            self.wake(registers)
        else:
            self.enter(function, registers)

    def begin(self):
        self.writers = self.process.exported("libc.so.6", "write", "writev", "send", "sendmsg")
        self.process.arm(self.writers)
        self.process.arm(self.base + function for function in [*self.functions.files, self.functions.end])

    def enter(self, function, registers):
        self.entered.append(function)
        if self.functions.is_resumption(function):
            return
        if function in self.functions.asynchronous:
            calls = self.waiting(registers.r14)
        else:
            calls = self.stack(registers)
        own = self.functions.files[function]
        self.callers[function] = [file for file in self.listed(calls) if file != own]

    def write(self, registers):
        kind, buffer = self.writers[registers.rip], registers.rsi
        if kind in ("writev", "sendmsg"):
            buffer = self.process.word(buffer if kind == "writev" else self.process.word(buffer + 16))
        if self.process.read(buffer, 4) != b"GET ":
            self.passed.append(registers.rip)
            return
        self.writing = self.listed(self.stack(registers))
        self.process.disarm([writer for writer in self.writers if writer in self.process.saved])
        self.wakers = self.process.exported(
            "libswift_Concurrency.so", "swift_continuation_resume", "swift_continuation_throwingResume")
        self.process.arm(self.wakers)

    def called(self):
        """A system call: the function of the C library that makes it is past its breakpoint, which is put back."""
        if self.writing is None:
            self.process.arm(self.passed)
        self.passed.clear()

    def wake(self, registers):
        self.waking = self.listed(self.stack(registers))
        # A task keeps the context that it goes on with behind the 64 bytes of a job.
        self.woken = self.listed(self.waiting(self.process.word(registers.rdi + 64)))
        self.process.disarm([waker for waker in self.wakers if waker in self.process.saved])

    def stack(self, registers):
        """Who called a function that is just entered, as addresses in them."""
        address, frame = self.process.word(registers.rsp), registers.rbp
        while address:
            yield address - 1
            # An asynchronous function keeps its context below its frame; above it is whoever runs the task.
            if self.functions.around(address - 1 - self.base) in self.functions.asynchronous:
                yield from self.waiting(self.process.word(frame - 8))
                return
            address, frame = self.process.word(frame + 8), self.process.word(frame)

    def waiting(self, context):
        """Who waits for an asynchronous function: each context has its parent, and the address where that goes on."""
        while context:
            yield self.process.word(context + 8)
            context = self.process.word(context)

    def listed(self, addresses):
        """The library's files that addresses are in; neighbours that are the same count once."""
        files = []
        for address in addresses:
            file = self.functions.files.get(self.functions.around(address - self.base))
            if file and file not in files[-1:]:
                files.append(file)
        return files


class Site(http.server.BaseHTTPRequestHandler):
    """Answers each GET with 212 bytes, on connections that stay open."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "application/octet-stream")
        self.send_header("Content-Length", "212")
        self.end_headers()
        self.wfile.write(b"x" * 212)

    def log_message(self, *_):
        pass


def documented():
    """The rows of ARCHITECTURE.md's list: a file below Sources/, and a function in it."""
    with open("ARCHITECTURE.md", encoding="utf-8") as file:
        section = file.read().partition("### The path of a GET\n")[2].partition("\n#")[0]
    return re.findall(r"^\| \d+ \| `([^`]+\.swift)` \| `(\w+)` \|", section, re.MULTILINE)


def complaints(trace, rows):
    """What ARCHITECTURE.md says and the trace doesn't show."""
    functions = trace.functions
    demangled = run(
        "swift", "demangle", "--compact", input="\n".join(functions.names[entered] for entered in trace.entered))
    names = dict(zip(trace.entered, demangled.splitlines()))
    if not 0 < len(rows) <= MOST:
        yield f"the list has {len(rows)} files, and may have 1 to {MOST}"
    above, latest = [], -1
    for file, name in rows:
        own = [
            entered for entered in trace.entered
            if functions.files[entered] == file and entered in trace.callers
            and re.search(rf"\b{name}\b *[<(]", names[entered]) and "closure #" not in names[entered]
        ]
        if not own:
            yield f"{file}: no function {name} was entered"
            continue
        position = trace.entered.index(own[0])
        if position < latest:
            yield f"{file}: {name} was entered before what stands above it"
        latest = max(latest, position)
        callers = trace.callers[own[0]]
        if callers and callers[0] not in above:
            yield f"{file}: {name} was called by {callers[0]}, which does not stand above it"
        elif not callers and above and name != "channelRead":
            yield f"{file}: {name} was called by nothing of the library's"
        above.append(file)
    for moment, files in (("the request was written", trace.writing), ("the task was woken", trace.waking),
                          ("the task was woken, in the task", trace.woken)):
        if not files:
            yield f"nothing of the library's was on the stack when {moment}"
        for file in dict.fromkeys(files or []):
            if file not in above:
                yield f"{file}: on the stack when {moment}, and not in the list"


def main():
    arguments = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    if platform.system() != "Linux" or platform.machine() != "x86_64":
        print("the trace of a GET needs Linux on x86-64: left out")
        return 0
    program = os.path.abspath(arguments[0] if arguments else ".build/debug/OneGet")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    functions, rows = Functions(program), documented()
    # On a busy machine the loop may have taken an idle connection back, and write itself.
    for _ in range(3):
        try:
            trace = Trace(program, functions, f"http://127.0.0.1:{server.server_port}/small")
        except PermissionError:
            print("ptrace is not permitted here: the trace of a GET is left out")
            return 0
        failures = list(complaints(trace, rows))
        if trace.status == 0 and not failures:
            break
    if trace.status != 0:
        print(f"{program} ended with {trace.status}", file=sys.stderr)
        return 1
    callers = {}
    for function in trace.entered:
        callers.setdefault(functions.files[function], []).extend(trace.callers.get(function, [])[:1])
    if "--files" in sys.argv:
        for file, of in callers.items():
            print(file, *(f"\n    <- {caller}" for caller in dict.fromkeys(of)), sep="")
    for failure in failures:
        print(failure, file=sys.stderr)
    print(f"a GET enters {len(trace.entered)} functions in {len(callers)} files, {len(rows)} of them in the list")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
