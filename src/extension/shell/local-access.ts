/** How the local service is reached: a socket that only this user can open, and its key. */
export interface LocalAccess {
  readonly socketPath: string;
  readonly apiKey: string;
  /** Id of the database that it keeps its data in; undefined: in its folder. */
  readonly database?: string | undefined;
}

/** Keys and addresses of model providers, by the name of their variable. */
export type Variables = Readonly<Record<string, string>>;

/** What a window hands over, and what of it serves windows in Restricted Mode, too. */
export interface WindowKeys {
  readonly variables: Variables;
  readonly restricted: Variables;
}

/** With what a window holds the service. */
export interface HeldWith extends WindowKeys {
  /** The same each time that this window takes hold. */
  readonly window: string;
  /** How many requests cells may make to the language models of VS Code at the same time; 0: none. */
  readonly modelRequests: number;
}
