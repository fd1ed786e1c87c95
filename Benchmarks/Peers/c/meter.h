// SPDX-License-Identifier: Apache-2.0
// Reads what a process has used, and prints a run's object, for the clients in C.
#ifndef METER_H
#define METER_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

// Only there where the counter has been loaded before the program.
extern unsigned long allocation_count(void) __attribute__((weak));

typedef struct {
    double wall, processor;
    unsigned long allocations;
} meter;

static double seconds_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static meter meter_now(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    meter now;
    now.wall = seconds_now();
    now.processor = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                    (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
    now.allocations = allocation_count ? allocation_count() : 0;
    return now;
}

static long meter_peak_kilobytes(void) {
    FILE *file = fopen("/proc/self/status", "r");
    char line[256];
    long peak = 0;
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "VmHWM: %ld", &peak) == 1) break;
    if (file) fclose(file);
    return peak;
}

// Seconds that requests took, each in its place; NULL where they aren't measured.
static double *latencies;

static int compare(const void *a, const void *b) {
    double first = *(const double *)a, second = *(const double *)b;
    return (first > second) - (first < second);
}

static double milliseconds(long requests, long permille) {
    long index = requests * permille / 1000;
    return latencies[index < requests ? index : requests - 1] * 1e3;
}

static void meter_print(meter start, const char *version, long requests, long long bytes) {
    meter end = meter_now();
    printf("{\"version\": \"%s\", \"requests\": %ld, \"bytes\": %lld, \"seconds\": %.6f, \"cpu\": %.6f, "
           "\"allocations\": %lu, \"peak_kb\": %ld",
           version, requests, bytes, end.wall - start.wall, end.processor - start.processor,
           end.allocations - start.allocations, meter_peak_kilobytes());
    if (latencies) {
        qsort(latencies, (size_t)requests, sizeof *latencies, compare);
        printf(", \"p50_ms\": %f, \"p99_ms\": %f, \"p999_ms\": %f, \"max_ms\": %f", milliseconds(requests, 500),
               milliseconds(requests, 990), milliseconds(requests, 999), milliseconds(requests, 1000));
    }
    printf("}\n");
}

// The arguments that all clients take: KIND COUNT IN-FLIGHT URL FILE ROOTS MODE, where `-` is none.
typedef struct {
    const char *kind, *url, *file, *roots, *mode;
    long count;
    int in_flight;
} workload;

static workload workload_read(int count, char **arguments) {
    if (count != 8) {
        fprintf(stderr, "KIND COUNT IN-FLIGHT URL FILE ROOTS MODE\n");
        exit(2);
    }
    workload work = {arguments[1], arguments[4], arguments[5], arguments[6], arguments[7], atol(arguments[2]),
                     atoi(arguments[3])};
    if (work.count < 1 || work.in_flight < 1) exit(2);
    if (strcmp(work.kind, "paced") == 0) {
        fprintf(stderr, "paced requests are not supported\n");
        exit(2);
    }
    // The warm-up may make as many requests as are in flight.
    if (strcmp(work.kind, "latency") == 0)
        latencies = calloc((size_t)(work.count + work.in_flight), sizeof *latencies);
    return work;
}

static void fail(const char *what) {
    fprintf(stderr, "%s\n", what);
    exit(1);
}

#endif
