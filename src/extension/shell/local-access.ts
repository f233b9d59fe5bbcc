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
