// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "message.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

void complain(const char *format, ...)
{
    va_list arguments;

    fputs("tactus: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
}

void complain_kernel(const char *what, tac_status status, tac_fault fault, const tac_model *model,
                     const tac_state *state, const tac_input *input)
{
    char text[400];
    tac_fault_text(&fault, model, state, input, text, sizeof text);
    complain("%s: status %" PRId32 " (%s): %s", what, status, tac_status_name(status), text);
}

void complain_link(const char *what, const link_client *client, int result)
{
    const link_error *error = &client->error;

    if (result != LINK_REFUSED) {
        const int named = result == LINK_NO_ROOM && client->over != IMAGE_FITS;
        complain("%s: %s%s%s", what, link_result_name(result), named ? ": " : "",
                 named ? link_count_name(client->over) : "");
    } else if (error->reason == LINK_E_KERNEL) {
        complain_kernel(what, error->status, error->fault, NULL, NULL, NULL);
    } else if (error->reason == LINK_E_CAPACITY) {
        complain("%s: refused, %s: %s", what, link_reason_name(error->reason), link_count_name(error->fault.index));
    } else {
        complain("%s: refused, %s", what, link_reason_name(error->reason));
    }
}

void progress(const char *what, uint64_t done, uint64_t total)
{
    static unsigned shown = 101;
    const unsigned percent = total == 0 ? 100 : (unsigned)(100 * done / total);

    if (percent == shown || !isatty(STDERR_FILENO)) return;
    shown = percent;
    if (done < total) {
        fprintf(stderr, "\r%s: %u %%", what, percent);
    } else {
        fputs("\r\033[K", stderr);
    }
}
