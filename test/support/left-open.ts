/** Required by the unit suite: a server that a test leaves open would keep the run from ending. */
interface Listening {
  readonly listening?: boolean;
  address?(): unknown;
  unref?(): void;
}

const handles = (): Listening[] => {
  const all: unknown = Reflect.get(process, '_getActiveHandles');
  return typeof all === 'function' ? (all.call(process) as Listening[]) : [];
};

export const mochaHooks = {
  afterAll(): void {
    const open = handles().filter(({ listening }) => listening === true);
    for (const server of open) server.unref?.();
    if (open.length === 0) return;
    const where = open.map((server) => JSON.stringify(server.address?.())).join(', ');
    throw new Error(
      `A test has left ${String(open.length)} server(s) open (${where}). Close in afterEach what it has started, also when it starts two.`,
    );
  },
};
