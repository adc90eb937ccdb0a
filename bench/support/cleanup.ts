// What a run must not leave behind when it is broken off: servers, databases, folders. In the ordinary case each is
// ended by whoever made it.

/** `end` is called once: when disposed, or when the process exits or is told to. It cannot wait for anything. */
export function endAtExit(end: () => void): Disposable {
  const atExit = () => end();
  // Newest first: a folder is removed after the servers that work in it have ended.
  process.prependListener('exit', atExit);
  return {
    [Symbol.dispose]() {
      process.off('exit', atExit);
      end();
    },
  };
}

/** Without this a signal ends the process at once, and nothing is called. */
export function exitOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1));
}
