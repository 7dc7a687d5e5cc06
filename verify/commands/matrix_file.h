/*
 * matrix_file.h - a matrix from a text file, for --opt NAME=@FILE.
 */
#ifndef SALTUS_MATRIX_FILE_H
#define SALTUS_MATRIX_FILE_H

/*
 * Reads a row per line, its numbers separated by blanks or commas; text behind '#' and
 * lines without numbers do not count. The file has a square matrix, or its diagonal in
 * one row or column, or a single number. Returns the numbers by rows, separated by commas
 * and the rows of a matrix by semicolons, digit by digit as they are in the file; the
 * caller frees. NULL: `error` [size] says in one line in which file, line and column what
 * is wrong.
 */
char *matrix_file_read(const char *path, char *error, int size);

#endif
