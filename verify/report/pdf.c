/*
 * pdf.c - the page printed by Chromium (report.h)
 */
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "report/program.h"
#include "report/report.h"

/* The first browser of the list that is in PATH; NULL: none is. */
static const char *browser(void)
{
    static const char *const name[] = {"chromium", "chromium-browser", "google-chrome",
                                       NULL};
    char path[PATH_MAX];
    for (int k = 0; name[k]; k++) {
        const char *list = getenv("PATH");
        while (list && *list) {
            size_t length = strcspn(list, ":");
            snprintf(path, sizeof path, "%.*s/%s", (int)length, list, name[k]);
            if (access(path, X_OK) == 0)
                return name[k];
            list += length + (list[length] == ':');
        }
    }
    return NULL;
}

/* Writes a fixed date, as long to the byte, where the file has the time at which it was
   made: two runs share the rest. */
static void settle_dates(const char *path)
{
    static const char *const key[] = {"/CreationDate (D:", "/ModDate (D:"};
    static const char date[] = "20000101000000";
    struct stat known;
    FILE *file = fopen(path, "r+");
    if (!file)
        return;
    size_t size = fstat(fileno(file), &known) == 0 ? (size_t)known.st_size : 0;
    char *text = memory_new(1, size + 1);
    size = fread(text, 1, size, file);
    for (int k = 0; k < 2; k++) {
        const char *at = memmem(text, size, key[k], strlen(key[k]));
        if (at && fseek(file, at - text + (long)strlen(key[k]), SEEK_SET) == 0)
            fwrite(date, 1, sizeof date - 1, file);
    }
    free(text);
    fclose(file);
}

static int remove_one(const char *path, const struct stat *known, int kind,
                      struct FTW *place)
{
    (void)known;
    (void)kind;
    (void)place;
    return remove(path);
}

/* Removes the folder in which the browser has kept its settings. */
static void remove_folder(const char *path)
{
    nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

bool report_pdf(const struct report *report, char *error, int size)
{
    char folder[PATH_MAX], from[PATH_MAX + 40], to[PATH_MAX + 60], part[PATH_MAX + 40];
    char profile[PATH_MAX + 60], out[PATH_MAX + 300], why[200] = "";
    const char *program = browser();
    if (!program || !realpath(report->folder, folder)) {
        snprintf(error, (size_t)size, "--pdf needs chromium, which is not in PATH; on "
                 "Debian: apt-get install chromium; the page itself is there");
        return false;
    }
    snprintf(from, sizeof from, "file://%s/index.html", folder);
    snprintf(part, sizeof part, "%s/report.pdf.part", folder);
    snprintf(to, sizeof to, "--print-to-pdf=%s", part);
    snprintf(profile, sizeof profile, "--user-data-dir=%s/data/chromium", folder);
    report_path(report, "pdf.log", out, sizeof out);
    const char *const argument[] = {
        program, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
        "--disable-extensions", "--no-pdf-header-footer", profile, to, from, NULL};
    unlink(part);
    int status = program_run_files(argument, "/dev/null", out, why, sizeof why);
    remove_folder(profile + strlen("--user-data-dir="));
    settle_dates(part);
    snprintf(to, sizeof to, "%s/report.pdf", folder);
    if (status == 0 && rename(part, to) == 0)
        return true;
    unlink(part);
    snprintf(error, (size_t)size, "%s could not print the page%s%s; its words are in "
             "%.300s", program, *why ? ": " : "", why, out);
    return false;
}
