/*
 * Reads a trace line by line, from a file or a pipe; memory does not grow with its length.
 */
#pragma once

#include "audit.h"

enum trace_format {
    TRACE_PERF,    /* perf script: see perf_line.h                             */
    TRACE_OFFSETS, /* the same, with the field brstackoff                       */
    TRACE_BOLT,    /* added up: see preagg.h                                    */
    TRACE_PT,      /* no lines, but packets: see pt_trace.c                     */
};

/* Prints why on standard error; returns false. */
bool trace_unusable(const struct audit *, const char *why);

/* True if the file's first bytes are of a packer, after saying which program unpacks it. */
bool is_packed(const struct audit *, const void *bytes, size_t size);

/* "-": standard input.  False: said why, with the line, on standard error. */
bool trace_read(struct audit *, enum trace_format);

/*
 * pt_trace.c: TRACE_PT, as the bytes of one trace buffer, or all buffers in perf's own
 * file, with the files that it says were mapped.  False: said why on standard error.
 */
bool pt_trace_read(struct audit *);
