// SPDX-License-Identifier: MIT
// served.c - see served.h.
#include "served.h"
#include "link/server.h"
#include "tactus/port.h"

static struct {
    tac_input commands;
    tac_work work;
    link_server server;
    uint64_t period; // that control has seen last
} own;

void served_start(void)
{
    stand_start(&goal_keep);
    search_start();
    const link_port port = {port_write, port_read, port_ticks, port_tick_rate()};
    link_server_init(&own.server, port, &stand_model, &stand_state, &own.commands, &own.work);
    own.period = stand_state.step;
}

int served_byte(uint8_t byte)
{
    link_server_byte(&own.server, byte);
    return stand_state.step != own.period;
}

void served_control(void)
{
    if (stand_state.step < own.period) {
        if (planner_start(&stand_planner, &stand_state) != TAC_OK) port_panic("the planner is refused");
        search_start();
    }
    own.period = stand_state.step;
    stand_control(1, &own.commands);
}
