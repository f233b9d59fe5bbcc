import assert from 'node:assert/strict';
import { notices } from '../../../scripts/third-party-notices.mjs';

describe('notices of the packages in the bundles', () => {
  it('have the text of a licence and say whose each package is', () => {
    const all = notices();
    assert.ok(all.length > 50, `${String(all.length)} packages`);
    for (const { title, text } of all) {
      assert.match(text, /permission|redistribut|conditions|public domain/i, title);
      assert.match(text, /copyright|\(c\)|©|public domain/i, title);
      assert.ok(text.length > 300, title);
    }
    const owners = {
      'data-uri-to-buffer': 'Copyright (c) 2014 Nathan Rajlich',
      'pg-types': 'Copyright (c) 2014 Brian M. Carlson',
      pgpass: 'Copyright (c) 2013-2016 Hannes Hörl',
      '@bufbuild/protobuf': 'Copyright 2021-2026 Buf Technologies, Inc.',
      '@opentelemetry/api': 'OpenTelemetry Authors',
      yaml: 'Copyright Eemeli Aro',
    };
    for (const [name, owner] of Object.entries(owners)) {
      const found = all.find(({ title }) => title.startsWith(`${name} `));
      assert.ok(found?.text.includes(owner), `${name}: ${found?.text.slice(0, 200)}`);
    }
  });
});
