// SPDX-License-Identifier: Apache-2.0
// The limit of what a client can reach here: sockets and epoll, the request ready made, the answer hardly looked at.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "meter.h"

typedef struct {
    int descriptor;
    long answer; // bytes of the answer under way that have come
    double start;
} connection;

static char request[512];
static size_t request_length;
static long answer_length; // head and body, learnt from the first answer; all are the same
static long body_length;
static struct sockaddr_in address;

static void learn(const char *url) {
    char host[64], path[256];
    int port;
    if (sscanf(url, "http://%63[^:]:%d%255s", host, &port, path) != 3) fail("URL");
    address.sin_family = AF_INET;
    address.sin_port = htons((unsigned short)port);
    inet_pton(AF_INET, host, &address.sin_addr);
    request_length = (size_t)snprintf(request, sizeof request,
                                      "GET %s HTTP/1.1\r\nHost: %s:%d\r\nUser-Agent: c\r\n"
                                      "Accept-Encoding: gzip, deflate\r\n\r\n",
                                      path, host, port);
}

static int dial(void) {
    int descriptor = socket(AF_INET, SOCK_STREAM, 0), one = 1;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    if (connect(descriptor, (struct sockaddr *)&address, sizeof address) != 0) fail("connect");
    return descriptor;
}

static void ask(int descriptor) {
    if (send(descriptor, request, request_length, MSG_NOSIGNAL) != (ssize_t)request_length) fail("send");
}

// Takes what has come; true when the answer is there whole.
static int take(connection *from) {
    char bytes[65536];
    ssize_t count = recv(from->descriptor, bytes, sizeof bytes - 1, 0);
    if (count <= 0) fail("recv");
    if (answer_length == 0) {
        bytes[count] = 0;
        char *end = strstr(bytes, "\r\n\r\n"), *length = strcasestr(bytes, "content-length:");
        if (strncmp(bytes, "HTTP/1.1 200", 12) || !end || !length) fail("the first answer");
        body_length = atol(length + 15);
        answer_length = end + 4 - bytes + body_length;
    }
    from->answer += count;
    if (from->answer < answer_length) return 0;
    if (from->answer > answer_length) fail("too much");
    from->answer = 0;
    return 1;
}

static void sequence(long count) {
    connection one = {.descriptor = dial()};
    for (long index = 0; index < count; index++) {
        one.start = latencies ? seconds_now() : 0;
        ask(one.descriptor);
        while (!take(&one)) {
        }
        if (latencies) latencies[index] = seconds_now() - one.start;
    }
    close(one.descriptor);
}

static void fresh(long count) {
    for (long index = 0; index < count; index++) sequence(1);
}

static void begin(connection *one) {
    if (latencies) one->start = seconds_now();
    ask(one->descriptor);
}

static void together(connection *all, int in_flight, int poller, long count) {
    long begun = 0, done = 0;
    struct epoll_event events[64];
    for (int index = 0; index < in_flight && begun < count; index++, begun++) begin(&all[index]);
    while (done < count) {
        int ready = epoll_wait(poller, events, 64, -1);
        for (int index = 0; index < ready; index++) {
            connection *one = events[index].data.ptr;
            if (!take(one)) continue;
            if (latencies) latencies[done] = seconds_now() - one->start;
            done++;
            if (begun < count) {
                begun++;
                begin(one);
            }
        }
    }
}

int main(int argument_count, char **arguments) {
    workload work = workload_read(argument_count, arguments);
    learn(work.url);
    long warm_up = work.count > 1 ? (work.count / 10 > work.in_flight ? work.count / 10 : work.in_flight) : 0;
    meter start;
    if (work.in_flight == 1) {
        void (*run)(long) = strcmp(work.kind, "fresh") == 0 ? fresh : sequence;
        run(warm_up > 0 ? warm_up : 1);
        start = meter_now();
        run(work.count);
    } else {
        connection *all = calloc((size_t)work.in_flight, sizeof *all);
        int poller = epoll_create1(0);
        for (int index = 0; index < work.in_flight; index++) {
            all[index].descriptor = dial();
            struct epoll_event event = {.events = EPOLLIN, .data.ptr = &all[index]};
            epoll_ctl(poller, EPOLL_CTL_ADD, all[index].descriptor, &event);
        }
        together(all, work.in_flight, poller, warm_up);
        start = meter_now();
        together(all, work.in_flight, poller, work.count);
    }
    meter_print(start, "", work.count, work.count * (long long)body_length);
    return 0;
}
