/*
 * cleanup.h - a signal that ends this process leaves no temporary file and no process
 * behind.
 *
 * Threads register what they have made; the handler reads the registers without a lock,
 * so every entry is one atomic word. SIGKILL cannot be handled.
 */
#ifndef SALTUS_CLEANUP_H
#define SALTUS_CLEANUP_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

/* SIGPIPE and SIGXFSZ become errors of the write that causes them; the signals that end a
   process (SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU), where they are not ignored, clean
   up first. To be called once, before there is a thread. */
void cleanup_watch(void);
/* Does now what a signal would, but does not end the process. */
void cleanup_now(void);
/* In a child made by fork: what is registered is its parent's affair, and signals have
   their default again. */
void cleanup_reset(void);
/* Holds back the signals that end this process, until cleanup_let with *before. */
void cleanup_hold(sigset_t *before);
void cleanup_let(const sigset_t *before);

/* `path` is removed by a signal until it is forgotten; the text stays the caller's. Of
   more than 64 the rest is not. */
void cleanup_file(const char *path);
void cleanup_forget_file(const char *path);
/* The process group `pid` is killed by a signal until it is forgotten; of more than 1024
   the rest is not. */
void cleanup_group(pid_t pid);
void cleanup_forget_group(pid_t pid);
/* The same of a process that ends others when it gets SIGTERM (jobs/supervise.c). */
void cleanup_supervisor(pid_t pid);
void cleanup_forget_supervisor(pid_t pid);

/* A process group that runs a command as we do is ended before we are, so that it cleans
   up itself; 0: there is none any more. There is one at most. */
void cleanup_command(pid_t pid);
/* Ends such a group: by SIGTERM, by SIGKILL two seconds later. May be called by a
   handler of signals. The process is left to be waited for. */
void cleanup_end_command(pid_t pid);

#endif
