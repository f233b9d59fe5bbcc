/** One SDK in a process of its own: told what to do by its arguments, answers a line of JSON. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as core from '../../../src/core/index.ts';
import { loadPublicSdk } from '../../support/public-sdk/public-sdk.ts';

interface Sdk {
  getTemplate(): Promise<unknown>;
  /** Reads a whole stream, keeping nothing; answers the number of items. */
  readStream(): Promise<number>;
  run(): Promise<unknown>;
}

const [, , which = '', task = '', amount = '0'] = process.argv;
const count = Number(amount);
const baseURL = process.env['BENCH_URL'] ?? '';
const root = path.resolve(import.meta.dirname, '../../..');
const variables = { role: 'a clerk', question: 'this', user: 'Ada', language: 'English' };
const named = { promptName: 'greeting', inputVariables: variables };

async function ours(): Promise<Sdk> {
  const { Client, silentLogger } = (await import(
    pathToFileURL(path.join(root, 'dist/core.mjs')).href
  )) as typeof core;
  const client = new Client({
    apiKey: 'bench-key',
    baseURL,
    cacheTtlSeconds: 60,
    logger: silentLogger,
  });
  return {
    getTemplate: () => client.templates.get('greeting', { inputVariables: variables }),
    readStream: async () => {
      let items = 0;
      for await (const { prompt_blueprint: blueprint } of await client.run({
        ...named,
        stream: true,
      })) {
        if ('prompt_template' in blueprint) items += 1;
      }
      return items;
    },
    run: () => client.run(named),
  };
}

async function theirs(): Promise<Sdk> {
  const PromptLayer = await loadPublicSdk();
  const client = new PromptLayer({ apiKey: 'bench-key', baseURL, cacheTtlSeconds: 60 });
  return {
    getTemplate: () => client.templates.get('greeting', { input_variables: variables }),
    readStream: async () => {
      let items = 0;
      const stream = await client.run({ ...named, stream: true });
      for await (const item of stream as AsyncIterable<{ prompt_blueprint?: unknown }>) {
        if (item.prompt_blueprint !== undefined) items += 1;
      }
      return items;
    },
    run: () => client.run(named),
  };
}

const cpuMs = (since: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
};

const importedAt = performance.now();
const sdk = await (which === 'ours' ? ours() : theirs());
const importMs = performance.now() - importedAt;

async function measure(): Promise<object> {
  switch (task) {
    case 'import':
      return { importMs };
    case 'get': {
      for (let at = 0; at < count / 10; at += 1) await sdk.getTemplate();
      const began = process.cpuUsage();
      for (let at = 0; at < count; at += 1) await sdk.getTemplate();
      return { perCallUs: (cpuMs(began) * 1000) / count };
    }
    case 'stream': {
      await sdk.readStream();
      globalThis.gc?.();
      const before = process.memoryUsage().heapUsed;
      let peak = before;
      const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().heapUsed)), 5);
      const began = process.cpuUsage();
      const wallBegan = performance.now();
      const items = await sdk.readStream();
      clearInterval(watch);
      const used = { cpuMs: cpuMs(began), wallMs: performance.now() - wallBegan };
      globalThis.gc?.();
      return { ...used, items, keptMb: (process.memoryUsage().heapUsed - before) / 1048576 };
    }
    case 'runs': {
      await sdk.run();
      const began = process.cpuUsage();
      const wallBegan = performance.now();
      await Promise.all(Array.from({ length: count }, () => sdk.run()));
      return {
        cpuMs: cpuMs(began),
        wallMs: performance.now() - wallBegan,
        peakMb: process.resourceUsage().maxRSS / 1024,
      };
    }
    default:
      throw new Error(`There is no task ${task}.`);
  }
}

process.stdout.write(`${JSON.stringify(await measure())}\n`);
process.exit(0);
