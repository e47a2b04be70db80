//===- Pool.c - Threads that share ranges of work items -------------------===//
//
// Part of the Delta-Net project.
//
// dn_pool_for opens a gate, does what it can of the job itself, and closes the
// gate when no item is left to take. Workers that come while the gate is open
// take ranges of items from `next`; only those inside are waited for. A worker
// that is slow to wake, because CPUs are scarce, thus delays nobody.
//
// Waiting, for a job or for its end, spins for some microseconds, which covers
// the gap between the stages of a call, and then sleeps.
//
//===----------------------------------------------------------------------===//
#include "Pool.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/// Pauses (about 20 to 50 nanoseconds each) before a waiting thread sleeps.
#define SPINS 500

/// Ranges a thread takes from a job, on average, so that long items even out.
#define RANGES_PER_THREAD 8

/// Keeps what different threads write off each other's cache lines, which
/// processors prefetch in pairs.
#define LINES 128

#define MAX_THREADS 4096

#define OPEN 0x80000000u

struct worker {
  pthread_t thread;
  dn_pool *pool;
  int index;
};

struct dn_pool {
  int threads;            ///< counting the caller of dn_run
  int spins;              ///< 0 if threads have to share CPUs
  struct worker *workers; ///< threads - 1, with indices from 1
  pthread_mutex_t call;   ///< held during a dn_run

  unsigned char *scratch; ///< `threads` buffers, scratch_bytes apart
  uint64_t scratch_bytes;
  uint64_t scratch_align;

  // The job: only written while the gate is closed and nobody is inside.
  dn_task task;
  const void *context;
  int64_t items, range;
  _Alignas(LINES) atomic_llong next; ///< first item that nobody has taken

  _Alignas(LINES) atomic_uint jobs; ///< rises with each job
  atomic_uint gate;                 ///< workers inside, plus OPEN
  atomic_bool stopping;
  pthread_mutex_t sleep;
  pthread_cond_t published; ///< jobs has risen
  pthread_cond_t left;      ///< gate has become 0
};

