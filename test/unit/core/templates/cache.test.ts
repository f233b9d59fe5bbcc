import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { Template } from '../../../../src/api/template.ts';
import { AuthenticationError, NotFoundError, ServerError } from '../../../../src/core/errors.ts';
import { TemplateCache } from '../../../../src/core/templates/cache.ts';
import { FakeClock } from '../../../support/http/fake-clock.ts';
import { RecordingLogger } from '../../../support/http/recording-logger.ts';

const templateOf = (name: string, version: number, text = '{a}'): Template => ({
  id: 7,
  prompt_name: name,
  version,
  prompt_template: { type: 'completion', content: [{ type: 'text', text }] },
});

function make(
  limits: {
    readonly maxEntries?: number;
    readonly maxBytes?: number;
    readonly onChange?: () => void;
  } = {},
) {
  const clock = new FakeClock();
  const logger = new RecordingLogger();
  const cache = new TemplateCache({ ttlMs: 60_000, clock, logger, workspace: 'w', ...limits });
  let fetched = 0;
  const get = async (name: string, fetch?: () => Promise<Template>, signal?: AbortSignal) => {
    const load = (): Promise<Template> => {
      fetched += 1;
      return fetch?.() ?? Promise.resolve(templateOf(name, fetched));
    };
    const plan = await cache.plan({ name }, load, { signal });
    return plan?.render(undefined)?.version;
  };
  return { cache, clock, logger, get, fetches: () => fetched };
}

const failing = (error: Error) => (): Promise<Template> => Promise.reject(error);
const down = failing(new ServerError('down'));

