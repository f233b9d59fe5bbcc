/**
 * The same SDK for browsers, web workers and edge runtimes: on `fetch`, the browser's WebSocket and
 * Web Crypto. There is no environment to read keys from, no proxy, no unix socket.
 */
export * from './index.ts';
