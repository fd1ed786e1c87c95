// SPDX-License-Identifier: Apache-2.0
// libcurl as a client under measurement: its easy interface for one request at a time, its multi interface with epoll
// (the one its authors recommend for many) for several.
#include <curl/curl.h>
#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "meter.h"

static long long received;
static workload work;

static size_t discard(char *bytes, size_t size, size_t number, void *context) {
    (void)bytes, (void)context;
    received += (long long)(size * number);
    return size * number;
}

static size_t save(char *bytes, size_t size, size_t number, void *context) {
    size_t left = size * number;
    while (left > 0) {
        ssize_t written = write((int)(long)context, bytes, left);
        if (written < 0) fail("write");
        bytes += written;
        left -= (size_t)written;
    }
    received += (long long)(size * number);
    return size * number;
}

static size_t load(char *bytes, size_t size, size_t number, void *context) {
    ssize_t count = read((int)(long)context, bytes, size * number);
    return count < 0 ? CURL_READFUNC_ABORT : (size_t)count;
}

static CURL *make(void) {
    CURL *handle = curl_easy_init();
    curl_easy_setopt(handle, CURLOPT_URL, work.url);
    curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, discard);
    curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(handle, CURLOPT_USERAGENT, "curl");
    curl_easy_setopt(handle, CURLOPT_ACCEPT_ENCODING, "gzip, deflate");
    curl_easy_setopt(handle, CURLOPT_TIMEOUT, 120L);
    if (strcmp(work.roots, "-")) curl_easy_setopt(handle, CURLOPT_CAINFO, work.roots);
    if (strcmp(work.mode, "h2") == 0) {
        curl_easy_setopt(handle, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS);
        curl_easy_setopt(handle, CURLOPT_PIPEWAIT, 1L);
    } else {
        curl_easy_setopt(handle, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1);
    }
    if (strcmp(work.kind, "fresh") == 0) {
        curl_easy_setopt(handle, CURLOPT_FRESH_CONNECT, 1L);
        curl_easy_setopt(handle, CURLOPT_FORBID_REUSE, 1L);
    }
    return handle;
}

static void check(CURL *handle, CURLcode code) {
    long status = 0;
    curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
    if (code != CURLE_OK) fail(curl_easy_strerror(code));
    if (status < 200 || status > 299) fail("the status is no success");
}

static void sequence(CURL *handle, long count) {
    for (long index = 0; index < count; index++) {
        int file = -1;
        double start = latencies ? seconds_now() : 0;
        if (strcmp(work.kind, "save") == 0) {
            file = open(work.file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
            curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, save);
            curl_easy_setopt(handle, CURLOPT_WRITEDATA, (void *)(long)file);
            curl_easy_setopt(handle, CURLOPT_BUFFERSIZE, 256L * 1024);
        } else if (strcmp(work.kind, "discard") == 0) {
            curl_easy_setopt(handle, CURLOPT_BUFFERSIZE, 256L * 1024);
        } else if (strcmp(work.kind, "upload") == 0) {
            struct stat status;
            file = open(work.file, O_RDONLY | O_CLOEXEC);
            if (file < 0 || fstat(file, &status) != 0) fail("no file to upload");
            curl_easy_setopt(handle, CURLOPT_UPLOAD, 1L);
            curl_easy_setopt(handle, CURLOPT_READFUNCTION, load);
            curl_easy_setopt(handle, CURLOPT_READDATA, (void *)(long)file);
            curl_easy_setopt(handle, CURLOPT_INFILESIZE_LARGE, (curl_off_t)status.st_size);
            curl_easy_setopt(handle, CURLOPT_UPLOAD_BUFFERSIZE, 256L * 1024);
            received += status.st_size;
        }
        check(handle, curl_easy_perform(handle));
        if (latencies) latencies[index] = seconds_now() - start;
        if (file >= 0) close(file);
    }
}

static int poller;
static long timeout_milliseconds = -1;

