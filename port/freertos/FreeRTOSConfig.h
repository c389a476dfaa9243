// SPDX-License-Identifier: MIT
// FreeRTOSConfig.h - FreeRTOS as this port needs it: static memory, preemption by priority, every check on.
//   given   board.h: the clock; tactus/port.h: port_panic(), called by failed assertions
//   makes   the configuration of FreeRTOS; README.md has the priorities in a table
//   bound   one list of ready tasks for each of configMAX_PRIORITIES; the number of tasks is the application's choice
//   never   compiles a heap in
#ifndef FREERTOS_CONFIG_H
#define FREERTOS_CONFIG_H

#include "board.h"
#include "tactus/port.h"

// time. The tick is for the delays and timeouts of other tasks; the executive does not depend on its rate.
#define configCPU_CLOCK_HZ BOARD_TICK_RATE
#define configTICK_RATE_HZ 1000
#define configTICK_TYPE_WIDTH_IN_BITS TICK_TYPE_WIDTH_32_BITS

// tasks
#define configUSE_PREEMPTION 1
#define configUSE_TIME_SLICING 0 // tasks of one priority take turns when they block, not by the tick
#define configUSE_PORT_OPTIMISED_TASK_SELECTION 1
#define configMAX_PRIORITIES 8
#define configMINIMAL_STACK_SIZE 128 // words of the idle task
#define configMAX_TASK_NAME_LEN 16
#define configUSE_IDLE_HOOK 1 // the port's: sleep
#define configUSE_TICK_HOOK 0
#define configUSE_CO_ROUTINES 0

// memory
#define configSUPPORT_STATIC_ALLOCATION 1
#define configSUPPORT_DYNAMIC_ALLOCATION 0
#define configKERNEL_PROVIDED_STATIC_MEMORY 1 // of the idle task

// Entry 0 of the notifications is the application's, entry 1 the port's: the alarm.
#define configUSE_TASK_NOTIFICATIONS 1
#define configTASK_NOTIFICATION_ARRAY_ENTRIES 2
#define configUSE_MUTEXES 0
#define configUSE_TIMERS 0
#define configUSE_EVENT_GROUPS 0
#define configUSE_STREAM_BUFFERS 0

// Interrupts: 0 is the most urgent. Only the three upper bits are used, which every Cortex-M3, M4 and M7 has.
#define configMAX_SYSCALL_INTERRUPT_PRIORITY 0x40                // critical sections mask this and what is less urgent
#define PORT_ALARM_PRIORITY configMAX_SYSCALL_INTERRUPT_PRIORITY // it wakes a task, so it may not be more urgent
#define PORT_RECEIVE_PRIORITY 0x60
#define vPortSVCHandler SVC_Handler
#define xPortPendSVHandler PendSV_Handler
#define xPortSysTickHandler SysTick_Handler

// time that each task has had, in ticks of the port's clock
#define configGENERATE_RUN_TIME_STATS 1
#define portCONFIGURE_TIMER_FOR_RUN_TIME_STATS()
#define portGET_RUN_TIME_COUNTER_VALUE() port_ticks()

// checks
#define configASSERT(condition)                                                                                        \
    do {                                                                                                               \
        if (!(condition)) port_panic("FreeRTOS: " #condition);                                                         \
    } while (0)
#define configCHECK_FOR_STACK_OVERFLOW 2 // at each switch of tasks; ends in the port's panic
#define configUSE_MALLOC_FAILED_HOOK 0

#define INCLUDE_vTaskDelay 1
#define INCLUDE_xTaskGetIdleTaskHandle 1 // its run time is the time in which the processor was idle
#define INCLUDE_vTaskSuspend 1           // portMAX_DELAY waits without end
#define INCLUDE_xTaskGetSchedulerState 1
#define INCLUDE_uxTaskGetStackHighWaterMark 1

#endif
