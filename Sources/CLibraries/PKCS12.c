// SPDX-License-Identifier: Apache-2.0

#include "CLibraries.h"
#include "Library.h"

#include <limits.h>
#include <pthread.h>
#include <string.h>

// The parts of OpenSSL 3's headers that are used, declared here so that the headers are not needed.
enum { PKCS7_DATA = 21, PENDING = 10 };
typedef void Certificate;
typedef void Memory;

static void *(*new_context)(void);
static void *(*load_provider)(void *context, const char *name);
static void *(*new_file)(int content, void *context, const char *properties);
static void *(*decode_file)(Memory *, void **file);
static void (*free_file)(void *);
static int (*has_mac)(const void *file);
static int (*verify_mac)(void *file, const char *passphrase, int length);
static int (*open_file)(void *file, const char *passphrase, void **key, Certificate **, void **issuers);
static void (*free_key)(void *);
static void (*free_certificate)(Certificate *);
static int (*count_of)(const void *stack);
static Certificate *(*element)(const void *stack, int index);
static void (*free_stack)(void *stack, void (*)(void *));
static Memory *(*memory_with)(const void *bytes, int count);
static const void *(*memory_kind)(void);
static Memory *(*new_memory)(const void *kind);
static int (*read_memory)(Memory *, void *room, int count);
static long (*control_memory)(Memory *, int command, long number, void *pointer);
static int (*free_memory)(Memory *);
static int (*write_certificate)(Memory *, Certificate *);
static int (*write_key)(Memory *, const void *key, const void *cipher, const char *, int, void *, void *);
static unsigned long (*last_error)(void);
static const char *(*error_text)(unsigned long);
static int (*set_mark)(void);
static int (*remove_to_mark)(void);

static char problem[256];
static bool is_there;
// Its own, so that the program's other uses of OpenSSL don't get the old ciphers.
static void *context;
static bool has_old_ciphers;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    const Symbol symbols[] = {
        {"OSSL_LIB_CTX_new", &new_context},
        {"OSSL_PROVIDER_load", &load_provider},
        {"PKCS12_init_ex", &new_file},
        {"d2i_PKCS12_bio", &decode_file},
        {"PKCS12_free", &free_file},
        {"PKCS12_mac_present", &has_mac},
        {"PKCS12_verify_mac", &verify_mac},
        {"PKCS12_parse", &open_file},
        {"EVP_PKEY_free", &free_key},
        {"X509_free", &free_certificate},
        {"OPENSSL_sk_num", &count_of},
        {"OPENSSL_sk_value", &element},
        {"OPENSSL_sk_pop_free", &free_stack},
        {"BIO_new_mem_buf", &memory_with},
        {"BIO_s_mem", &memory_kind},
        {"BIO_new", &new_memory},
        {"BIO_read", &read_memory},
        {"BIO_ctrl", &control_memory},
        {"BIO_free", &free_memory},
        {"PEM_write_bio_X509", &write_certificate},
        {"PEM_write_bio_PKCS8PrivateKey", &write_key},
        {"ERR_peek_last_error", &last_error},
        {"ERR_reason_error_string", &error_text},
        {"ERR_set_mark", &set_mark},
        {"ERR_pop_to_mark", &remove_to_mark},
    };
    size_t count = sizeof(symbols) / sizeof(symbols[0]);
    is_there = load_library(LIBRARY("crypto", "3"), symbols, count, problem, sizeof(problem));
    if (!is_there) return;
    set_mark();
    context = new_context();
    if (context != NULL) {
        load_provider(context, "default");
        // The ciphers of files from old systems; another package on some systems.
        has_old_ciphers = load_provider(context, "legacy") != NULL;
    }
    remove_to_mark();
}

const char *clibraries_pkcs12_missing(void) {
    pthread_once(&once, load);
    return is_there ? NULL : problem;
}

