question.o: port/link/question.c /usr/include/stdc-predef.h \
 port/link/question.h include/tactus/tactus.h include/tactus/layout.h \
 include/tactus/c3.h include/tactus/linear.h include/tactus/parameter.h \
 include/tactus/types.h include/tactus/faults.h include/tactus/prefix.h \
 include/tactus/config.h \
 /usr/lib/gcc/x86_64-linux-gnu/12/include/stdint.h /usr/include/stdint.h \
 /usr/include/x86_64-linux-gnu/bits/libc-header-start.h \
 /usr/include/features.h /usr/include/features-time64.h \
 /usr/include/x86_64-linux-gnu/bits/wordsize.h \
 /usr/include/x86_64-linux-gnu/bits/timesize.h \
 /usr/include/x86_64-linux-gnu/sys/cdefs.h \
 /usr/include/x86_64-linux-gnu/bits/long-double.h \
 /usr/include/x86_64-linux-gnu/gnu/stubs.h \
 /usr/include/x86_64-linux-gnu/gnu/stubs-64.h \
 /usr/include/x86_64-linux-gnu/bits/types.h \
 /usr/include/x86_64-linux-gnu/bits/typesizes.h \
 /usr/include/x86_64-linux-gnu/bits/time64.h \
 /usr/include/x86_64-linux-gnu/bits/wchar.h \
 /usr/include/x86_64-linux-gnu/bits/stdint-intn.h \
 /usr/include/x86_64-linux-gnu/bits/stdint-uintn.h \
 include/tactus/ranges.h include/tactus/dae.h include/tactus/work.h \
 include/tactus/fit.h include/tactus/ilqr.h include/tactus/lcp.h \
 include/tactus/predict.h include/tactus/refresh.h \
 include/tactus/implicit.h include/tactus/instant.h include/tactus/ncp.h \
 include/tactus/problem.h include/tactus/rotation.h \
 /usr/lib/gcc/x86_64-linux-gnu/12/include/stddef.h
/usr/include/stdc-predef.h:
port/link/question.h:
include/tactus/tactus.h:
include/tactus/layout.h:
include/tactus/c3.h:
include/tactus/linear.h:
include/tactus/parameter.h:
include/tactus/types.h:
include/tactus/faults.h:
include/tactus/prefix.h:
include/tactus/config.h:
/usr/lib/gcc/x86_64-linux-gnu/12/include/stdint.h:
/usr/include/stdint.h:
/usr/include/x86_64-linux-gnu/bits/libc-header-start.h:
/usr/include/features.h:
/usr/include/features-time64.h:
/usr/include/x86_64-linux-gnu/bits/wordsize.h:
/usr/include/x86_64-linux-gnu/bits/timesize.h:
/usr/include/x86_64-linux-gnu/sys/cdefs.h:
/usr/include/x86_64-linux-gnu/bits/long-double.h:
/usr/include/x86_64-linux-gnu/gnu/stubs.h:
/usr/include/x86_64-linux-gnu/gnu/stubs-64.h:
/usr/include/x86_64-linux-gnu/bits/types.h:
/usr/include/x86_64-linux-gnu/bits/typesizes.h:
/usr/include/x86_64-linux-gnu/bits/time64.h:
/usr/include/x86_64-linux-gnu/bits/wchar.h:
/usr/include/x86_64-linux-gnu/bits/stdint-intn.h:
/usr/include/x86_64-linux-gnu/bits/stdint-uintn.h:
include/tactus/ranges.h:
include/tactus/dae.h:
include/tactus/work.h:
include/tactus/fit.h:
include/tactus/ilqr.h:
include/tactus/lcp.h:
include/tactus/predict.h:
include/tactus/refresh.h:
include/tactus/implicit.h:
include/tactus/instant.h:
include/tactus/ncp.h:
include/tactus/problem.h:
include/tactus/rotation.h:
/usr/lib/gcc/x86_64-linux-gnu/12/include/stddef.h:
