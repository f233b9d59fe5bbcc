/** Of the processor, which this thread has had: other programs of a busy machine don't count. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/**
 * Milliseconds that a piece of work keeps this thread from everything else: the longest turn of the
 * event loop while it is under way. What a sandbox process does meanwhile is not in it.
 */
export async function workOf(work: () => unknown): Promise<number> {
  let last = threadMs();
  let longest = 0;
  const beat = setInterval(() => {
    const now = threadMs();
    longest = Math.max(longest, now - last);
    last = now;
  }, 1);
  try {
    await work();
    await new Promise((resolve) => setTimeout(resolve, 5));
  } finally {
    clearInterval(beat);
  }
  return longest;
}
