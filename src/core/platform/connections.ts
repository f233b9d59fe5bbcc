import type { StreamedBytes } from '../http/streamed-body.ts';

/** What a client needs of the machine that it runs on. Node and browsers each have their own. */

/** Where proxies come from, settled. */
export interface ProxySettings {
  /** Set by hand (option or editor setting): used for http and https alike. */
  readonly url: string | undefined;
  /** From the environment, by the scheme of the target. */
  readonly httpsProxy: string | undefined;
  readonly httpProxy: string | undefined;
  readonly noProxy: readonly string[];
  /** Whether calls to this machine may go through the proxy too. */
  readonly loopback: boolean;
}

/** What is needed of an undici dispatcher. */
export interface RequestDispatcher {
  dispatch(options: object, handler: object): boolean;
}

export interface ConnectionSettings {
  /** The caller's own; then nothing below is looked at. */
  readonly dispatcher?: RequestDispatcher | undefined;
  readonly socketPath: string | undefined;
  /** Sockets for each origin, if more than usual. */
  readonly maxSockets?: number | undefined;
  readonly proxy: ProxySettings;
  readonly strictSSL: boolean;
  /** Whether the certificates that the operating system trusts count too. */
  readonly systemCertificates: boolean;
  /** More trusted certificates, PEM. */
  readonly ca: readonly string[];
}

export interface OpenRequest {
  readonly method: string;
  /** Scheme, host and port. */
  readonly url: URL;
  /** Path and query as sent; kept apart because URL would rewrite it. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** What is streamed says how long it is, and is read anew for each attempt. */
  readonly body: string | Uint8Array | StreamedBytes | undefined;
}

/** The head of an answer; its body is still on the way. */
export interface OpenAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Decoded. Leaving the loop early ends the exchange at the socket. */
  readonly body: AsyncIterable<Uint8Array>;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Decoded; empty when the words of a failure were too many or unreadable. */
  readonly body: Uint8Array;
}

/** A WebSocket that carries texts. */
export interface Channel {
  /** Ends when either side closes; throws when the connection breaks. */
  readonly messages: AsyncIterable<string>;
  send(text: string): void;
  /** Also while it is being read. Nothing stays open. */
  close(): void;
}

/** Ways to other machines. */
export interface Connections {
  /** A whole answer. Throws a BodyError for a good one that is larger than `maxBytes`. */
  exchange(request: OpenRequest, signal: AbortSignal, maxBytes: number): Promise<HttpAnswer>;
  /** Resolves when the head of the answer is there. */
  open(request: OpenRequest, signal: AbortSignal): Promise<OpenAnswer>;
  /** Opens a WebSocket at `ws:` or `wss:`; rejects when there is none to be had. */
  openChannel(url: URL, signal: AbortSignal): Promise<Channel>;
  /** Breaks what is under way and closes every socket. */
  destroy(): Promise<void>;
}

/** What `#platform` exports. */
export interface Platform {
  /** "node 24.1.0" or "web": for the user agent. */
  readonly runtime: string;
  readonly makeConnections: (settings: ConnectionSettings) => Connections;
  /** Text of a body. Bytes that are not UTF-8 are refused, not silently replaced. */
  readonly decodeText: (bytes: Uint8Array) => string;
  /** JSON without loss; uses the bytes up. */
  readonly parseBytes: (bytes: Uint8Array) => unknown;
  readonly toBase64: (bytes: Uint8Array) => string;
  /** Many requests may listen to one signal at once, which Node would take for a leak. */
  readonly allowManyListeners: (signals: readonly AbortSignal[]) => void;
  readonly writeLog: (level: 'info' | 'warning' | 'error', line: string) => void;
}
