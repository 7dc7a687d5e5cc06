/*
 * certificates.c - tests speak to nobody, and read no certificates.
 *
 * Criterion is linked with libgit2, which reads those of the machine whenever a program
 * starts, and each test is a program that starts: a quarter of the time until it begins,
 * two fifths beside a sanitizer, whose strstr() measures all that is left of the file at
 * each line. What libgit2 of Debian calls for it, a function of Mbed TLS, is this one in
 * a test; of another libgit2, which calls others, nothing changes.
 */

__attribute__((visibility("default")))
int mbedtls_x509_crt_parse_file(void *chain, const char *path);

int mbedtls_x509_crt_parse_file(void *chain, const char *path)
{
    (void)chain;
    (void)path;
    return 0;
}
