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
/* To be called in a child made by fork: the registered entries are its parent's affair,
   and signals have their default again. */
void cleanup_reset(void);
/* Holds back the signals that end this process, until cleanup_let with *before. */
void cleanup_hold(sigset_t *before);
void cleanup_let(const sigset_t *before);

/* A signal removes the file `path` until it is forgotten; the text stays the caller's.
   Only the first 1024 files are registered. */
void cleanup_file(const char *path);
void cleanup_forget_file(const char *path);
/* A signal kills the process group `pid` until it is forgotten. Only the first 1024
   groups are registered. */
void cleanup_group(pid_t pid);
void cleanup_forget_group(pid_t pid);
/* A signal sends SIGTERM to the process `pid`, which then ends others (jobs/supervise.c),
   until it is forgotten. */
void cleanup_supervisor(pid_t pid);
void cleanup_forget_supervisor(pid_t pid);

/* Registers the process group of a command that runs as this one does: it is ended before
   this process, so that it cleans up itself. There is one at most; 0: there is none any
   more. */
void cleanup_command(pid_t pid);
/* Ends the group of a command: by SIGTERM, by SIGKILL two seconds later. A handler of
   signals may call this. The process is left to be waited for. */
void cleanup_end_command(pid_t pid);

#endif
