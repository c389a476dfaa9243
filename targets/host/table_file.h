// SPDX-License-Identifier: MIT
// table_file.h - CSV files with a header: columns by the names in it, in any order. What is wrong is complained about
// with the file and the line.
#ifndef HOST_TABLE_FILE_H
#define HOST_TABLE_FILE_H

#include <stddef.h>
#include <stdio.h>

enum { TABLE_MAX_FIELDS = 8192 }; // a table of a run has 13 columns for each body, and more

typedef struct table_file {
    const char *path;
    FILE *stream;
    char *line;
    size_t line_size;
    unsigned long number;          ///< of the line, from 1
    char *field[TABLE_MAX_FIELDS]; ///< of the line, without blanks around
    int fields;
    int header_fields;
} table_file;

/// Open a file and cut its header into fields. Returns 0 after a complaint; table_file_close() is due either way.
int table_file_open(const char *path, table_file *t);

/// The same without a buffer: what has not been read is still in the file, as poll() sees it.
int table_file_open_live(const char *path, table_file *t);
void table_file_close(table_file *t);

/// While the header is the line: the field of the column of that name, -1 if there is none.
int table_file_column(const table_file *t, const char *name);

/// The same for a column that must be there: complains.
int table_file_must(const table_file *t, const char *name);

/// Go to the next line that is not blank. Returns 1, 0 at the end, -1 after a complaint: also if it has not as many
/// fields as the header.
int table_file_next(table_file *t);

/// A field of this line as a finite number; `column` is for the complaint. Returns 0 after one.
int table_file_number(const table_file *t, int field, const char *column, double *value);

#endif
