/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files that are written whole or not at all. Until tf_replace_commit() the bytes go to a temporary file in the folder
 * of the target, so the target is never half written. Its name is hidden and short, whatever the name of the target.
 * Pipes, terminals and devices are written in place.
 *
 * Thread: any, one at a time for a struct tf_replaced.
 */
#ifndef HOST_REPLACE_H
#define HOST_REPLACE_H

struct tf_replaced {
    int fd;          /* -1: none */
    char *target;    /* the path, without symbolic links if it exists */
    char *temporary; /* NULL: the target is written in place */
};

/* Begin to write the file of a path. It gets the permissions that the target has or would get. Returns 0, or an errno.
   EBUSY: this process already writes a file of that path. */
int tf_replace_open(struct tf_replaced *file, const char *path);

/* Put the file in place. Returns 0, or an errno: then the target keeps its old content. */
int tf_replace_commit(struct tf_replaced *file);

/* The same for a temporary file of the caller's own, which `fd` writes: put it in place of the target, so that both
   survive a crash. Closes fd. Returns 0, or an errno: then the temporary file is still there. */
int tf_replace_put(int fd, const char *temporary, const char *target);

/* Close the file, and remove the temporary one. Does nothing after a commit, nor with fd -1 and all else zero. */
void tf_replace_discard(struct tf_replaced *file);

/* Remove the temporary file that this process has for a path, before it ends without a commit. Another thread may be
   writing to it. */
void tf_replace_abandon(const char *path);

#endif
