// SPDX-License-Identifier: MIT
// port.c - start and sleep of port.h for a task of FreeRTOS; clock, channel, log and exit are those of port/bare.
//   given   the board's counter and alarm (board.h); FreeRTOSConfig.h beside this file
//   makes   port_init, port_wait_until, port_idle; the hooks that FreeRTOS calls
//   bound   a wake-up: one interrupt, one notification, one switch of tasks, behind the longest critical section
//   never   allocates; waits in ticks of FreeRTOS; lets two tasks sleep on the one alarm
#include "bare/bare.h"
#include "board.h"
#include "tactus/port.h"
#include "FreeRTOS.h"
#include "task.h"

#define ALARM_NOTIFICATION 1u // index of the task notification that the alarm sends
#if configTASK_NOTIFICATION_ARRAY_ENTRIES <= 1
#error "configTASK_NOTIFICATION_ARRAY_ENTRIES must be 2 or more: the last is the alarm's"
#endif

static TaskHandle_t volatile sleeper; // the task that the alarm wakes; NULL: none

void port_init(void)
{
    NVIC_PRIORITY(BOARD_ALARM_IRQ) = PORT_ALARM_PRIORITY;
    NVIC_PRIORITY(BOARD_RECEIVE_IRQ) = PORT_RECEIVE_PRIORITY;
    board_init();
    core_init();
    core_enable(BOARD_ALARM_IRQ);
    bare_listen();
    core_unlock();
}

void Alarm_Handler(void)
{
    BaseType_t switch_tasks = pdFALSE;

    board_alarm_clear();
    if (sleeper) vTaskNotifyGiveIndexedFromISR(sleeper, ALARM_NOTIFICATION, &switch_tasks);
    portYIELD_FROM_ISR(switch_tasks);
}

static int is_ahead(uint32_t deadline)
{
    return (int32_t)(deadline - board_ticks()) > 0;
}

static void own_alarm(void)
{
    taskENTER_CRITICAL();
    if (sleeper) port_panic("port_wait_until: another task sleeps on the alarm");
    sleeper = xTaskGetCurrentTaskHandle();
    taskEXIT_CRITICAL();
}

void port_wait_until(uint32_t deadline)
{
    if (!is_ahead(deadline)) return;
    if (xTaskGetSchedulerState() != taskSCHEDULER_RUNNING) {
        while (is_ahead(deadline)) {} // there is no task to give way to yet
        return;
    }
    own_alarm();
    while (is_ahead(deadline)) { // a notification may be left over from an alarm that was replaced
        board_alarm(deadline);
        ulTaskNotifyTakeIndexed(ALARM_NOTIFICATION, pdTRUE, portMAX_DELAY);
    }
    sleeper = NULL;
}

void port_idle(void)
{
    if (bare_silent() && xTaskGetSchedulerState() == taskSCHEDULER_RUNNING) vTaskDelay(1);
}

void vApplicationIdleHook(void);
void vApplicationIdleHook(void)
{
    core_wait();
}

void vApplicationStackOverflowHook(TaskHandle_t task, char *name);
void vApplicationStackOverflowHook(TaskHandle_t task, char *name)
{
    (void)task;
    port_log(name);
    port_panic("stack overflow of that task");
}
