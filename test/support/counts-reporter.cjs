// One line for each top-level suite, failures in full, and the counts as JSON for scripts/test.mjs.
// PROMPT_TABLES_COUNTS names the file for the counts. PROMPT_TABLES_REPORT names a file for the
// text, for runs inside VS Code, which has no terminal to print to.
const fs = require('node:fs');
const { Runner } = require('mocha');

const {
  EVENT_RUN_END,
  EVENT_SUITE_BEGIN,
  EVENT_SUITE_END,
  EVENT_TEST_FAIL,
  EVENT_TEST_PASS,
  EVENT_TEST_PENDING,
  EVENT_TEST_RETRY,
} = Runner.constants;

module.exports = class CountsReporter {
  constructor(runner) {
    const { PROMPT_TABLES_COUNTS: countsFile, PROMPT_TABLES_REPORT: reportFile } = process.env;
    const print = (text) =>
      reportFile ? fs.appendFileSync(reportFile, `${text}\n`) : process.stdout.write(`${text}\n`);
    // `setUps`: of those that failed, what should have prepared a suite or a test.
    const total = { passed: 0, failed: 0, skipped: 0, setUps: 0 };
    let suite = { passed: 0, failed: 0, skipped: 0, began: 0 };
    const isTop = (candidate) => candidate.parent?.root === true;
    const count = (kind) => {
      suite[kind] += 1;
      total[kind] += 1;
    };
    runner.on(EVENT_SUITE_BEGIN, (candidate) => {
      if (isTop(candidate)) suite = { passed: 0, failed: 0, skipped: 0, began: Date.now() };
    });
    runner.on(EVENT_SUITE_END, (candidate) => {
      if (!isTop(candidate)) return;
      const numbers = [`${suite.passed} passed`];
      if (suite.failed) numbers.push(`${suite.failed} FAILED`);
      if (suite.skipped) numbers.push(`${suite.skipped} skipped`);
      print(`  ${candidate.title}: ${numbers.join(', ')} (${Date.now() - suite.began} ms)`);
    });
    runner.on(EVENT_TEST_PASS, () => count('passed'));
    runner.on(EVENT_TEST_PENDING, (test) => {
      count('skipped');
      print(`  skipped: ${test.fullTitle()}`);
    });
    runner.on(EVENT_TEST_FAIL, (test, error) => {
      count('failed');
      // What runs after tests may be where they look for what was left behind: a verdict.
      if (test.type === 'hook' && test.title.startsWith('"before')) total.setUps += 1;
      print(`  FAILED: ${test.fullTitle()}\n${describe(error)}`);
    });
    runner.on(EVENT_TEST_RETRY, (test, error) => {
      print(`  TRIED AGAIN: ${test.fullTitle()}\n${describe(error)}`);
    });
    runner.once(EVENT_RUN_END, () => {
      if (countsFile) fs.writeFileSync(countsFile, JSON.stringify(total));
    });
  }
};

function describe(error) {
  const text = [error?.stack ?? String(error)];
  if (error?.expected !== undefined && error?.actual !== undefined) {
    text.push(`expected: ${show(error.expected)}`, `actual:   ${show(error.actual)}`);
  }
  if (error?.cause !== undefined) text.push('because:', describe(error.cause));
  return text.join('\n').replace(/^/gm, '    ');
}

const show = (value) =>
  require('node:util').inspect(value, { depth: 6, breakLength: 120, maxStringLength: 2000 });
