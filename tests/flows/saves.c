/* Another program, exactly at the wrong moment: just before a file gets a name that ends in
 * $SAVE_OVER, the text in $SAVE_TEXT is saved there, once. Loaded with LD_PRELOAD. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int ends(const char *text, const char *end) {
    size_t a = strlen(text), b = strlen(end);
    return a >= b && strcmp(text + a - b, end) == 0;
}

/* Saves as most editors do: a new file beside the old one, and a rename. */
static void save(int at, const char *name) {
    const char *over = getenv("SAVE_OVER"), *text = getenv("SAVE_TEXT"), *mark = getenv("SAVE_MARK");
    char folder[4096] = "", link[64], whole[8192], beside[8300];
    static int (*real)(const char *, const char *);
    int fd;
    if (!over || !text || !mark) return;
    if (name[0] != '/') {
        ssize_t size = 0;
        snprintf(link, sizeof link, "/proc/self/fd/%d", at);
        size = readlink(at == AT_FDCWD ? "/proc/self/cwd" : link, folder, sizeof folder - 1);
        if (size < 0) return;
        folder[size] = 0;
    }
    snprintf(whole, sizeof whole, "%s%s%s", folder, *folder ? "/" : "", name);
    if (!ends(whole, over)) return;
    fd = open(mark, O_CREAT | O_EXCL | O_WRONLY, 0600);
    if (fd < 0) return;
    close(fd);
    snprintf(beside, sizeof beside, "%s.swp", whole);
    fd = open(beside, O_CREAT | O_TRUNC | O_WRONLY, 0644);
    if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text)) abort();
    close(fd);
    if (!real) real = dlsym(RTLD_NEXT, "rename");
    if (real(beside, whole)) abort();
}

int rename(const char *old, const char *new) {
    static int (*real)(const char *, const char *);
    if (!real) real = dlsym(RTLD_NEXT, "rename");
    save(AT_FDCWD, new);
    return real(old, new);
}

int renameat(int from, const char *old, int to, const char *new) {
    static int (*real)(int, const char *, int, const char *);
    if (!real) real = dlsym(RTLD_NEXT, "renameat");
    save(to, new);
    return real(from, old, to, new);
}

int renameat2(int from, const char *old, int to, const char *new, unsigned flags) {
    static int (*real)(int, const char *, int, const char *, unsigned);
    if (!real) real = dlsym(RTLD_NEXT, "renameat2");
    save(to, new);
    return real(from, old, to, new, flags);
}

int linkat(int from, const char *old, int to, const char *new, int flags) {
    static int (*real)(int, const char *, int, const char *, int);
    if (!real) real = dlsym(RTLD_NEXT, "linkat");
    save(to, new);
    return real(from, old, to, new, flags);
}