static void pause_briefly(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

/// Takes ranges of the current job until none is left.
static void work(dn_pool *pool, int index) {
  void *scratch = pool->scratch + (uint64_t)index * pool->scratch_bytes;
  for (;;) {
    int64_t begin = atomic_fetch_add_explicit(&pool->next, pool->range,
                                              memory_order_relaxed);
    if (begin >= pool->items)
      return;
    int64_t left = pool->items - begin;
    pool->task(pool->context, scratch, begin,
               begin + (left < pool->range ? left : pool->range));
  }
}

/// Waits until there has been another job than number `seen`, and returns the
/// number of the latest.
static unsigned await_job(dn_pool *pool, unsigned seen) {
  unsigned now;
  for (int i = 0; i < pool->spins; ++i) {
    now = atomic_load_explicit(&pool->jobs, memory_order_acquire);
    if (now != seen)
      return now;
    pause_briefly();
  }
  pthread_mutex_lock(&pool->sleep);
  while ((now = atomic_load_explicit(&pool->jobs, memory_order_acquire)) ==
         seen)
    pthread_cond_wait(&pool->published, &pool->sleep);
  pthread_mutex_unlock(&pool->sleep);
  return now;
}

/// Announces a job to `wanted` workers, or the end to all.
static void publish(dn_pool *pool, int64_t wanted) {
  pthread_mutex_lock(&pool->sleep);
  atomic_fetch_add_explicit(&pool->jobs, 1, memory_order_release);
  if (wanted >= pool->threads - 1)
    pthread_cond_broadcast(&pool->published);
  else
    for (int64_t i = 0; i < wanted; ++i)
      pthread_cond_signal(&pool->published);
  pthread_mutex_unlock(&pool->sleep);
}

/// Goes inside if the gate is open.
static bool enter(dn_pool *pool) {
  unsigned gate = atomic_load_explicit(&pool->gate, memory_order_relaxed);
  do {
    if (!(gate & OPEN))
      return false;
  } while (!atomic_compare_exchange_weak_explicit(&pool->gate, &gate, gate + 1,
                                                  memory_order_acquire,
                                                  memory_order_relaxed));
  return true;
}

static void leave(dn_pool *pool) {
  if (atomic_fetch_sub_explicit(&pool->gate, 1, memory_order_release) != 1)
    return;
  pthread_mutex_lock(&pool->sleep);
  pthread_cond_signal(&pool->left);
  pthread_mutex_unlock(&pool->sleep);
}

/// Closes the gate and waits until nobody is inside.
static void close_gate(dn_pool *pool) {
  atomic_fetch_and_explicit(&pool->gate, ~OPEN, memory_order_relaxed);
  for (int i = 0; i < pool->spins; ++i) {
    if (!atomic_load_explicit(&pool->gate, memory_order_acquire))
      return;
    pause_briefly();
  }
  pthread_mutex_lock(&pool->sleep);
  while (atomic_load_explicit(&pool->gate, memory_order_acquire))
    pthread_cond_wait(&pool->left, &pool->sleep);
  pthread_mutex_unlock(&pool->sleep);
}

static void *worker_main(void *argument) {
  struct worker *self = argument;
  dn_pool *pool = self->pool;
  for (unsigned seen = 0;;) {
    seen = await_job(pool, seen);
    if (atomic_load_explicit(&pool->stopping, memory_order_relaxed))
      return NULL;
    if (enter(pool)) {
      work(pool, self->index);
      leave(pool);
    }
  }
}

void dn_pool_for(dn_pool *pool, int64_t items, dn_task task,
                 const void *context) {
  if (items <= 0)
    return;
  if (items == 1 || pool->threads == 1) {
    task(context, pool->scratch, 0, items);
    return;
  }
  pool->task = task;
  pool->context = context;
  pool->items = items;
  pool->range = items / ((int64_t)pool->threads * RANGES_PER_THREAD);
  if (pool->range < 1)
    pool->range = 1;
  atomic_store_explicit(&pool->next, 0, memory_order_relaxed);
  atomic_store_explicit(&pool->gate, OPEN, memory_order_release);
  publish(pool, items - 1);
  work(pool, 0);
  close_gate(pool);
}

void dn_pool_lock(dn_pool *pool) { pthread_mutex_lock(&pool->call); }

void dn_pool_unlock(dn_pool *pool) { pthread_mutex_unlock(&pool->call); }

dn_status dn_pool_grow_scratch(dn_pool *pool, uint64_t bytes, uint32_t align) {
  if (bytes < pool->scratch_bytes)
    bytes = pool->scratch_bytes;
  uint64_t to = align > pool->scratch_align ? align : pool->scratch_align;
  if (bytes == pool->scratch_bytes && to == pool->scratch_align)
    return DN_OK;
  uint64_t total;
  if (__builtin_add_overflow(bytes, to - 1, &bytes))
    return DN_ERROR_MEMORY;
  bytes -= bytes % to;
  if (__builtin_mul_overflow(bytes, (uint64_t)pool->threads, &total))
    return DN_ERROR_MEMORY;
  void *scratch = aligned_alloc(to, total);
  if (!scratch)
    return DN_ERROR_MEMORY;
  free(pool->scratch);
  pool->scratch = scratch;
  pool->scratch_bytes = bytes;
  pool->scratch_align = to;
  return DN_OK;
}

dn_status dn_pool_reserve(dn_pool *pool, const dn_kernel *kernel) {
  dn_pool_lock(pool);
  dn_status status =
      dn_pool_grow_scratch(pool, kernel->scratch_bytes, kernel->scratch_align);
  dn_pool_unlock(pool);
  return status;
}

int dn_pool_threads(const dn_pool *pool) { return pool->threads; }

/// Ends and joins the first `count` workers and frees everything.
static void tear_down(dn_pool *pool, int count) {
  atomic_store_explicit(&pool->stopping, true, memory_order_relaxed);
  publish(pool, pool->threads);
  for (int i = 0; i < count; ++i)
    pthread_join(pool->workers[i].thread, NULL);
  pthread_cond_destroy(&pool->left);
  pthread_cond_destroy(&pool->published);
  pthread_mutex_destroy(&pool->sleep);
  pthread_mutex_destroy(&pool->call);
  free(pool->scratch);
  free(pool->workers);
  free(pool);
}

/// Starts a worker that takes no signals: those are for the host's threads.
static bool start(struct worker *worker) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  bool started = !pthread_create(&worker->thread, NULL, worker_main, worker);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (started)
    pthread_setname_np(worker->thread, "deltanet");
  return started;
}

dn_pool *dn_pool_create(int threads) {
  int cpus = dn_cpu_count();
  if (threads == 0)
    threads = cpus;
  if (threads < 1 || threads > MAX_THREADS)
    return NULL;
  dn_pool *pool = aligned_alloc(LINES, sizeof *pool);
  struct worker *workers = calloc((size_t)threads, sizeof *workers);
  if (!pool || !workers) {
    free(pool);
    free(workers);
    return NULL;
  }
  memset(pool, 0, sizeof *pool);
  pool->workers = workers;
  pool->threads = threads;
  pool->spins = threads <= cpus ? SPINS : 0;
  pool->scratch_align = LINES;
  pthread_mutex_init(&pool->call, NULL);
  pthread_mutex_init(&pool->sleep, NULL);
  pthread_cond_init(&pool->published, NULL);
  pthread_cond_init(&pool->left, NULL);
  for (int i = 0; i < threads - 1; ++i) {
    workers[i].pool = pool;
    workers[i].index = i + 1;
    if (!start(&workers[i])) {
      tear_down(pool, i);
      return NULL;
    }
  }
  return pool;
}

void dn_pool_destroy(dn_pool *pool) {
  if (pool)
    tear_down(pool, pool->threads - 1);
}