static int note_timer(CURLM *multi, long milliseconds, void *context) {
    (void)multi, (void)context;
    timeout_milliseconds = milliseconds;
    return 0;
}

static int note_socket(CURL *handle, curl_socket_t descriptor, int what, void *context, void *known) {
    (void)handle;
    struct epoll_event event = {0};
    event.data.fd = descriptor;
    if (what == CURL_POLL_REMOVE) {
        epoll_ctl(poller, EPOLL_CTL_DEL, descriptor, NULL);
        return 0;
    }
    event.events = (what & CURL_POLL_IN ? EPOLLIN : 0) | (what & CURL_POLL_OUT ? EPOLLOUT : 0);
    epoll_ctl(poller, known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, descriptor, &event);
    curl_multi_assign((CURLM *)context, descriptor, (void *)1);
    return 0;
}

// The time of a handle's request, where it is measured.
static double *start_of(CURL *handle) {
    char *start = NULL;
    curl_easy_getinfo(handle, CURLINFO_PRIVATE, &start);
    return (double *)start;
}

static void begin(CURLM *multi, CURL *handle) {
    if (latencies) *start_of(handle) = seconds_now();
    curl_multi_add_handle(multi, handle);
}

static void together(CURLM *multi, CURL **handles, long count) {
    long begun = 0, done = 0;
    int running = 0;
    struct epoll_event events[64];
    for (int index = 0; index < work.in_flight && begun < count; index++, begun++)
        begin(multi, handles[index]);
    while (done < count) {
        int ready = epoll_wait(poller, events, 64, timeout_milliseconds < 0 ? 1000 : (int)timeout_milliseconds);
        if (ready == 0) {
            timeout_milliseconds = -1;
            curl_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0, &running);
        }
        for (int index = 0; index < ready; index++) {
            int what = (events[index].events & (EPOLLIN | EPOLLHUP | EPOLLERR) ? CURL_CSELECT_IN : 0) |
                       (events[index].events & EPOLLOUT ? CURL_CSELECT_OUT : 0);
            curl_multi_socket_action(multi, events[index].data.fd, what, &running);
        }
        int left;
        CURLMsg *message;
        while ((message = curl_multi_info_read(multi, &left))) {
            if (message->msg != CURLMSG_DONE) continue;
            CURL *handle = message->easy_handle;
            check(handle, message->data.result);
            if (latencies) latencies[done] = seconds_now() - *start_of(handle);
            curl_multi_remove_handle(multi, handle);
            done++;
            if (begun < count) {
                begun++;
                begin(multi, handle);
            }
        }
    }
}

int main(int argument_count, char **arguments) {
    work = workload_read(argument_count, arguments);
    curl_global_init(CURL_GLOBAL_DEFAULT);
    const char *version = curl_version_info(CURLVERSION_NOW)->version;
    long warm_up = work.count > 1 ? (work.count / 10 > work.in_flight ? work.count / 10 : work.in_flight) : 0;
    meter start;
    if (work.in_flight == 1) {
        CURL *handle = make();
        sequence(handle, warm_up);
        received = 0;
        start = meter_now();
        sequence(handle, work.count);
    } else {
        CURLM *multi = curl_multi_init();
        CURL **handles = calloc((size_t)work.in_flight, sizeof *handles);
        double *starts = calloc((size_t)work.in_flight, sizeof *starts);
        poller = epoll_create1(EPOLL_CLOEXEC);
        curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, note_socket);
        curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, multi);
        curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, note_timer);
        curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, (long)work.in_flight);
        for (int index = 0; index < work.in_flight; index++) {
            handles[index] = make();
            curl_easy_setopt(handles[index], CURLOPT_PRIVATE, &starts[index]);
        }
        together(multi, handles, warm_up);
        received = 0;
        start = meter_now();
        together(multi, handles, work.count);
    }
    meter_print(start, version, work.count, received);
    return 0;
}