/// Writes the certificate, those of its issuers, and the key.
static CLibrariesPKCS12Result write_pem(Memory *pem, Certificate *certificate, const void *issuers, const void *key) {
    if (!write_certificate(pem, certificate)) return CLIBRARIES_PKCS12_UNREADABLE;
    int count = issuers == NULL ? 0 : count_of(issuers);
    for (int index = 0; index < count; index++) {
        if (!write_certificate(pem, element(issuers, index))) return CLIBRARIES_PKCS12_UNREADABLE;
    }
    bool is_written = write_key(pem, key, NULL, NULL, 0, NULL, NULL);
    return is_written ? CLIBRARIES_PKCS12_READ : CLIBRARIES_PKCS12_UNREADABLE;
}

/// Decrypts a file into the memory.
static CLibrariesPKCS12Result decrypt(void *file, const char *passphrase, Memory *pem) {
    if (!has_mac(file)) return CLIBRARIES_PKCS12_NO_MAC;
    unsigned long earlier = last_error();
    // An empty passphrase has two forms.
    bool is_valid = verify_mac(file, passphrase, -1) || (*passphrase == 0 && verify_mac(file, NULL, 0));
    // A wrong passphrase leaves no error, but a digest that OpenSSL doesn't have does.
    if (!is_valid) {
        return last_error() == earlier ? CLIBRARIES_PKCS12_WRONG_PASSPHRASE : CLIBRARIES_PKCS12_UNREADABLE;
    }
    void *key = NULL, *certificate = NULL, *issuers = NULL;
    if (!open_file(file, passphrase, &key, &certificate, &issuers)) return CLIBRARIES_PKCS12_UNREADABLE;
    CLibrariesPKCS12Result result = CLIBRARIES_PKCS12_NO_KEY;
    if (key != NULL && certificate == NULL) {
        result = issuers != NULL && count_of(issuers) > 0 ? CLIBRARIES_PKCS12_OTHER_KEY : CLIBRARIES_PKCS12_NO_CERTIFICATE;
    } else if (key != NULL) {
        result = write_pem(pem, certificate, issuers, key);
    }
    free_key(key);
    free_certificate(certificate);
    free_stack(issuers, free_certificate);
    return result;
}

CLibrariesPKCS12 clibraries_pkcs12_open(const uint8_t *bytes, size_t count, const char *passphrase) {
    CLibrariesPKCS12 opened = {.result = CLIBRARIES_PKCS12_UNREADABLE};
    if (clibraries_pkcs12_missing() != NULL || context == NULL || count > INT_MAX) return opened;
    // Errors that the program's other uses of OpenSSL left stay.
    set_mark();
    unsigned long earlier = last_error();
    Memory *input = memory_with(bytes, (int)count);
    Memory *pem = new_memory(memory_kind());
    void *file = new_file(PKCS7_DATA, context, NULL);
    if (input != NULL && pem != NULL && file != NULL && decode_file(input, &file) != NULL) {
        opened.result = decrypt(file, passphrase, pem);
    }
    free_file(file);
    free_memory(input);
    if (opened.result == CLIBRARIES_PKCS12_READ) {
        opened.pem = pem;
        opened.count = (size_t)control_memory(pem, PENDING, 0, NULL);
    } else {
        unsigned long code = last_error();
        if (code != earlier) opened.problem = error_text(code);
        if (opened.problem != NULL && strcmp(opened.problem, "unsupported") == 0 && !has_old_ciphers) {
            opened.problem = "its cipher may be one of OpenSSL's legacy provider, which is not installed";
        }
        free_memory(pem);
    }
    remove_to_mark();
    return opened;
}

bool clibraries_pkcs12_read(CLibrariesPKCS12 opened, uint8_t *room) {
    bool is_complete = read_memory(opened.pem, room, (int)opened.count) == (int)opened.count;
    // It overwrites what it frees.
    free_memory(opened.pem);
    return is_complete;
}
