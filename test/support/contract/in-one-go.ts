type Step = () => unknown;

/**
 * Steps that build on each other are one test, which stands alone and can be tried in any order with
 * others; what fails says which step it was.
 */
export function inOneGo(title: string): (name: string, work: Step) => void {
  const steps: [name: string, work: Step][] = [];
  it(title, async function () {
    this.timeout(60_000);
    for (const [name, work] of steps) {
      try {
        await work();
      } catch (cause) {
        const reason = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
        throw new Error(`${name}: ${reason}`, { cause });
      }
    }
  });
  return (name, work) => void steps.push([name, work]);
}
