// SPDX-License-Identifier: MIT
// fmi3.h - the declarations of FMI 3.0 that fmu.c needs, where the standard's own fmi3Functions.h is not at hand.
#ifndef FMU_FMI3_H
#define FMU_FMI3_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define fmi3Version "3.0"
#define fmi3True true
#define fmi3False false

#if defined _WIN32 || defined __CYGWIN__
#define FMI3_Export __declspec(dllexport)
#elif defined __GNUC__
#define FMI3_Export __attribute__((visibility("default")))
#else
#define FMI3_Export
#endif

typedef void *fmi3Instance, *fmi3InstanceEnvironment, *fmi3FMUState;
typedef uint32_t fmi3ValueReference;
typedef float fmi3Float32;
typedef double fmi3Float64;
typedef int8_t fmi3Int8;
typedef uint8_t fmi3UInt8, fmi3Byte;
typedef int16_t fmi3Int16;
typedef uint16_t fmi3UInt16;
typedef int32_t fmi3Int32;
typedef uint32_t fmi3UInt32;
typedef int64_t fmi3Int64;
typedef uint64_t fmi3UInt64;
typedef bool fmi3Boolean, fmi3Clock;
typedef char fmi3Char;
typedef const fmi3Char *fmi3String;
typedef const fmi3Byte *fmi3Binary;
typedef enum { fmi3OK, fmi3Warning, fmi3Discard, fmi3Error, fmi3Fatal } fmi3Status;
typedef enum { fmi3Independent, fmi3Constant, fmi3Fixed, fmi3Tunable, fmi3Discrete, fmi3Dependent } fmi3DependencyKind;
typedef enum { fmi3IntervalNotYetKnown, fmi3IntervalUnchanged, fmi3IntervalChanged } fmi3IntervalQualifier;

typedef void (*fmi3LogMessageCallback)(fmi3InstanceEnvironment, fmi3Status, fmi3String, fmi3String);
typedef void (*fmi3ClockUpdateCallback)(fmi3InstanceEnvironment);
typedef void (*fmi3IntermediateUpdateCallback)(fmi3InstanceEnvironment, fmi3Float64, fmi3Boolean, fmi3Boolean,
                                               fmi3Boolean, fmi3Boolean, fmi3Boolean *, fmi3Float64 *);
typedef void (*fmi3LockPreemptionCallback)(void);
typedef void (*fmi3UnlockPreemptionCallback)(void);

