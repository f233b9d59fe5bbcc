/** A workspace worth a picture: prompts, a workflow, a sheet and a model, on the real service. */
import { Client } from '../../src/core/index.ts';
import { startModel, type Model } from '../host/support/prompt-service.ts';
import { firstKey, RunningService } from '../service/support/running-service.ts';
import { addDemoPrompts, addDemoRequests, demoReply } from '../support/demo-prompts.ts';
import { addDemoSheet } from '../support/demo-sheet.ts';
import { bootHost, type TestHost } from '../support/host/boot.ts';
import { connect } from '../support/host/connect.ts';
import type { Workbench } from '../support/host/workbench.ts';
import { quickly } from './scenes.ts';

export interface Demo {
  readonly host: TestHost;
  readonly model: Model;
  readonly service: RunningService;
  /** Puts the workspace into a window. */
  connect(workbench: Workbench): Promise<void>;
  stop(): Promise<void>;
}

export async function startDemo(): Promise<Demo> {
  const open: (() => Promise<unknown>)[] = [];
  try {
    return await start(open);
  } catch (error) {
    for (const close of open.toReversed()) await close();
    throw error;
  }
}

async function start(open: (() => Promise<unknown>)[]): Promise<Demo> {
  const model = await startModel();
  open.push(() => model.close());
  model.say(demoReply, quickly);
  const environment = { OPENAI_API_KEY: 'of-the-demo', OPENAI_BASE_URL: `${model.url}/v1` };
  const service = await RunningService.start({ environment });
  open.push(() => service.stop());
  await addDemoPrompts(service.api);
  await addDemoRequests(service.api);
  const client = new Client({ apiKey: firstKey, baseURL: service.ready.url });
  await addDemoSheet(service.api, client);
  await client.close();
  const host = await bootHost({ env: environment });
  return {
    host,
    model,
    service,
    async connect(workbench) {
      await connect(workbench, { url: service.ready.url ?? '', apiKey: firstKey });
    },
    async stop() {
      await host.stop();
      await service.stop();
      await model.close();
    },
  };
}
