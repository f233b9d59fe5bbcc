import { setTimeout as pause } from 'node:timers/promises';
import { stopOperation } from '../engine/operations/stop.ts';
import { CellProblem } from '../engine/problem.ts';
import type { BudgetOwner } from '../engine/prompts.ts';
import type { Log } from '../log.ts';
import type { Prices } from '../requests/prices.ts';
import type { Database, SqlValue } from '../store/database.ts';
import type { PlannedCall } from './estimate.ts';
import { estimateCost } from './estimate.ts';

const LOOK_MS = 100;
/** Calls of other processes that are not heard of for so long are taken for made and paid. */
const SILENCE_MS = 60_000;
const ACCOUNTS_KEPT = 1000;

interface Balance {
  readonly status: string;
  readonly cost_ceiling: number | null;
  readonly spent: number;
  readonly reserved: number;
  readonly stop_message: string | null;
}

/** What is known here of an operation or a calculation with a ceiling. */
interface Account {
  readonly place: Place;
  readonly ceiling: number;
  /** USD of the dearest call so far: the next one may be like it. */
  dearest: number;
}

/** The row that an account stands in. */
interface Place {
  readonly table: 'operations' | 'score_calculations';
  readonly where: string;
  readonly params: readonly [number, number];
}

function placeOf(budgetOwner: BudgetOwner): Place | undefined {
  switch (budgetOwner.kind) {
    case 'operation':
      return {
        table: 'operations',
        where: 'where sheet_key = ? and key = ?',
        params: [budgetOwner.sheetKey, budgetOwner.operationKey],
      };
    case 'calculation':
      return {
        table: 'score_calculations',
        where: 'where sheet_key = ? and number = ?',
        params: [budgetOwner.sheetKey, budgetOwner.calculation.number],
      };
    case 'run':
      return undefined;
  }
}

/** Money that is set aside for a call under way. */
export interface Reservation {
  /** What the call has cost; null when that is not known: then all that was set aside counts. */
  settle(price: number | null): Promise<void>;
}

const nothing: Reservation = { settle: async () => undefined };

/** Enough digits for the price of one call. */
const usd = (amount: number): string => `$${Number(amount.toPrecision(3)).toString()}`;

/** Keeps operations and calculations below their cost ceilings, in all processes together. */
export class Ledger {
  readonly #database: Database;
  readonly #log: Log;
  readonly #prices: Prices;
  readonly #accounts = new Map<string, Promise<Account | undefined>>();

  constructor(database: Database, log: Log, prices: Prices) {
    this.#database = database;
    this.#log = log;
    this.#prices = prices;
  }

  /**
   * Sets aside what a call should cost at most. Throws a CellProblem `cost_ceiling` when that would
   * cross the ceiling, which stops what pays, or `cost_unknown`.
   */
  async reserve(
    budgetOwner: BudgetOwner,
    call: PlannedCall,
    signal: AbortSignal,
  ): Promise<Reservation> {
    const place = placeOf(budgetOwner);
    const account = place && (await this.#accountOf(place));
    if (account === undefined) return nothing;
    const listed = await estimateCost(this.#prices, call);
    if (listed === null) throw unknownCost(call, account.ceiling);
    const estimate = Math.max(listed, account.dearest);
    await this.#setAside(account, estimate, signal);
    return {
      settle: async (price) => {
        if (price !== null) account.dearest = Math.max(account.dearest, price);
        else {
          this.#log.warn('The price of a request is not known; what was set aside counts.', {
            provider: call.provider,
            model: call.model,
            usd: estimate,
          });
        }
        await this.#run(
          `update ${account.place.table} set spent = spent + ?, reserved = reserved - ? ${account.place.where}`,
          [price ?? estimate, estimate, ...account.place.params],
        );
      },
    };
  }

  #run(sql: string, params: readonly SqlValue[]): Promise<number> {
    return this.#database.shortTransaction((session) => session.run(sql, params));
  }

  #accountOf(place: Place): Promise<Account | undefined> {
    const name = `${place.table} ${place.params.join('.')}`;
    let account = this.#accounts.get(name);
    if (account === undefined) {
      const [oldest] = this.#accounts.keys();
      if (this.#accounts.size >= ACCOUNTS_KEPT && oldest !== undefined)
        this.#accounts.delete(oldest);
      account = this.#balance(place).then((balance) =>
        typeof balance?.cost_ceiling === 'number'
          ? { place, ceiling: balance.cost_ceiling, dearest: 0 }
          : undefined,
      );
      // A database that is away for a moment says nothing about the ceiling.
      account.catch(() => this.#accounts.delete(name));
      this.#accounts.set(name, account);
    }
    return account;
  }

  #balance({ table, where, params }: Place): Promise<Balance | undefined> {
    return this.#database.one<Balance>(
      `select status, cost_ceiling, spent, reserved, stop_message from ${table} ${where}`,
      params,
    );
  }

  async #setAside(
    { place, ceiling }: Account,
    estimate: number,
    signal: AbortSignal,
  ): Promise<void> {
    let lastReserved = -1;
    let quietSince = performance.now();
    for (;;) {
      signal.throwIfAborted();
      const changed = await this.#run(
        `update ${place.table} set reserved = reserved + ? ${place.where}
           and status in ('queued', 'running') and stop_message is null and spent + reserved + ? <= cost_ceiling`,
        [estimate, ...place.params, estimate],
      );
      if (changed > 0) return;
      const balance = await this.#balance(place);
      if (balance === undefined || balance.stop_message !== null) {
        throw new CellProblem(
          'cost_ceiling',
          balance?.stop_message ?? `The ${nameOf(place)} no longer exists.`,
        );
      }
      const { spent, reserved } = balance;
      if (reserved !== lastReserved) {
        lastReserved = reserved;
        quietSince = performance.now();
      }
      // A call has come to its end since.
      if (spent + reserved + estimate <= ceiling) continue;
      // Rounding leaves crumbs where nothing is under way any more.
      const isUnderWay = reserved > 1e-9 && performance.now() - quietSince < SILENCE_MS;
      if (!isUnderWay || spent + estimate > ceiling) {
        const message = `The ${nameOf(place)} has stopped, because the next request could cost ${usd(estimate)} and ${usd(spent)} of its cost ceiling of ${usd(ceiling)} is spent. What was computed is kept. Raise the ceiling and run the rest.`;
        await this.#stop(place, message);
        throw new CellProblem('cost_ceiling', message);
      }
      // Calls under way may turn out cheaper than what was set aside for them.
      await pause(LOOK_MS, undefined, { signal });
    }
  }

  async #stop({ table, where, params }: Place, message: string): Promise<void> {
    if (table === 'operations') return stopOperation(this.#database, ...params, message);
    // Whoever scores reads it after each batch, and ends the calculation.
    await this.#database.run(
      `update score_calculations set stop_message = ? ${where} and stop_message is null`,
      [message, ...params],
    );
  }
}

const nameOf = ({ table }: Place): string => (table === 'operations' ? 'operation' : 'calculation');

function unknownCost({ provider, model }: PlannedCall, ceiling: number): CellProblem {
  return new CellProblem(
    'cost_unknown',
    `The cost of ${provider}/${model} is unknown, so a cost ceiling of ${usd(ceiling)} can't be enforced. Set its price in the file of PROMPT_TABLES_PRICES (0 for a model of your own), or run without a ceiling.`,
  );
}
