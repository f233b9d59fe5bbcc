/** What is being written to files: a window that goes waits for it. */
const underway = new Set<Promise<unknown>>();

export function noteWrite(writing: Promise<unknown>): void {
  const isOver = (): void => void underway.delete(settled);
  const settled: Promise<void> = writing.then(isOver, isOver);
  underway.add(settled);
}

/** Resolves when all of it is written, or has failed, which its writer tells. */
export const writesSettled = (): Promise<unknown> => Promise.all(underway);
