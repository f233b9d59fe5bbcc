/** A prompt and thirty requests of it in the log of a workspace, as a night of them would leave. */
import type { Api } from '../service/support/api.ts';

export const loggedMessage = (role: string, text: string): object => ({
  type: 'chat',
  messages: [{ role, content: [{ type: 'text', text }] }],
});

/** Newest last: a failed one. */
export async function logGreetings(api: Api): Promise<void> {
  await api.expect(200, 'POST', '/rest/prompt-templates', {
    prompt_template: { prompt_name: 'greet' },
    prompt_version: {
      prompt_template: {
        ...loggedMessage('user', 'Greet {city} warmly'),
        input_variables: ['city'],
      },
      metadata: { model: { provider: 'openai', name: 'gpt-4o-mini', parameters: {} } },
    },
  });
  const cities = ['Paris', 'Lyon', 'Nice', 'Metz'];
  for (let at = 0; at < 30; at += 1) {
    const city = cities[at % cities.length] ?? '';
    const startedAt = Date.parse('2026-01-01T12:00:00Z') + at * 60_000;
    await api.expect(201, 'POST', '/log-request', {
      provider: 'openai',
      model: at % 2 === 0 ? 'gpt-4o-mini' : 'gpt-4o',
      input: loggedMessage('user', `Greet ${city} warmly`),
      output: loggedMessage('assistant', `Hello ${city}, number ${at}`),
      request_start_time: new Date(startedAt).toISOString(),
      request_end_time: new Date(startedAt + 1250).toISOString(),
      input_tokens: 10,
      output_tokens: at,
      price: 0.001 * (at + 1),
      prompt_name: 'greet',
      prompt_version_number: 1,
      prompt_input_variables: { city },
      metadata: { user: `user-${at % 3}` },
      tags: ['nightly'],
      ...(at === 29 && {
        status: 'ERROR',
        error_type: 'PROVIDER_ERROR',
        error_message: 'The model was away.',
      }),
    });
  }
}
