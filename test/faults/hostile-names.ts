/** Random names that try to be more than text, through the service and out again to all that shows them. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  plainFileName,
  plainLine,
  plainLines,
  plainSentence,
} from '../../src/extension/shell/plain-text.ts';
import type { Answer } from '../service/support/api.ts';
import { tablesPath } from '../service/support/api.ts';
import { RunningService } from '../service/support/running-service.ts';
import { hostileText, meaningsIn } from '../support/vscode-text.ts';
import type { Campaign } from './load.ts';

/** Tables of the service; the last of them are taken away again, so that the list stays short. */
const MOST_NAMES = 5000;

/** Links and icons in what is shown of a name. */
function foundIn(name: string): number {
  assert.doesNotMatch(plainFileName(name, 120), /[\\/:\p{Cc}\p{Bidi_C}]|\$\(/u);
  return [
    plainLine(name),
    plainLines(name),
    plainSentence(`Delete the table ${name} with all its sheets?`),
    plainSentence(`Importing ${name}: sending ${name}`),
  ].flatMap(meaningsIn).length;
}

export const hostileNames: Campaign = {
  name: 'hostile names',
  async run(untilMs) {
    const service = await RunningService.start();
    const { api } = service;
    const counts = { kept: 0, refused: 0, messages: 0, raw: 0, found: 0 };
    const check = ({ status, body }: Answer, name: string): boolean => {
      if (status < 300) return true;
      assert.ok(status === 400 || status === 422, `${status} for ${JSON.stringify(name)}`);
      counts.refused += 1;
      counts.messages += 1;
      counts.found += foundIn(JSON.stringify(body));
      return false;
    };
    try {
      const sheet = await api.newSheet();
      const column = { title: 'Text', type: 'TEXT' };
      const { id } = (await api.expect(201, 'POST', `${sheet.path}/columns`, column)).column;
      const columnPath = `${sheet.path}/columns/${id}`;
      const tablePath = `${tablesPath}/${sheet.tableId}`;
      const titleAt = async (path: string): Promise<string> => {
        if (path === tablePath) return (await api.get(path)).table.title;
        if (path === sheet.path) return (await api.get(path)).sheet.title;
        const { data } = await api.get(`${sheet.path}/columns`);
        return data.find((column) => column.id === id)?.title ?? '';
      };
      for (let count = 0; count < MOST_NAMES && Date.now() < untilMs; count += 1) {
        const [name = ''] = fc.sample(hostileText, 1);
        for (const path of [tablePath, sheet.path, columnPath]) {
          if (!check(await api.call('PATCH', path, { title: name }), name)) continue;
          const title = await titleAt(path);
          // Titles are trimmed, and nothing else is done to them.
          assert.equal(title.trim(), name.replace(/\p{Cs}/gu, '\ufffd').trim());
          counts.found += foundIn(title);
          if (meaningsIn(title).length > 0) counts.raw += 1;
          counts.kept += 1;
        }
        const file = await api.call('GET', `${sheet.path}/export?format=csv`);
        assert.equal(file.status, 200);
        assert.match(
          String(file.headers['content-disposition']),
          /^attachment; filename\*=UTF-8''[\w.~!*'()%-]*$/,
        );
        const missing = await api.call(
          'GET',
          `${tablesPath}/${encodeURIComponent(name.replace(/\p{Cs}/gu, ''))}`,
        );
        assert.ok(
          [400, 404, 405, 422].includes(missing.status) || name.trim() === '',
          String(missing.status),
        );
        counts.found += foundIn(missing.text);
        counts.messages += 1;
      }
      return [
        {
          metric: 'titles of tables, sheets and columns that came back as they were',
          value: counts.kept,
          unit: '',
        },
        { metric: 'titles that were refused with a reason', value: counts.refused, unit: '' },
        { metric: 'messages of the service looked at', value: counts.messages, unit: '' },
        {
          metric: 'titles that VS Code would have found links or icons in',
          value: counts.raw,
          unit: '',
        },
        {
          metric: 'links and icons found in what is shown of them',
          value: counts.found,
          unit: '',
          limit: 0,
        },
      ];
    } finally {
      await service.stop();
    }
  },
};
