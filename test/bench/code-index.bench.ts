/**
 * Prompts in code: 5,000 generated files, up to 1 MB, of which one in ten asks for prompts. Time is
 * processor time, since the disk is not ours; memory is what stays when all of them are known.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { CallIndex } from '../../src/core/code-index/call-index.ts';
import type { CodeLanguage } from '../../src/core/code-index/languages.ts';
import { callsIn, callsInSlices, Slices } from '../../src/core/code-index/scan.ts';
import { problemsOfCall } from '../../src/extension/code/check.ts';
import type { FoundPrompt } from '../../src/extension/code/known.ts';
import type { Figure } from './figure.ts';

const translated = (text: string): string => text;

const files = 5000;
const asksEvery = 10;
const largeEvery = 500;

const scriptLine = (at: number): string =>
  `export const value${at} = async (a, b) => { /* ${at} */ return a / b > ${at} ? \`x \${a}\` : "it's"; };\n`;
const pythonLine = (at: number): string =>
  `def value${at}(a, b):  # ${at}\n    return f"x {a}" if a / b > ${at} else "it's"\n`;

function fileOf(at: number): { readonly text: string; readonly language: CodeLanguage } {
  const language = at % 2 === 0 ? 'script' : 'python';
  const line = language === 'script' ? scriptLine : pythonLine;
  const lines = at % largeEvery === 0 ? 10_000 : 60;
  const asks =
    language === 'script'
      ? `client.run({ promptName: 'folder of prompts/prompt ${at % 300}', inputVariables: { question: 'a', n: [1, 2] } });\n`
      : `client.run(prompt_name="folder of prompts/prompt ${at % 300}", input_variables={"question": "a"})\n`;
  const text = Array.from({ length: lines }, (_, number) => line(number)).join('');
  return { text: at % asksEvery < 2 && at % asksEvery === at % 2 ? text + asks : text, language };
}

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** What holds up the thread: others collect garbage and compile. */
const threadMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

function heapMb(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

const keystrokes = 100;

/** Processor time from a key to what is wrong, in a file of 2,000 lines with 40 calls; without the pause of typing. */
async function problemTimes(signal: AbortSignal): Promise<readonly number[]> {
  const found: FoundPrompt = {
    kind: 'found',
    info: {
      ...{ what: 'prompt', id: 1, name: 'folder of prompts/prompt 1', version: 7, latest: 7 },
      ...{ model: 'gpt-5', hasAllVariables: true, messages: [], labels: [] },
      variables: [{ name: 'question', takes: 'text', isOptional: false }],
    },
  };
  const facts = { found, names: undefined, workspace: 'Acme' };
  const call =
    "client.run({ promptName: 'folder of prompts/prompt 1', inputVariables: { qestion: 1 } });\n";
  const lines = Array.from({ length: 2000 }, (_, at) => (at % 50 === 0 ? call : scriptLine(at)));
  const times: number[] = [];
  for (let key = 0; key < keystrokes; key += 1) {
    const text = `${lines.slice(0, 1000).join('')}// ${'x'.repeat(key)}\n${lines.slice(1000).join('')}`;
    const began = cpuMs();
    const slices = new Slices(() => turn());
    const calls = await callsInSlices(text, 'script', { slices, signal });
    const problems = calls.flatMap((each) => problemsOfCall(each, 'script', facts, translated));
    times.push(cpuMs() - began);
    // Each call lacks one variable and has one too many.
    if (problems.length !== 80) throw new Error(`${problems.length} problems`);
  }
  return times.sort((one, other) => one - other);
}

export const name = 'prompts in code: index of 5,000 files';

export async function run(): Promise<Figure[]> {
  const before = heapMb();
  const index = new CallIndex();
  let spent = 0;
  let bytes = 0;
  for (let at = 0; at < files; at += 1) {
    const { text, language } = fileOf(at);
    bytes += text.length;
    const began = cpuMs();
    index.put(`${at}`, callsIn(text, language), text);
    spent += cpuMs() - began;
  }
  const kept = heapMb() - before;
  const { text } = fileOf(0);
  const { signal } = new AbortController();
  let longest = 0;
  let began = threadMs();
  const slices = new Slices(async () => {
    longest = Math.max(longest, threadMs() - began);
    await turn();
    began = threadMs();
  });
  await callsInSlices(`${text}// promptName`, 'script', { slices, signal });
  const times = await problemTimes(signal);
  const typing = times[Math.floor(times.length * 0.95)] ?? 0;
  return [
    { metric: 'files of together', value: bytes / 2 ** 20, unit: 'MB' },
    { metric: 'index of all', value: spent, unit: 'ms CPU', limit: 5000, pass: spent <= 5000 },
    { metric: 'memory of the index', value: kept, unit: 'MB', limit: 20, pass: kept <= 20 },
    { metric: 'files that ask', value: index.fileCount, unit: 'files' },
    {
      metric: 'longest slice of 1 MB',
      value: longest,
      unit: 'ms CPU',
      limit: 20,
      pass: longest <= 20,
    },
    {
      metric: 'keystroke to problems, p95',
      value: typing,
      unit: 'ms CPU',
      limit: 100,
      pass: typing <= 100,
    },
  ];
}
