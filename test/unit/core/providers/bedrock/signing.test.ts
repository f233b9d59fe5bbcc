import assert from 'node:assert/strict';
import { BedrockRuntimeClient, ConverseCommand } from '@aws-sdk/client-bedrock-runtime';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { isPromptTablesError } from '../../../../../src/core/errors.ts';
import { startFakeProvider } from '../../../../support/providers/fake-provider.ts';
import { chatTemplate } from '../../../../support/providers/fake-service.ts';
import { runOnce } from '../../../../support/providers/run-once.ts';
import { verifySignature } from '../../../../support/providers/verify-signature.ts';

const secret = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY';
const arn = 'arn:aws:bedrock:us-east-2:123456789012:inference-profile/us.anthropic.claude (x)';
const answer = { output: { message: { role: 'assistant', content: [{ text: 'Hi' }] } } };
const run = (kwargs: object, environment: Readonly<Record<string, string>>) =>
  runOnce({
    template: chatTemplate({
      provider: 'amazon.bedrock',
      kwargs: { messages: [{ role: 'user', content: [{ text: 'Grüß dich 🌍' }] }], ...kwargs },
    }),
    script: () => ({ body: answer }),
    environment: (url) => ({ AWS_ENDPOINT_URL: url, ...environment }),
  });

describe('providers: signatures for AWS', () => {
  it('signs host, date and body, for any name of a model', async () => {
    for (const modelId of ['amazon.nova-lite-v1:0', arn, 'wörld/a b+c%20d!*']) {
      const { asked, error } = await run(
        { modelId },
        {
          AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
          AWS_SECRET_ACCESS_KEY: secret,
          AWS_REGION: 'us-east-2',
        },
      );
      assert.equal(error, undefined);
      const [request] = asked;
      assert.ok(request);
      assert.equal(decodeURIComponent(request.path), `/model/${modelId}/converse`);
      assert.equal(request.path.split('/').length, 4);
      const { signedHeaders, ...found } = verifySignature(request, secret);
      assert.deepEqual(found, {
        accessKeyId: 'AKIDEXAMPLE',
        region: 'us-east-2',
        service: 'bedrock',
        isValid: true,
      });
      assert.ok(signedHeaders.includes('host') && signedHeaders.includes('x-amz-date'));
      assert.equal(verifySignature({ ...request, text: '{}' }, secret).isValid, false);
      assert.equal(verifySignature(request, 'another').isValid, false);
      assert.equal(request.headers['x-amz-date'], '20260101T000000Z');
    }
  });

  it("is checked as Amazon's own client signs", async () => {
    const provider = await startFakeProvider(() => ({ body: answer }));
    const client = new BedrockRuntimeClient({
      endpoint: provider.url,
      region: 'us-east-2',
      credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: secret },
      requestHandler: new NodeHttpHandler(),
      maxAttempts: 1,
    });
    try {
      await client.send(new ConverseCommand({ modelId: arn, messages: [] }));
      const [request] = provider.requests;
      assert.ok(request);
      const { isValid, service } = verifySignature(request, secret);
      assert.deepEqual({ isValid, service }, { isValid: true, service: 'bedrock' });
      const { asked } = await run(
        { modelId: arn },
        { AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: secret },
      );
      assert.equal(asked[0]?.path, request.path);
    } finally {
      client.destroy();
      await provider.close();
    }
  });

  it('signs the token of a session too', async () => {
    const { asked } = await run(
      { model: 'm' },
      {
        AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
        AWS_SECRET_ACCESS_KEY: secret,
        AWS_SESSION_TOKEN: 'token-of-a-session',
      },
    );
    const [request] = asked;
    assert.ok(request);
    const { isValid, signedHeaders, region } = verifySignature(request, secret);
    assert.equal(isValid, true);
    assert.equal(region, 'us-east-1');
    assert.ok(signedHeaders.includes('x-amz-security-token'));
    assert.equal(request.headers['x-amz-security-token'], 'token-of-a-session');
  });

  it('takes neither keys nor a region from the template', async () => {
    const { asked, toService, log } = await run(
      {
        model: 'm',
        aws_access_key: 'AKIDTEMPLATE',
        aws_secret_key: 'template-secret-key',
        aws_session_token: 'template-session-token',
        aws_region: 'ap-south-1',
      },
      {
        AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
        AWS_SECRET_ACCESS_KEY: secret,
        AWS_DEFAULT_REGION: 'us-west-2',
      },
    );
    const [request] = asked;
    assert.ok(request);
    const found = verifySignature(request, secret);
    assert.equal(found.isValid, true);
    assert.equal(found.accessKeyId, 'AKIDEXAMPLE');
    assert.equal(found.region, 'us-west-2');
    assert.deepEqual(Object.keys(request.json), ['messages']);
    assert.doesNotMatch(toService, /template-secret|template-session|AKIDTEMPLATE|ap-south-1/);
    assert.match(log.join(), /Ignored parameters: aws_access_key, aws_secret_key/);
  });

  it('takes a key for Bedrock instead of signing', async () => {
    const { asked } = await run(
      { model: 'm' },
      {
        AWS_BEARER_TOKEN_BEDROCK: 'bedrock-bearer-token',
        AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
        AWS_SECRET_ACCESS_KEY: secret,
      },
    );
    assert.equal(asked[0]?.headers.authorization, 'Bearer bedrock-bearer-token');
    assert.equal(asked[0].headers['x-amz-date'], undefined);
  });

  it('names what is missing before anything is sent', async () => {
    for (const [kwargs, environment, words] of [
      [{}, {}, /AWS_BEARER_TOKEN_BEDROCK, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY/],
      [{}, { AWS_ACCESS_KEY_ID: 'a' }, /AWS_SECRET_ACCESS_KEY/],
      [{ aws_access_key: 'A', aws_secret_key: 'B' }, {}, /AWS_SECRET_ACCESS_KEY/],
      [{}, { AWS_REGION: 'evil.example.com/', AWS_BEARER_TOKEN_BEDROCK: 'b' }, /AWS_REGION/],
    ] as const) {
      const { error, asked, tracked } = await run({ model: 'm', ...kwargs }, environment);
      assert.ok(isPromptTablesError(error));
      assert.equal(error.code, 'configuration');
      assert.match(`${error.message} ${error.hint ?? ''}`, words);
      assert.deepEqual([asked.length, tracked.length], [0, 0]);
    }
  });
});
