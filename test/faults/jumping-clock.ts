/** Loaded before the service: the clock of its process jumps each time it gets SIGUSR2. */
const jumps = [26 * 3600_000, -50 * 3600_000, 24 * 3600_000];
const now = Date.now.bind(Date);
let offset = 0;
let count = 0;

process.on('SIGUSR2', () => {
  offset += jumps[count % jumps.length] ?? 0;
  count += 1;
});

Date.now = () => now() + offset;
globalThis.Date = new Proxy(Date, {
  construct: (target, given: readonly unknown[], self) =>
    Reflect.construct(target, given.length === 0 ? [now() + offset] : given, self) as object,
});