#define FMI3_FUNCTION(name) FMI3_Export fmi3Status fmi3##name
#define FMI3_VALUES(type)                                                                                              \
    FMI3_FUNCTION(Get##type)(fmi3Instance, const fmi3ValueReference[], size_t, fmi3##type[], size_t);                  \
    FMI3_FUNCTION(Set##type)(fmi3Instance, const fmi3ValueReference[], size_t, const fmi3##type[], size_t);
FMI3_VALUES(Float32)
FMI3_VALUES(Float64)
FMI3_VALUES(Int8)
FMI3_VALUES(UInt8)
FMI3_VALUES(Int16)
FMI3_VALUES(UInt16)
FMI3_VALUES(Int32)
FMI3_VALUES(UInt32)
FMI3_VALUES(Int64)
FMI3_VALUES(UInt64)
FMI3_VALUES(Boolean)
FMI3_VALUES(String)
FMI3_FUNCTION(GetBinary)(fmi3Instance, const fmi3ValueReference[], size_t, size_t[], fmi3Binary[], size_t);
FMI3_FUNCTION(SetBinary)(fmi3Instance, const fmi3ValueReference[], size_t, const size_t[], const fmi3Binary[], size_t);
FMI3_FUNCTION(GetClock)(fmi3Instance, const fmi3ValueReference[], size_t, fmi3Clock[]);
FMI3_FUNCTION(SetClock)(fmi3Instance, const fmi3ValueReference[], size_t, const fmi3Clock[]);

FMI3_Export const char *fmi3GetVersion(void);
FMI3_FUNCTION(SetDebugLogging)(fmi3Instance, fmi3Boolean, size_t, const fmi3String[]);
FMI3_Export fmi3Instance fmi3InstantiateModelExchange(fmi3String, fmi3String, fmi3String, fmi3Boolean, fmi3Boolean,
                                                      fmi3InstanceEnvironment, fmi3LogMessageCallback);
FMI3_Export fmi3Instance fmi3InstantiateCoSimulation(fmi3String, fmi3String, fmi3String, fmi3Boolean, fmi3Boolean,
                                                     fmi3Boolean, fmi3Boolean, const fmi3ValueReference[], size_t,
                                                     fmi3InstanceEnvironment, fmi3LogMessageCallback,
                                                     fmi3IntermediateUpdateCallback);
FMI3_Export fmi3Instance fmi3InstantiateScheduledExecution(fmi3String, fmi3String, fmi3String, fmi3Boolean, fmi3Boolean,
                                                           fmi3InstanceEnvironment, fmi3LogMessageCallback,
                                                           fmi3ClockUpdateCallback, fmi3LockPreemptionCallback,
                                                           fmi3UnlockPreemptionCallback);
FMI3_Export void fmi3FreeInstance(fmi3Instance);
FMI3_FUNCTION(EnterInitializationMode)(fmi3Instance, fmi3Boolean, fmi3Float64, fmi3Float64, fmi3Boolean, fmi3Float64);
FMI3_FUNCTION(ExitInitializationMode)(fmi3Instance);
FMI3_FUNCTION(EnterEventMode)(fmi3Instance);
FMI3_FUNCTION(Terminate)(fmi3Instance);
FMI3_FUNCTION(Reset)(fmi3Instance);
FMI3_FUNCTION(GetNumberOfVariableDependencies)(fmi3Instance, fmi3ValueReference, size_t *);
FMI3_FUNCTION(GetVariableDependencies)
(fmi3Instance, fmi3ValueReference, size_t[], fmi3ValueReference[], size_t[], fmi3DependencyKind[], size_t);
FMI3_FUNCTION(GetFMUState)(fmi3Instance, fmi3FMUState *);
FMI3_FUNCTION(SetFMUState)(fmi3Instance, fmi3FMUState);
FMI3_FUNCTION(FreeFMUState)(fmi3Instance, fmi3FMUState *);
FMI3_FUNCTION(SerializedFMUStateSize)(fmi3Instance, fmi3FMUState, size_t *);
FMI3_FUNCTION(SerializeFMUState)(fmi3Instance, fmi3FMUState, fmi3Byte[], size_t);
FMI3_FUNCTION(DeserializeFMUState)(fmi3Instance, const fmi3Byte[], size_t, fmi3FMUState *);
FMI3_FUNCTION(GetDirectionalDerivative)
(fmi3Instance, const fmi3ValueReference[], size_t, const fmi3ValueReference[], size_t, const fmi3Float64[], size_t,
 fmi3Float64[], size_t);
FMI3_FUNCTION(GetAdjointDerivative)
(fmi3Instance, const fmi3ValueReference[], size_t, const fmi3ValueReference[], size_t, const fmi3Float64[], size_t,
 fmi3Float64[], size_t);
FMI3_FUNCTION(EnterConfigurationMode)(fmi3Instance);
FMI3_FUNCTION(ExitConfigurationMode)(fmi3Instance);
FMI3_FUNCTION(GetIntervalDecimal)
(fmi3Instance, const fmi3ValueReference[], size_t, fmi3Float64[], fmi3IntervalQualifier[]);
FMI3_FUNCTION(GetIntervalFraction)
(fmi3Instance, const fmi3ValueReference[], size_t, fmi3UInt64[], fmi3UInt64[], fmi3IntervalQualifier[]);
FMI3_FUNCTION(GetShiftDecimal)(fmi3Instance, const fmi3ValueReference[], size_t, fmi3Float64[]);
FMI3_FUNCTION(GetShiftFraction)(fmi3Instance, const fmi3ValueReference[], size_t, fmi3UInt64[], fmi3UInt64[]);
FMI3_FUNCTION(SetIntervalDecimal)(fmi3Instance, const fmi3ValueReference[], size_t, const fmi3Float64[]);
FMI3_FUNCTION(SetIntervalFraction)
(fmi3Instance, const fmi3ValueReference[], size_t, const fmi3UInt64[], const fmi3UInt64[]);
FMI3_FUNCTION(SetShiftDecimal)(fmi3Instance, const fmi3ValueReference[], size_t, const fmi3Float64[]);
FMI3_FUNCTION(SetShiftFraction)
(fmi3Instance, const fmi3ValueReference[], size_t, const fmi3UInt64[], const fmi3UInt64[]);
FMI3_FUNCTION(EvaluateDiscreteStates)(fmi3Instance);
FMI3_FUNCTION(UpdateDiscreteStates)
(fmi3Instance, fmi3Boolean *, fmi3Boolean *, fmi3Boolean *, fmi3Boolean *, fmi3Boolean *, fmi3Float64 *);
FMI3_FUNCTION(EnterContinuousTimeMode)(fmi3Instance);
FMI3_FUNCTION(CompletedIntegratorStep)(fmi3Instance, fmi3Boolean, fmi3Boolean *, fmi3Boolean *);
FMI3_FUNCTION(SetTime)(fmi3Instance, fmi3Float64);
FMI3_FUNCTION(SetContinuousStates)(fmi3Instance, const fmi3Float64[], size_t);
FMI3_FUNCTION(GetContinuousStateDerivatives)(fmi3Instance, fmi3Float64[], size_t);
FMI3_FUNCTION(GetEventIndicators)(fmi3Instance, fmi3Float64[], size_t);
FMI3_FUNCTION(GetContinuousStates)(fmi3Instance, fmi3Float64[], size_t);
FMI3_FUNCTION(GetNominalsOfContinuousStates)(fmi3Instance, fmi3Float64[], size_t);
FMI3_FUNCTION(GetNumberOfEventIndicators)(fmi3Instance, size_t *);
FMI3_FUNCTION(GetNumberOfContinuousStates)(fmi3Instance, size_t *);
FMI3_FUNCTION(EnterStepMode)(fmi3Instance);
FMI3_FUNCTION(GetOutputDerivatives)
(fmi3Instance, const fmi3ValueReference[], size_t, const fmi3Int32[], fmi3Float64[], size_t);
FMI3_FUNCTION(DoStep)
(fmi3Instance, fmi3Float64, fmi3Float64, fmi3Boolean, fmi3Boolean *, fmi3Boolean *, fmi3Boolean *, fmi3Float64 *);
FMI3_FUNCTION(ActivateModelPartition)(fmi3Instance, fmi3ValueReference, fmi3Float64);

#undef FMI3_FUNCTION
#undef FMI3_VALUES

#endif
