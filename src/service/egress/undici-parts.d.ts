// Only these parts of undici are bundled: its index would add WebSocket, cache, mocks and cookies.
declare module 'undici/lib/dispatcher/agent.js' {
  export { Agent as default } from 'undici';
}
declare module 'undici/lib/web/fetch/index.js' {
  import type { fetch } from 'undici';
  // CommonJS: as a chunk that is loaded late, it has nothing but this.
  const exported: { readonly fetch: typeof fetch };
  export default exported;
}
