//===- Pool.h - Threads that share ranges of work items -------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_RUNTIME_POOL_H
#define DELTANET_RUNTIME_POOL_H

#include "deltanet-c/runtime.h"

/// Runs the items [begin, end) on the thread that owns `scratch`.
typedef void (*dn_task)(const void *context, void *scratch, int64_t begin,
                        int64_t end);

/// Keeps other callers away from the pool until dn_pool_unlock.
void dn_pool_lock(dn_pool *pool);
void dn_pool_unlock(dn_pool *pool);

/// Makes every thread's scratch hold `bytes` at `align`, a power of two. The
/// pool is locked.
dn_status dn_pool_grow_scratch(dn_pool *pool, uint64_t bytes, uint32_t align);

/// Runs `task` over [0, items) on all threads, the caller among them, and
/// returns when all have ended. The pool is locked.
void dn_pool_for(dn_pool *pool, int64_t items, dn_task task,
                 const void *context);

#endif // DELTANET_RUNTIME_POOL_H
