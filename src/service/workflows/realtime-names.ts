/** Where the realtime channels are, and what the one of an execution is called before its id. */
export const realtimePath = '/connection/websocket';
export const channelPrefix = 'workflow_updates:';
