import assert from 'node:assert/strict';
import { anthropic } from '../../../../../src/core/providers/anthropic/anthropic.ts';
import { sse } from '../../../../support/providers/fake-provider.ts';
import { chatTemplate } from '../../../../support/providers/fake-service.ts';
import { assertCutsDoNotMatter, modelCall, replay } from '../../../../support/providers/replay.ts';
import { runOnce } from '../../../../support/providers/run-once.ts';

const call = modelCall({ provider: 'anthropic', templateType: 'completion' });
const completions = anthropic(call);
const piece = (completion: string, stop_reason: string | null = null): object => ({
  type: 'completion',
  id: 'compl_1',
  completion,
  stop_reason,
  stop: null,
  model: 'claude-2.1',
  log_id: 'compl_1',
});
const events = [piece(' Good'), { type: 'ping' }, piece(' day'), piece('', 'stop_sequence')];
const whole = piece(' Good day', 'stop_sequence');
const bytes = Buffer.from(sse(events, { named: true }));

describe('providers: Anthropic text completions', () => {
  it('joins the pieces, however they are cut', () => {
    const { response, isWhole, replies } = replay(completions, call, bytes);
    assert.deepEqual(response, whole);
    assert.equal(isWhole, true);
    assert.deepEqual(replies.at(-1), completions.replyOf(whole, call));
    assertCutsDoNotMatter(completions, call, bytes);
  });

  it('is what a completion template runs', async () => {
    const kwargs = { model: 'claude-2.1', prompt: '\n\nHuman: Hi', max_tokens_to_sample: 9 };
    const { asked, result, tracked } = await runOnce({
      template: chatTemplate({
        provider: 'anthropic',
        model: 'claude-2.1',
        kwargs,
        prompt_template: { type: 'completion', content: [], input_variables: [] },
      }),
      script: () => ({ body: whole }),
      environment: (url) => ({ ANTHROPIC_API_KEY: 'sk-ant-1', ANTHROPIC_BASE_URL: `${url}/v1/` }),
    });
    assert.equal(asked[0]?.path, '/v1/complete');
    assert.deepEqual(result?.raw_response, whole);
    assert.equal(tracked[0]?.['function_name'], 'anthropic.completions.create');
  });
});
