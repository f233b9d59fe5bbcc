import type { Session } from './database.ts';

type Work<Result> = (session: Session) => Promise<Result>;

/** One of several transactions that end together. */
interface Part {
  readonly run: (session: Session) => Promise<void>;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

interface Saving extends Session {
  exec(sql: string): void;
}

/** Has transactions of a moment share one begin and one end, each behind a savepoint of its own. */
export class ShortTransactions {
  readonly #inOne: (work: (session: Saving) => Promise<void>) => Promise<void>;
  #waiting: Part[] = [];

  /** `inOne` makes one transaction of all that is given to it, when its turn comes. */
  constructor(inOne: (work: (session: Saving) => Promise<void>) => Promise<void>) {
    this.#inOne = inOne;
  }

  add<Result>(work: Work<Result>): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    let settle = (): void => undefined;
    const run = async (session: Session): Promise<void> => {
      const result = await work(session);
      settle = () => resolve(result);
    };
    this.#waiting.push({ run, resolve: () => settle(), reject });
    // After what has arrived in the same turn, an answer of a model each.
    if (this.#waiting.length === 1) setImmediate(() => void this.endTogether());
    return promise;
  }

  /** All that wait at the moment when its turn comes. */
  async endTogether(): Promise<void> {
    if (this.#waiting.length === 0) return;
    let parts: Part[] | undefined;
    const done: Part[] = [];
    try {
      await this.#inOne(async (session) => {
        parts = this.#waiting.splice(0);
        for (const part of parts) if (await isDone(session, part)) done.push(part);
      });
      for (const part of done) part.resolve();
    } catch (error) {
      // It could not begin, or did not end: nothing of it is there.
      for (const part of parts ?? this.#waiting.splice(0)) part.reject(error);
    }
  }
}

/** Runs a part; one that throws is undone, and knows why. */
async function isDone(session: Saving, part: Part): Promise<boolean> {
  session.exec('savepoint part');
  try {
    await part.run(session);
    session.exec('release part');
    return true;
  } catch (error) {
    part.reject(error);
    session.exec('rollback to part');
    session.exec('release part');
    return false;
  }
}
