/** How the local service is reached: a socket that only this user can open, and its key. */
export interface LocalAccess {
  readonly socketPath: string;
  readonly apiKey: string;
  /** Id of the database that it keeps its data in; undefined: in its folder. */
  readonly database?: string | undefined;
}
