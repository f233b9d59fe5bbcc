/** Something in a document that a person should look at, by offsets in its text. */
export interface Problem {
  readonly from: number;
  readonly to: number;
  /** With an `error` it can't be published. */
  readonly severity: 'error' | 'warning' | 'info';
  readonly message: string;
  /** What a quick fix may do about it. */
  readonly fix?: { readonly kind: 'declare' | 'undeclare'; readonly name: string };
}