describe('the template cache', () => {
  it('serves a fresh entry, and asks again when it is exactly as old as the time to live', async () => {
    const { get, clock, fetches } = make();
    assert.equal(await get('p'), 1);
    clock.pass(59_999);
    assert.equal(await get('p'), 1);
    clock.pass(1);
    assert.equal(await get('p'), 2);
    assert.equal(fetches(), 2);
  });

  it('lists what it has, by what it was asked for', async () => {
    const { cache, get } = make();
    await get('p');
    await cache.plan({ name: 'q', label: 'prod' }, () => Promise.resolve(templateOf('q', 4)));
    const list = (name?: string): readonly unknown[] =>
      cache.list(name).map(({ name: asked, label, template }) => [asked, label, template.version]);
    assert.deepEqual(list(), [
      ['p', undefined, 1],
      ['q', 'prod', 4],
    ]);
    assert.deepEqual(list('q'), [['q', 'prod', 4]]);
    assert.deepEqual(list('nobody'), []);
  });

  it('tells whether what it has is fresh, stale, or served stale, and when that changes', async () => {
    let changes = 0;
    const { cache, get, clock } = make({ onChange: () => (changes += 1) });
    assert.equal(cache.stateOf('p'), undefined);
    await get('p');
    assert.deepEqual([cache.stateOf('p'), cache.stateOf('7')], ['fresh', 'fresh']);
    clock.pass(60_000);
    assert.equal(cache.stateOf('p'), 'stale');
    const before = changes;
    await get('p', down);
    assert.equal(cache.stateOf('p'), 'served');
    assert.equal(changes, before + 1);
    await get('p');
    assert.equal(cache.stateOf('p'), 'fresh');
    cache.invalidate('p');
    assert.equal(cache.stateOf('p'), undefined);
  });

  it('serves a stale entry after a transient failure, saying so once, and asks each time', async () => {
    const { get, clock, logger, fetches } = make();
    await get('p');
    clock.pass(60_000);
    assert.equal(await get('p', down), 1);
    assert.equal(await get('p', down), 1);
    assert.equal(fetches(), 3);
    assert.equal(logger.messages('warn').length, 1);
    assert.match(logger.messages('warn')[0] ?? '', /"p".*copy in memory.*down/);
    assert.equal(await get('p'), 4);
    clock.pass(60_000);
    await get('p', down);
    assert.equal(logger.messages('warn').length, 2);
  });

  it('does not hide a final failure behind a stale entry', async () => {
    const { get, clock } = make();
    await get('p');
    clock.pass(60_000);
    await assert.rejects(get('p', failing(new AuthenticationError('no'))), {
      code: 'authentication',
    });
    assert.equal(await get('p', down), 1);
    await assert.rejects(get('p', failing(new NotFoundError('gone'))), { code: 'not_found' });
    await assert.rejects(get('p', down), { code: 'server' });
  });

  it('makes one request for many callers, and gives it up with the last of them', async () => {
    const { cache } = make();
    let seen: AbortSignal | undefined;
    let count = 0;
    const never = (signal: AbortSignal): Promise<Template> => {
      count += 1;
      seen = signal;
      return new Promise(() => undefined);
    };
    const stops = [new AbortController(), new AbortController()];
    const calls = stops.map(({ signal }) => cache.plan({ name: 'p' }, never, { signal }));
    const settled = Promise.allSettled(calls);
    await new Promise(setImmediate);
    stops[0]?.abort();
    await new Promise(setImmediate);
    assert.equal(seen?.aborted, false);
    stops[1]?.abort();
    const ends = await settled;
    assert.ok(seen.aborted);
    assert.equal(count, 1);
    assert.ok(ends.every((end) => end.status === 'rejected'));
  });

  it('does not write back what was fetched before an invalidation', async () => {
    for (const name of ['p', undefined, '', '7']) {
      const { get, cache } = make();
      let land = (_template: Template): void => undefined;
      const early = get('p', () => new Promise((resolve) => (land = resolve)));
      await new Promise(setImmediate);
      cache.invalidate(name);
      const late = get('p');
      land(templateOf('p', 100));
      assert.equal(await early, 100);
      assert.equal(await late, 2);
      assert.equal(await get('p'), 2);
    }
  });

  it('forgets by name and by id, and nothing else', async () => {
    const { get, cache } = make();
    await get('7', () => Promise.resolve(templateOf('p', 1)));
    await get('q', () => Promise.resolve({ ...templateOf('q', 2), id: 8 }));
    cache.invalidate('p');
    assert.equal(cache.size.entries, 1);
    cache.invalidate('8');
    assert.deepEqual(cache.size, { entries: 0, bytes: 0 });
  });

  it('is bounded by entries and by bytes', async () => {
    const few = make({ maxEntries: 3 });
    for (const name of ['a', 'b', 'c', 'd']) await few.get(name);
    assert.equal(few.cache.size.entries, 3);
    assert.equal(await few.get('d'), 4);
    assert.equal(await few.get('a'), 5);
    const small = make({ maxBytes: 2_000 });
    for (let index = 0; index < 50; index += 1) {
      await small.get(`n${index}`);
      assert.ok(small.cache.size.bytes <= 2_000);
    }
    await small.get('large', () => Promise.resolve(templateOf('large', 9, 'x'.repeat(4_000))));
    assert.ok(small.cache.size.entries > 0);
  });

  it('remembers for a minute that only the service can render a template', async () => {
    const { get, clock, fetches } = make();
    const snippet = (): Promise<Template> => Promise.resolve(templateOf('p', 1, '@@@s@@@'));
    assert.equal(await get('p', snippet), undefined);
    clock.pass(59_999);
    assert.equal(await get('p', snippet), undefined);
    assert.equal(fetches(), 1);
    clock.pass(1);
    await get('p', snippet);
    assert.equal(fetches(), 2);
  });

  it('never serves what was invalidated, in any order of events', async () => {
    const event = fc.oneof(
      fc.record({ kind: fc.constant('get' as const), name: fc.constantFrom('a', 'b', '7') }),
      fc.record({ kind: fc.constant('publish' as const), name: fc.constantFrom('a', 'b', '') }),
      fc.record({ kind: fc.constant('land' as const), isFailure: fc.boolean(), at: fc.nat(5) }),
      fc.record({ kind: fc.constant('pass' as const), ms: fc.constantFrom(1, 30_000, 60_000) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 40 }), async (events) => {
        const { cache, clock } = make();
        // "7" is the id of "a". What is published counts up; a get must give at least what was
        // published when it began.
        const published = { a: 1, b: 1 };
        const inAir: { land: (isFailure: boolean) => void }[] = [];
        const ends: Promise<void>[] = [];
        const start = (asked: 'a' | 'b' | '7'): void => {
          const name = asked === '7' ? 'a' : asked;
          const least = published[name];
          const fetch = (): Promise<Template> => {
            const template = { ...templateOf(name, published[name]), id: name === 'a' ? 7 : 8 };
            return new Promise((resolve, reject) => {
              inAir.push({
                land: (isFailure) => {
                  if (isFailure) reject(new ServerError('down'));
                  else resolve(template);
                },
              });
            });
          };
          ends.push(
            cache.plan({ name: asked }, fetch).then(
              (plan) => assert.ok(Number(plan?.render(undefined)?.version) >= least),
              (error: unknown) => assert.ok(error instanceof ServerError, String(error)),
            ),
          );
        };
        for (const step of events) {
          if (step.kind === 'get') start(step.name);
          else if (step.kind === 'pass') clock.pass(step.ms);
          else if (step.kind === 'land') {
            const [flight] = inAir.splice(step.at % Math.max(1, inAir.length), 1);
            flight?.land(step.isFailure);
          } else {
            for (const name of ['a', 'b'] as const) {
              if (step.name === '' || step.name === name) published[name] += 1;
            }
            cache.invalidate(step.name);
          }
          await new Promise(setImmediate);
        }
        for (let turn = 0; turn < 3; turn += 1) {
          for (const flight of inAir.splice(0)) flight.land(false);
          await new Promise(setImmediate);
        }
        await Promise.all(ends);
      }),
      { numRuns: 150 },
    );
  });
});
