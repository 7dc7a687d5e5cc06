/*
 * whole_file.h - the text of a file.
 */
#ifndef SALTUS_WHOLE_FILE_H
#define SALTUS_WHOLE_FILE_H

/* The text of a file, to be freed; NULL: it cannot be read. */
char *whole_file(const char *path);

#endif
