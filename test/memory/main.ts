/**
 * Memory over a day's work: main.ts --vsix FILE [--minutes N]. The window is loaded anew twice in the
 * first quarter; after that it is the same window to the end, since a reload would hide a leak.
 */
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { cacheDir } from '../../scripts/paths.mjs';
import { runScript, say } from '../../scripts/say.mjs';
import { startModel } from '../host/support/prompt-service.ts';
import { demoReply } from '../support/demo-prompts.ts';
import { bootHost } from '../support/host/boot.ts';
import { launchBrowser, newContext } from '../support/host/browser.ts';
import {
  openWorkbench,
  reload,
  runCommand,
  keepPicture,
  type Workbench,
} from '../support/host/workbench.ts';
import { closeEditors, habits, moveIn } from './person.ts';
import { extensionHosts } from './processes.ts';
import { Sampler, type Sample } from './samples.ts';
import { growths, isKept, type Growth } from './verdict.ts';

const everyMs = 30_000;
/** Of the whole time, when the window is loaded anew. */
const reloads = [0.08, 0.16];

const rounded = (value: number): string => String(Number(value.toPrecision(4)));

function lineOf(growth: Growth): string {
  const { title, unit, second, last, percent, perHour, limit } = growth;
  const bound =
    limit === undefined ? '' : ` (at most +${limit} %${isKept(growth) ? '' : ': MISSED'})`;
  const from = `${rounded(second)} → ${rounded(last)} ${unit}`.trim();
  return `    ${title}: ${from}, ${percent.toFixed(1)} %${bound}; ${rounded(perHour)} ${unit} an hour`;
}

const sampleLine = (sample: Sample): string =>
  `  ${(sample.atMs / 60_000).toFixed(1)} min: host ${rounded(sample.hostRssMb)} MB (${rounded(sample.hostHeapMb)}), service ${rounded(sample.serviceRssMb)} MB (${rounded(sample.serviceHeapMb)}), page ${rounded(sample.pageHeapMb)} MB, ${sample.nodes} nodes, ${sample.listeners} listeners, ${sample.documents} documents`;

/** A habit that fails is told and given up, as a person would; too many end the run. */
class Day {
  readonly #workbench: Workbench;
  readonly #sampler: Sampler;
  #unanswered = 0;
  done = 0;
  failed = 0;

  constructor(workbench: Workbench, sampler: Sampler) {
    this.#workbench = workbench;
    this.#sampler = sampler;
  }

  async spend(lengthMs: number): Promise<void> {
    const began = Date.now();
    const left = [...reloads];
    let sampledAt = 0;
    for (let round = 0; ; round += 1) {
      for (const name of Object.keys(habits)) {
        const spent = Date.now() - began;
        if (spent > lengthMs) return;
        if (left[0] !== undefined && spent > left[0] * lengthMs) {
          left.shift();
          await reload(this.#workbench);
          say('  The window was loaded anew.');
        }
        await this.#do(name, round);
        if (Date.now() - sampledAt < everyMs) continue;
        sampledAt = Date.now();
        await this.#sample();
      }
    }
  }

  /** A process that is too busy to answer is asked again half a minute later. */
  async #sample(): Promise<void> {
    try {
      say(sampleLine(await this.#sampler.take()));
      this.#unanswered = 0;
    } catch (error) {
      this.#unanswered += 1;
      if (this.#unanswered > 5) throw error;
      say(`  No sample: ${String(error)}`);
    }
  }

  async #do(name: string, round: number): Promise<void> {
    const { page } = this.#workbench;
    try {
      await habits[name]?.(this.#workbench, round);
      this.done += 1;
    } catch (error) {
      this.failed += 1;
      const file = await keepPicture(page, `memory-${name.replaceAll(' ', '-')}`);
      say(`  ${name}, round ${round}, failed (${file}): ${String(error).slice(0, 400)}`);
      if (this.failed > 10 && this.failed > this.done / 10)
        throw new Error('Too much of the work fails: see the lines above.', { cause: error });
      for (let at = 0; at < 3; at += 1) await page.keyboard.press('Escape');
    }
    await closeEditors(this.#workbench);
    await runCommand(this.#workbench, 'Notifications: Clear All Notifications');
  }
}

await runScript(async () => {
  const { values } = parseArgs({
    options: { minutes: { type: 'string', default: '5' }, vsix: { type: 'string' } },
  });
  const minutes = Number(values.minutes);
  if (!(minutes > 0)) {
    say('Usage: npm run memory -- [--minutes N]');
    return 2;
  }
  if (process.platform !== 'linux') {
    say('Memory is read from /proc: run this on Linux.');
    return 2;
  }
  const lengthMs = minutes * 60_000;
  const model = await startModel();
  // Long enough to be stopped on its way.
  model.say(`${demoReply}\n\n`.repeat(10), { pieceMs: 10, size: 20 });
  const env = { OPENAI_API_KEY: 'of-the-trial', OPENAI_BASE_URL: `${model.url}/v1` };
  const host = await bootHost({ vsix: values.vsix, env });
  const browser = await launchBrowser();
  try {
    const { context } = await newContext(browser);
    const workbench = await openWorkbench(context, host);
    await moveIn(workbench);
    const sampler = await Sampler.start(workbench);
    const day = new Day(workbench, sampler);
    say(`> ${minutes} minutes of work ...`);
    await day.spend(lengthMs);
    const file = path.join(cacheDir, 'memory.json');
    fs.writeFileSync(file, JSON.stringify(sampler.samples, null, 1));
    const found = growths(sampler.samples, lengthMs);
    say(
      `\nMedian of the second quarter → of the last; the line is over the second half (${file}):`,
    );
    say(found.map(lineOf).join('\n'));
    say(
      `    ${day.done} pieces of work, ${day.failed} given up, ${extensionHosts(host.dataDir).length} extension host at the end`,
    );
    const missed = found.filter((growth) => !isKept(growth));
    say(missed.length === 0 ? '\nFlat.' : `\n${missed.length} grew.`);
    return missed.length === 0 ? 0 : 1;
  } finally {
    await browser.close();
    await host.stop();
    await model.close();
  }
});
