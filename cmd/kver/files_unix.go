//go:build !windows

package main

import "syscall"

// openFiles is how many files and sockets this process may have open. Go has
// raised the soft limit to the hard one by now.
func openFiles() int {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) != nil || limit.Cur > maxParallel {
		return maxParallel
	}
	return int(limit.Cur)
}
