// SPDX-License-Identifier: MIT
#include "joints.h"

#include <stdlib.h>
#include <string.h>

uint32_t joint_find(const tac_model *model, const joint_names *names, const char *text)
{
    char *end;

    for (uint32_t i = 0; names != NULL && i < model->joints; i++) {
        if (strcmp(names->name[i], text) == 0) return i;
    }
    const unsigned long number = strtoul(text, &end, 10);
    const int whole = text[0] >= '0' && text[0] <= '9' && *end == '\0';
    return whole && number < model->joints ? (uint32_t)number : model->joints;
}
