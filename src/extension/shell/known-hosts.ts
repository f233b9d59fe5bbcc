/** Where PromptLayer itself answers. Workspaces elsewhere are on a service of ours. */
export const promptLayerHost = 'api.promptlayer.com';
