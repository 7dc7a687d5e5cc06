/*
 * pdf.c - the page printed by Chromium (report.h)
 */
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "base/outfile.h"
#include "base/spawn.h"
#include "drawings/pdf_dates.h"
#include "report/program.h"
#include "report/report.h"

/* The first browser of the list that is in $PATH; NULL: none is. */
static const char *browser(void)
{
    static const char *const name[] = {"chromium", "chromium-browser", "google-chrome",
                                       NULL};
    int k = 0;
    while (name[k] && !spawn_found(name[k]))
        k++;
    return name[k];
}

/* Writes the address of a file, in which all but plain letters stand as %20. */
static void write_address(const char *path, char *address, size_t size)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789-._~/";
    size_t length = (size_t)snprintf(address, size, "file://");
    for (; *path && length + 4 < size; path++)
        length += (size_t)snprintf(address + length, size - length,
                                   strchr(plain, *path) ? "%c" : "%%%02X",
                                   (unsigned char)*path);
}

/* Settles the dates of a PDF in its file. */
static void settle_dates(const char *path)
{
    struct stat known;
    FILE *file = fopen(path, "r+");
    if (!file)
        return;
    size_t size = fstat(fileno(file), &known) == 0 ? (size_t)known.st_size : 0;
    char *text = memory_new(1, size + 1);
    size = fread(text, 1, size, file);
    pdf_settle_dates(text, size);
    rewind(file);
    fwrite(text, 1, size, file);
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

/* Lets the browser print the page in `folder` into a file; its words go to `log`. Returns
   its exit status, or -1 and `why`. */
static int print_page(const char *program, const char *folder, const char *into,
                      const char *log, char *why, int size)
{
    char page[PATH_MAX + 40], address[3 * sizeof page], to[PATH_MAX + 40];
    char profile[PATH_MAX + 60];
    snprintf(page, sizeof page, "%s/index.html", folder);
    write_address(page, address, sizeof address);
    snprintf(to, sizeof to, "--print-to-pdf=%s", into);
    snprintf(profile, sizeof profile, "--user-data-dir=%s/data/chromium", folder);
    const char *const argument[] = {
        program, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
        "--disable-extensions", "--no-pdf-header-footer", profile, to, address, NULL};
    int status = program_run_files(argument, "/dev/null", log, why, size);
    remove_folder(strchr(profile, '=') + 1);
    return status;
}

/* Has the browser printed anything? */
static bool is_printed(const char *path)
{
    struct stat known;
    return stat(path, &known) == 0 && known.st_size > 0;
}

bool report_pdf(const struct report *report, char *error, int size)
{
    char folder[PATH_MAX], path[PATH_MAX + 40], log[PATH_MAX + 300], why[200] = "";
    struct outfile file = {0};
    const char *program = browser();
    if (!program) {
        snprintf(error, (size_t)size, "--pdf needs chromium, which is not in PATH; on "
                 "Debian: apt-get install chromium; the page itself is there");
        return false;
    }
    report_path(report, "pdf.log", log, sizeof log);
    snprintf(path, sizeof path, "%s/report.pdf", report->folder);
    bool open = realpath(report->folder, folder) && outfile_open(&file, path);
    bool good = open && print_page(program, folder, file.temporary, log, why,
                                   sizeof why) == 0 && is_printed(file.temporary);
    if (good)
        settle_dates(file.temporary);
    good = good && outfile_finish(&file) && outfile_publish(&file);
    if (!open)
        snprintf(error, (size_t)size, "%.300s: cannot be written: %s", path, file.error);
    else if (!good)
        snprintf(error, (size_t)size, "%s could not print the page%s%s; its words are "
                 "in %.300s", program, *why ? ": " : "", why, log);
    outfile_discard(&file);
    return good;
}
