import assert from 'node:assert/strict';
import type { Api } from './support/api.ts';
import { onEachBackend } from './support/backends.ts';
import type { Loose } from './support/loose.ts';

const text = (value: string) => [{ type: 'text', text: value }];
const chat = (...messages: object[]) => ({ type: 'chat', messages });
const completion = (value: string, rest: object = {}) => ({
  type: 'completion',
  content: text(value),
  ...rest,
});
const openAi = { model: { provider: 'openai', name: 'gpt-4o', parameters: { temperature: 0.5 } } };

const place = (name: string): string => `/prompt-templates/${encodeURIComponent(name)}`;

onEachBackend('Prompt templates', (backend) => {
  let api: Api;
  let other: Api;
  let count = 0;
  before(async () => {
    const service = await backend.share();
    api = service.api;
    other = service.other;
  });

  async function publish(
    prompt: object,
    {
      name = `template ${String((count += 1))}`,
      metadata = null,
      ...rest
    }: { name?: string; metadata?: object | null; tags?: string[]; release_labels?: string[] } = {},
  ): Promise<Loose> {
    const { tags, ...others } = rest;
    return api.expect(200, 'POST', '/rest/prompt-templates', {
      prompt_template: { prompt_name: name, ...(tags && { tags }) },
      prompt_version: { prompt_template: prompt, metadata, commit_message: 'made' },
      ...others,
    });
  }
  const rendered = (name: string, body: object = {}): Promise<Loose> =>
    api.expect(200, 'POST', place(name), body);

  it('are published, fetched by name and by id, and counted in versions', async () => {
    const name = 'a/b?c#d %41 ü';
    const one = await publish(completion('Hello {who}'), { name, tags: ['x', 'y'] });
    const two = await publish(completion('Bye {who}'), { name, release_labels: ['prod'] });
    assert.deepEqual([one.version_number, two.version_number, one.id], [1, 2, two.id]);
    assert.deepEqual(two.release_labels, ['prod']);
    assert.deepEqual(one.prompt_template.input_variables, ['who']);
    for (const path of [name, String(one.id)]) {
      const got = await rendered(path, { input_variables: { who: 'Ada' } });
      assert.equal(got.version, 2);
      assert.equal(got.prompt_name, name);
      assert.deepEqual(got.tags, ['x', 'y']);
      assert.equal(got.prompt_template.content[0].text, 'Bye Ada');
    }
    assert.equal((await rendered(name, { version: 1 })).prompt_template.content[0].text, 'Hello ');
    assert.equal((await rendered(name, { label: 'prod' })).version, 2);
    // The official MCP server says of its label: "Takes precedence over version."
    assert.equal((await rendered(name, { version: 1, label: 'prod' })).version, 2);
    await api.expect(404, 'POST', place(name), { version: 3 });
    await api.expect(404, 'POST', place(name), { label: 'nope' });
    await api.expect(404, 'POST', place('nobody'), {});
    await api.expect(422, 'POST', place(name), { version: 0 });
  });

  it('have names with slashes, encoded or not', async () => {
    await publish(completion('deep'), { name: 'folder/sub/name' });
    for (const path of ['/prompt-templates/folder/sub/name', place('folder/sub/name')]) {
      await api.expect(200, 'POST', path, { version: 1 });
      assert.equal(((await api.get(path)) as Loose).prompt_name, 'folder/sub/name');
      const patched: Loose = await api.expect(201, 'PATCH', `/rest${path}`, {});
      assert.ok(patched.version_number > 1);
    }
    const { release_labels: labels }: Loose = await api.get(`${place('folder/sub/name')}/labels`);
    assert.deepEqual(labels, []);
  });

  it('render both formats as the service does', async () => {
    const { prompt_name: name } = await publish(
      chat(
        { role: 'system', content: text('{{a}} {b!r} {c.d} {missing}') },
        {
          role: 'user',
          template_format: 'jinja2',
          content: text('{% for i in items %}{{ loop.index }}:{{ i }};{% endfor %}{{ yes }}'),
        },
      ),
    );
    const got = await rendered(name, {
      input_variables: { a: 1, b: 'x', items: ['p', 'q'], yes: true },
    });
    const [system, user] = got.prompt_template.messages;
    assert.equal(system.content[0].text, '{1} x {c.d} ');
    assert.equal(user.content[0].text, '1:p;2:q;True');
    assert.equal(got.llm_kwargs, null);
  });

  it('print floats as they are written in the request, in both formats', async () => {
    const { prompt_name: name } = await publish(
      chat(
        { role: 'system', content: text('{p} {e} {z} {neg} {xs} {u}') },
        {
          role: 'user',
          template_format: 'jinja2',
          content: text(
            '{{ p }} {{ p ~ "" }} {{ p + 1 }} {{ e }} {{ z }} {{ neg }} {{ xs }} {{ xs|join(", ") }} {{ xs|tojson }} {{ u }} {% if t > 0.5 %}{{ t }}{% endif %}',
          ),
        },
      ),
      { metadata: openAi },
    );
    const answer = await api.call('POST', place(name), undefined, {
      raw: '{"input_variables":{"p":10.0,"e":1e16,"z":0.0,"neg":-0.0,"xs":[1,2.0],"u":{"age":30.0},"t":1.0},"model_parameter_overrides":{"temperature":1.0}}',
    });
    assert.equal(answer.status, 200, answer.text);
    const [system, user] = (answer.body as Loose).prompt_template.messages;
    assert.equal(system.content[0].text, "10.0 1e+16 0.0 -0.0 [1, 2.0] {'age': 30.0}");
    assert.equal(
      user.content[0].text,
      "10.0 10.0 11.0 1e+16 0.0 -0.0 [1, 2.0] 1, 2.0 [1, 2.0] {'age': 30.0} 1.0",
    );
    assert.equal((answer.body as Loose).llm_kwargs.temperature, 1);
  });

  it('refuse Jinja that can not be rendered faithfully with a reason', async () => {
    const { prompt_name: name } = await publish(
      completion('{% block x %}x{% endblock %}', { template_format: 'jinja2' }),
    );
    const refused = await api.expect(422, 'POST', place(name), {});
    assert.match(refused.detail[0]!.msg, /Jinja2 does \(the tag block\)/);
    const kept: Loose = await rendered(name, { skip_input_variable_rendering: true });
    assert.match(kept.prompt_template.content[0].text, /block/);
  });

  it('stay unrendered when they are asked to, in their arguments too', async () => {
    const { prompt_name: name } = await publish(
      chat({ role: 'user', content: text('Hi {who}') }, { role: 'placeholder', name: 'rest' }),
      { metadata: openAi },
    );
    const got = await rendered(name, {
      skip_input_variable_rendering: true,
      input_variables: { who: 'Ada' },
    });
    assert.equal(got.prompt_template.messages[0].content[0].text, 'Hi {who}');
    assert.equal(got.prompt_template.messages[1].role, 'placeholder');
    assert.deepEqual(got.llm_kwargs, {
      model: 'gpt-4o',
      messages: [{ role: 'user', content: 'Hi {who}' }],
      temperature: 0.5,
    });
  });

  it('fill in placeholders, media and tool variables', async () => {
    const { prompt_name: name } = await publish(
      {
        ...chat(
          { role: 'placeholder', name: 'past' },
          { role: 'user', content: [...text('See'), { type: 'media_variable', name: 'pics' }] },
        ),
        tools: [{ type: 'variable', name: 'mine' }],
      },
      { metadata: openAi },
    );
    const got = await rendered(name, {
      input_variables: {
        past: [
          { role: 'user', content: text('{kept} as it is') },
          { role: 'assistant', content: 'yes' },
        ],
        pics: ['https://x.test/a.png', 'iVBORw0KGgo='],
        mine: [{ name: 'f', description: 'd', input_schema: { type: 'object' } }],
      },
    });
    assert.deepEqual(got.llm_kwargs.messages, [
      { role: 'user', content: '{kept} as it is' },
      { role: 'assistant', content: 'yes' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'See' },
          { type: 'image_url', image_url: { url: 'https://x.test/a.png' } },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
        ],
      },
    ]);
    assert.deepEqual(got.llm_kwargs.tools, [
      {
        type: 'function',
        function: { name: 'f', description: 'd', parameters: { type: 'object' } },
      },
    ]);
    const empty = await rendered(name);
    assert.equal(empty.prompt_template.messages.length, 1);
    const wrong = await api.call('POST', place(name), { input_variables: { past: 'text' } });
    assert.equal(wrong.status, 422);
  });

  it('change provider, model and parameters for one call', async () => {
    const { prompt_name: name } = await publish(
      chat({ role: 'system', content: text('Be brief') }, { role: 'user', content: text('Hi') }),
      { metadata: openAi },
    );
    const claude = await rendered(name, { provider: 'anthropic', model: 'claude-x' });
    assert.deepEqual(claude.llm_kwargs, {
      model: 'claude-x',
      max_tokens: 4096,
      system: 'Be brief',
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
    });
    assert.equal(claude.metadata.model.provider, 'anthropic');
    const limited = await rendered(name, { model_parameter_overrides: { maxOutputTokens: 7 } });
    assert.equal(limited.llm_kwargs.max_tokens, 7);
    assert.equal(limited.llm_kwargs.temperature, 0.5);
    const reasoning = await rendered(name, {
      provider: 'openai',
      model: 'o3',
      model_parameter_overrides: { maxOutputTokens: 7 },
    });
    assert.equal(reasoning.llm_kwargs.max_completion_tokens, 7);
    assert.equal(reasoning.llm_kwargs.temperature, undefined);
  });

  it('are made of snippets, however deep', async () => {
    const tone = await publish(completion('kind'), { name: 'tone', release_labels: ['prod'] });
    await publish(completion('Be @@@tone@label:prod@@@, {who}.'), { name: 'manner' });
    await publish(completion('rude'), { name: 'tone' });
    const { prompt_name: name } = await publish(
      chat({ role: 'user', content: text('@@@manner@@@ @@@tone@@@ @@@tone@version_number:1@@@') }),
    );
    const got = await rendered(name, { input_variables: { who: 'Ada' } });
    assert.equal(got.prompt_template.messages[0].content[0].text, 'Be kind, Ada. rude kind');
    const raw: Loose = await api.get(`${place(name)}?resolve_snippets=false`);
    assert.match(raw.prompt_template.messages[0].content[0].text, /@@@manner@@@/);
    assert.deepEqual(
      raw.snippets.map((one: Loose) => [one.prompt_name, one.version, one.label]),
      [
        ['manner', 1, null],
        ['tone', 1, 'prod'],
        ['tone', 2, null],
        ['tone', 1, null],
      ],
    );
    const usage: Loose = await api.get(`/prompt-templates/${String(tone.id)}/snippet-usage`);
    assert.deepEqual(
      usage.snippet_usage.map((one: Loose) => [one.prompt_name, one.version_numbers]),
      [
        ['manner', [1]],
        [name, [1]],
      ],
    );
    const first: Loose = await api.get(
      `/prompt-templates/${String(tone.id)}/snippet-usage?prompt_version_number=2`,
    );
    assert.deepEqual(
      first.snippet_usage.map((one: Loose) => one.prompt_name),
      [name],
    );
  });

  it('do not use snippets that are missing or use themselves', async () => {
    const missing = await api.call('POST', '/rest/prompt-templates', {
      prompt_template: { prompt_name: 'lost' },
      prompt_version: { prompt_template: completion('@@@not there@@@') },
    });
    assert.equal(missing.status, 422);
    assert.match(missing.text, /not there/);
    await api.expect(404, 'POST', place('lost'), {});
    await publish(completion('x'), { name: 'ring a' });
    await publish(completion('@@@ring a@@@'), { name: 'ring b' });
    const circle = await api.call('POST', '/rest/prompt-templates', {
      prompt_template: { prompt_name: 'ring a' },
      prompt_version: { prompt_template: completion('@@@ring b@@@') },
    });
    assert.equal(circle.status, 422);
    assert.match(circle.text, /ring b -> ring a -> ring b|ring a -> ring b -> ring a/);
  });

  it('are changed part by part into a new version', async () => {
    const { prompt_name: name } = await publish(
      {
        ...chat(
          { role: 'system', content: text('One') },
          { role: 'user', content: text('Two {x}') },
        ),
        tools: [{ type: 'function', function: { name: 'f' } }],
      },
      { metadata: openAi },
    );
    const path = `/rest${place(name)}`;
    const patched: Loose = await api.expect(201, 'PATCH', path, {
      messages: { '1': { content: text('Three {y}') } },
      tools: null,
      model_parameters: { top_p: 0.1 },
      response_format: { type: 'json_object' },
      release_labels: ['next'],
    });
    assert.equal(patched.version_number, 2);
    assert.deepEqual(
      patched.prompt_template.messages.map((one: Loose) => [one.role, one.content[0].text]),
      [
        ['system', 'One'],
        ['user', 'Three {y}'],
      ],
    );
    assert.equal(patched.prompt_template.tools, null);
    assert.deepEqual(patched.metadata.model.parameters, {
      temperature: 0.5,
      top_p: 0.1,
      response_format: { type: 'json_object' },
    });
    const again: Loose = await api.expect(201, 'PATCH', path, {
      version: 1,
      response_format: null,
      messages: [{ role: 'user', content: text('Only') }],
    });
    assert.equal(again.version_number, 3);
    assert.equal(again.prompt_template.tools.length, 1);
    for (const body of [
      { messages: { '9': {} } },
      { content: text('no') },
      { version: 1, label: 'next' },
      { response_format: {}, model_parameters: { response_format: {} } },
      { messages: null },
    ]) {
      await api.expect(400, 'PATCH', path, body);
    }
    await api.expect(422, 'PATCH', path, { messages: [{ role: 'nobody' }] });
    await api.expect(404, 'PATCH', path, { label: 'nope' });
  });

  it('have labels that are made, moved, listed and deleted', async () => {
    const { id, prompt_name: name } = await publish(completion('1'));
    await publish(completion('2'), { name });
    const made: Loose = await api.expect(200, 'POST', `/prompts/${String(id)}/label`, {
      prompt_version_number: 1,
      name: 'prod',
    });
    assert.equal((await rendered(name, { label: 'prod' })).version, 1);
    await api.expect(409, 'POST', `/prompts/${String(id)}/label`, {
      prompt_version_number: 2,
      name: 'prod',
    });
    await api.expect(404, 'POST', `/prompts/${String(id)}/label`, {
      prompt_version_number: 9,
      name: 'x',
    });
    const path = `/prompt-labels/${String(made.id)}`;
    await api.expect(404, 'POST', `/prompts/999999/label`, { prompt_version_number: 1, name: 'x' });
    assert.equal((await other.call('PATCH', path, { prompt_version_number: 2 })).status, 404);
    assert.equal((await other.call('DELETE', path)).status, 404);
    await api.expect(200, 'PATCH', path, { prompt_version_number: 2 });
    assert.equal((await rendered(name, { label: 'prod' })).version, 2);
    const { release_labels: labels }: Loose = await api.get(`${place(name)}/labels`);
    assert.deepEqual(
      labels.map((one: Loose) => [
        one.release_label,
        one.prompt_version_number,
        one.release_label_id,
      ]),
      [['prod', 2, made.id]],
    );
    const deleted = await api.call('DELETE', path);
    assert.deepEqual([deleted.status, deleted.text], [204, '']);
    await api.expect(404, 'DELETE', path);
    await api.expect(404, 'POST', place(name), { label: 'prod' });
  });

  it('are listed by pages and filters', async () => {
    const marker = `listed ${String((count += 1))}`;
    for (const number of [1, 2, 3]) {
      await publish(completion('s'), {
        name: `${marker} É ${String(number)}`,
        tags: number === 2 ? ['t1', 't2'] : ['t1'],
        ...(number === 3 && { release_labels: ['live'], metadata: openAi }),
      });
    }
    await publish(completion('newer'), { name: `${marker} É 3` });
    const names = async (query: string): Promise<string[]> => {
      const page: Loose = await api.get(
        `/prompt-templates?name=${encodeURIComponent(`${marker} é`)}&${query}`,
      );
      return page.items.map((item: Loose) => item.prompt_name.slice(-1));
    };
    assert.deepEqual(await names(''), ['3', '2', '1']);
    assert.deepEqual(await names('sort_by=name&sort_order=asc'), ['1', '2', '3']);
    assert.deepEqual(await names('per_page=2&page=2'), ['1']);
    assert.deepEqual(await names('tags=t1&tags=t2'), ['2']);
    assert.deepEqual(await names('tags=t2'), ['2']);
    assert.deepEqual(await names('label=live'), ['3']);
    assert.deepEqual(await names('is_snippet=true'), ['3', '2', '1']);
    assert.deepEqual(await names('status=deleted'), []);
    assert.deepEqual(await names('created_after=2100-01-01'), []);
    assert.deepEqual(await names('created_before=2100-01-01T00:00:00Z&sort_by=id'), [
      '3',
      '2',
      '1',
    ]);
    assert.deepEqual(await names('created_by_email=a@b.c'), []);
    await api.expect(422, 'GET', '/prompt-templates?created_after=yesterday');
    await api.expect(422, 'GET', '/prompt-templates?page=0');
    const page: Loose = await api.get(
      `/prompt-templates?name=${encodeURIComponent(marker)}&per_page=2`,
    );
    const { total, pages, has_next, has_prev, next_num } = page;
    assert.deepEqual([total, pages, has_next, has_prev, next_num], [3, 2, true, false, 2]);
    const labelled: Loose = await api.get('/prompt-templates?label=live');
    assert.equal(labelled.items[0].version, 1);
  });

  it('know identifiers of other systems, each once', async () => {
    const body = (name: string) => ({
      prompt_template: { prompt_name: name },
      prompt_version: { prompt_template: completion('x') },
      external_ids: [{ source: 'crm', external_id: '42' }],
    });
    const made: Loose = await api.expect(200, 'POST', '/rest/prompt-templates', body('external 1'));
    assert.deepEqual(made.external_ids, [{ source: 'crm', external_id: '42' }]);
    await api.expect(200, 'POST', '/rest/prompt-templates', body('external 1'));
    await api.expect(409, 'POST', '/rest/prompt-templates', body('external 2'));
    const listed: Loose = await api.get('/prompt-templates?external_source=crm&external_id=42');
    assert.deepEqual(
      listed.items.map((item: Loose) => item.prompt_name),
      ['external 1'],
    );
  });

  it('must fit: every fault is named', async () => {
    const post = (prompt: unknown) =>
      api.call('POST', '/rest/prompt-templates', {
        prompt_template: { prompt_name: 'unfit' },
        prompt_version: { prompt_template: prompt },
      });
    for (const prompt of [
      { type: 'chat', messages: [{ role: 'user', content: 'plain' }] },
      { type: 'chat', messages: [{ role: 'nobody', content: [] }] },
      { type: 'chat', messages: [{ content: [] }] },
      { type: 'chat', messages: 'x' },
      { type: 'chat', messages: [{ role: 'assistant', tool_calls: [{ id: 'a' }] }] },
      { type: 'completion' },
      { type: 'completion', content: text('x'), template_format: 'mustache' },
      { type: 'song', content: [] },
      'text',
    ]) {
      const { status, text: body } = await post(prompt);
      assert.equal(status, 422, body);
    }
    await api.expect(422, 'POST', '/rest/prompt-templates', {
      prompt_template: { prompt_name: 'x'.repeat(513) },
      prompt_version: { prompt_template: completion('x') },
    });
    await api.expect(404, 'POST', place('unfit'), {});
  });

  it('of one workspace are nothing to another', async () => {
    const { id, prompt_name: name } = await publish(completion('secret'), {
      release_labels: ['prod'],
    });
    for (const [method, path, body] of [
      ['POST', place(name), {}],
      ['POST', `/prompt-templates/${String(id)}`, {}],
      ['GET', place(name), undefined],
      ['GET', `/prompt-templates/${String(id)}`, undefined],
      ['GET', `/prompt-templates/${String(id)}/labels`, undefined],
      ['GET', `/prompt-templates/${String(id)}/snippet-usage`, undefined],
      ['PATCH', `/rest${place(name)}`, {}],
      ['POST', `/prompts/${String(id)}/label`, { prompt_version_number: 1, name: 'x' }],
    ] as const) {
      assert.equal((await other.call(method, path, body)).status, 404, `${method} ${path}`);
    }
    assert.equal(((await other.get('/prompt-templates')) as Loose).total, 0);
    const same: Loose = await other.expect(200, 'POST', '/rest/prompt-templates', {
      prompt_template: { prompt_name: name },
      prompt_version: { prompt_template: completion('theirs') },
    });
    assert.equal(same.version_number, 1);
    assert.equal((await rendered(name)).prompt_template.content[0].text, 'secret');
    const snippet = await other.call('POST', '/rest/prompt-templates', {
      prompt_template: { prompt_name: 'thief' },
      prompt_version: { prompt_template: completion('@@@tone@@@') },
    });
    assert.equal(snippet.status, 422);
  });

  it('published at the same time by many get a number each', async () => {
    const made = await Promise.all(
      Array.from({ length: 8 }, () => publish(completion('x'), { name: 'many at once' })),
    );
    const numbers = made.map((one) => one.version_number as number).sort((a, b) => a - b);
    assert.deepEqual(numbers, [1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('keep texts that databases dislike', async () => {
    const strange = 'nul \0 half \ud83d quote \' "';
    const { prompt_name: name } = await publish(completion(strange));
    const got: Loose = await rendered(name);
    assert.match(got.prompt_template.content[0].text, /^nul \0 half/);
    assert.equal((await api.call('GET', '/prompt-templates?tags=x')).status, 200);
  });
});
