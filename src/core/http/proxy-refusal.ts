/** The proxy answered CONNECT with something else than a tunnel. */
export class ProxyRefusal extends Error {
  override readonly name = 'ProxyRefusal';
  readonly status: number;
  constructor(status: number) {
    super(`The proxy answered ${status} to CONNECT.`);
    this.status = status;
  }
}
