// SPDX-License-Identifier: MIT
#include "asked.h"
#include "endpoint.h"
#include "message.h"
#include "tool.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

// Static: these are large.
static link_asked here;
static tac_work scratch;

static int failed(const char *what, const link_client *client, int result)
{
    if (result == LINK_DONE) return 0;
    complain_link(what, client, result);
    return 1;
}

static int ask_both(link_client *client, const world *w, link_question question)
{
    link_asking there;

    if (failed("sending the model", client, link_client_set_model(client, &w->model)) ||
        failed("sending the state", client, link_client_set_state(client, &w->model, &w->state)) ||
        failed("sending the input", client, link_client_set_input(client, &w->input)) ||
        failed("the question", client, link_client_ask(client, question, &there))) {
        return EXIT_BAD;
    }
    const tac_status status = link_question_ask(question, &here, &w->model, &w->state, &w->input, &scratch);
    if (status != there.status || here.answer.hash != there.hash) {
        complain("the firmware's answer differs: status %" PRId32 ", not %" PRId32 "; hash 0x%016" PRIx64
                 ", not 0x%016" PRIx64,
                 there.status, status, there.hash, here.answer.hash);
        return EXIT_BAD;
    }
    fprintf(stderr, "firmware: the same %u numbers, hash 0x%016" PRIx64 "; %" PRIu32 " ticks at %" PRIu32 " Hz\n",
            (unsigned)there.numbers, there.hash, there.ticks, client->hello.tick_rate);
    return EXIT_GOOD;
}

int asked_firmware(const char *name, const world *w, link_question question)
{
    static endpoint end;
    static link_client client;
    int code = EXIT_BAD;

    if (name == NULL) return EXIT_GOOD;
    if (endpoint_open(name, &end, &client) && endpoint_same_precision(&client)) {
        code = ask_both(&client, w, question);
    }
    endpoint_close(&end);
    return code;
}
