/* The clock of one server of a test, preloaded: the machine's time and the seconds in the file LIMNER_TEST_CLOCK. Without
 * calls into the C library, which allocators make before it is ready. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long offset(void) {
  int before = errno;
  const char *path = getenv("LIMNER_TEST_CLOCK");
  char text[32] = {0};
  long file = path ? syscall(SYS_openat, AT_FDCWD, path, O_RDONLY) : -1;
  if (file >= 0) {
    syscall(SYS_read, file, text, sizeof text - 1);
    syscall(SYS_close, file);
  }
  errno = before;
  return atol(text);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  int failed = syscall(SYS_clock_gettime, clock, now);
  if (!failed && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += offset();
  return failed;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  struct timespec exact;
  int failed = clock_gettime(CLOCK_REALTIME, &exact);
  (void)zone;
  now->tv_sec = exact.tv_sec;
  now->tv_usec = exact.tv_nsec / 1000;
  return failed;
}

time_t time(time_t *now) {
  struct timespec exact;
  clock_gettime(CLOCK_REALTIME, &exact);
  if (now) *now = exact.tv_sec;
  return exact.tv_sec;
}
