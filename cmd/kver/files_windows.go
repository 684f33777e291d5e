package main

// openFiles is how many files and sockets this process may have open: Windows
// has no limit that matters here.
func openFiles() int { return maxParallel }
