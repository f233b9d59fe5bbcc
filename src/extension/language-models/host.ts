import type { HostProviders } from '../../core/providers/host/host-provider.ts';

/** Models that VS Code has itself are asked through its API, which is loaded with the first run. */
export const vscodeModels = {
  vscode: async function* (body, signal) {
    const { askEditorModel } = await import('../panel-parts.ts');
    yield* askEditorModel(body, signal);
  },
} satisfies HostProviders;
