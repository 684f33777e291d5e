//go:build linux || darwin

package kafkatest

import (
	"os"
	"syscall"
)

// lock waits until no other process, and nobody else in this one, holds the
// file. The kernel lets go of it when its holder dies.
func lock(path string) (unlock func(), err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	for {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX)
		if err != syscall.EINTR { //nolint:errorlint // a system call returns the number itself
			break
		}
	}
	if err != nil {
		f.Close() //nolint:errcheck // nothing was written
		return nil, err
	}
	return func() { f.Close() }, nil //nolint:errcheck // closing is what lets go
}
