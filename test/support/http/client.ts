import { Client } from '../../../src/core/client.ts';
import type { ClientOptions } from '../../../src/core/options.ts';
import { FakeClock } from './fake-clock.ts';
import { RecordingLogger } from './recording-logger.ts';

export interface TestClient {
  readonly client: Client;
  readonly clock: FakeClock;
  readonly logger: RecordingLogger;
}

/** A client on fake time that logs into memory and sees no environment. */
export function makeTestClient(options: ClientOptions): TestClient {
  const clock = new FakeClock();
  const logger = new RecordingLogger();
  const client = new Client({
    apiKey: 'test-key',
    environment: {},
    clock,
    logger,
    ...options,
    throwOnError: true,
  });
  return { client, clock, logger };
}
