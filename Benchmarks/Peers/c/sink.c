// SPDX-License-Identifier: Apache-2.0
// A server that throws away what is uploaded without copying it, so that the client is what is measured.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static void serve(int descriptor) {
    static char bytes[1 << 20];
    const char answer[] = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
    const char go_on[] = "HTTP/1.1 100 Continue\r\n\r\n";
    size_t held = 0;
    for (;;) {
        char *end;
        bytes[held] = 0;
        while (!(end = strstr(bytes, "\r\n\r\n"))) {
            if (held > 65536) return;
            ssize_t count = recv(descriptor, bytes + held, 4096, 0);
            if (count <= 0) return;
            held += (size_t)count;
            bytes[held] = 0;
        }
        *end = 0;
        char *length = strcasestr(bytes, "content-length:"), *expect = strcasestr(bytes, "expect: 100");
        long long left = (length ? atoll(length + 15) : 0) - (long long)(held - (size_t)(end + 4 - bytes));
        if (left < 0) return;
        if (expect) send(descriptor, go_on, sizeof go_on - 1, MSG_NOSIGNAL);
        while (left > 0) {
            ssize_t count = recv(descriptor, bytes, left < 1 << 20 ? (size_t)left : 1 << 20, MSG_TRUNC);
            if (count <= 0) return;
            left -= count;
        }
        held = 0;
        if (send(descriptor, answer, sizeof answer - 1, MSG_NOSIGNAL) < 0) return;
    }
}

// Listens on a free port of 127.0.0.1 and prints it.
int main(void) {
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    if (bind(listener, (struct sockaddr *)&address, length) || listen(listener, 128)) return 1;
    getsockname(listener, (struct sockaddr *)&address, &length);
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);
    for (;;) {
        int descriptor = accept(listener, NULL, NULL);
        if (descriptor < 0) continue;
        if (fork() == 0) {
            close(listener);
            serve(descriptor);
            _exit(0);
        }
        close(descriptor);
        while (waitpid(-1, NULL, WNOHANG) > 0) {
        }
    }
}
