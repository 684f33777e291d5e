package kafkatest

import (
	"os/exec"
	"syscall"
)

// tie has the kernel end the process when the thread that starts it ends, and
// so when this test binary is killed, panics or runs out of time.
func tie(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}
