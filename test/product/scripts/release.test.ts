import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { inRoot } from '../../../scripts/paths.mjs';
import { follows, placeholders, released } from '../../../scripts/release-notes.mjs';

describe('A release', () => {
  it('has the next version, by one step of one number', () => {
    for (const next of ['1.2.4', '1.3.0', '2.0.0'])
      assert.equal(follows(next, '1.2.3'), true, next);
    for (const other of ['1.2.3', '1.2.5', '1.3.1', '1.2.2', '2.1.0', 'v2.0.0', '2.0', ''])
      assert.equal(follows(other, '1.2.3'), false, other);
  });

  it('has what stands under Unreleased as its notes, and leaves that heading empty', () => {
    const changelog =
      '# Changelog\n\n## [Unreleased]\n\n### Fixed\n\n- A.\n\n## [0.1.0] - 2026-01-01\n\n- B.\n';
    const found = released(changelog, '0.2.0', '2026-12-01');
    assert.ok(found !== undefined);
    assert.equal(found.notes, '### Fixed\n\n- A.');
    assert.equal(
      found.changelog,
      '# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-12-01\n\n### Fixed\n\n- A.\n\n## [0.1.0] - 2026-01-01\n\n- B.\n',
    );
    assert.equal(released(found.changelog, '0.3.0', '2026-12-02'), undefined);
  });

  it('is not published while the manifest leads nowhere', () => {
    assert.deepEqual(placeholders({}), ['repository', 'bugs', 'homepage']);
    const [homepage, bugs] = ['https://example.test', { url: 'https://example.test/issues' }];
    assert.deepEqual(
      placeholders({ homepage, bugs, repository: { url: 'git+https://x/OWNER/y' } }),
      ['repository'],
    );
  });

  describe('in a checkout', () => {
    let folder: string;
    const git = (...args: readonly string[]): string =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.test', ...args], {
        cwd: folder,
        encoding: 'utf8',
      });
    beforeEach(() => {
      folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pt-release-'));
      for (const name of ['package.json', 'package-lock.json', 'CHANGELOG.md', 'scripts'])
        fs.cpSync(inRoot(name), path.join(folder, name), { recursive: true });
      git('init', '--quiet', '--initial-branch', 'main');
      git('add', '--all');
      git('commit', '--quiet', '--message', 'first');
    });
    afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));
    const release = (...args: readonly string[]) =>
      spawnSync(process.execPath, ['scripts/release.mjs', ...args], {
        cwd: folder,
        encoding: 'utf8',
      });

    it('that is only tried says each step in its order, and changes nothing', () => {
      const { stdout, status } = release('0.2.0', '--dry-run', '--publish');
      assert.equal(status, 0);
      const steps = stdout.split('\n').filter((line) => line.startsWith('> '));
      const wanted = [
        '0.2.0',
        'npm test',
        'run package',
        'run sdk',
        'git commit',
        'git tag',
        'git push',
        'vsce publish',
        'ovsx publish',
        'npm publish',
      ];
      assert.equal(steps.length, wanted.length);
      wanted.forEach((word, index) => assert.ok(steps[index]?.includes(word), steps[index]));
      assert.match(stdout, /! "repository" in package\.json is a placeholder/);
      assert.match(stdout, /! VSCE_PAT is not set/);
      assert.equal(git('status', '--porcelain'), '');
      assert.equal(git('tag'), '');
    });

    it('is refused where it would not hold, before anything is changed', () => {
      fs.writeFileSync(path.join(folder, 'left.txt'), 'not committed');
      const { stdout, stderr, status } = release('0.9.0');
      assert.equal(status, 1);
      assert.match(stdout, /! 0\.9\.0 is not a version that follows/);
      assert.match(stdout, /! there are changes that are not committed/);
      assert.match(stderr, /Nothing was changed/);
      assert.equal(git('status', '--porcelain').trim(), '?? left.txt');
    });
  });
});
