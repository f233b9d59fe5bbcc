import { BlockList, isIP } from 'node:net';
import { isPublicAddress, plainAddress } from './addresses.ts';

export const variable = 'PROMPT_TABLES_ALLOWED_HOSTS';

const isLoopback = (address: string): boolean => /^127\.|^::1$/.test(address);

/**
 * Where requests of columns may go. Nothing is allowed until it is listed: `host`, `host:port`,
 * `*.domain`, `*` (every public host), an IP address or a network (`10.0.0.0/8`). A name never leads
 * to an address that is not public, unless that address is listed as well; `localhost` stands for
 * the addresses of this machine.
 */
export class AllowedHosts {
  readonly #names = new Set<string>();
  readonly #suffixes: string[] = [];
  readonly #addresses = new BlockList();
  #allowsPublic = false;
  #allowsLocal = false;

  /** Throws an Error for an entry that is none of these. */
  constructor(entries: readonly string[]) {
    for (const sent of entries) {
      const entry = sent.trim().toLowerCase();
      if (entry !== '') this.#add(entry);
    }
  }

  #add(entry: string): void {
    const [network = '', bits] = entry.split('/');
    const address = plainAddress(network);
    const family = isIP(address);
    if (entry === '*') this.#allowsPublic = true;
    else if (/^\*?\.[^*/]+$/.test(entry)) this.#suffixes.push(entry.replace(/^\*/, ''));
    else if (family !== 0 && (bits === undefined || /^\d{1,3}$/.test(bits))) {
      const most = family === 4 ? 32 : 128;
      const length = Number(bits ?? most);
      if (length > most) throw new Error(`${variable}: ${entry} is not a network.`);
      this.#addresses.addSubnet(address, length, family === 4 ? 'ipv4' : 'ipv6');
    } else if (bits === undefined && /^[^*@\s]+$/.test(entry) && URL.canParse(`http://${entry}/`)) {
      const url = new URL(`http://${entry}/`);
      const host = plainAddress(url.hostname);
      const port = /:\d+$/.exec(entry)?.[0] ?? '';
      if (host === 'localhost') this.#allowsLocal = true;
      this.#names.add(`${host}${port}`);
    } else {
      throw new Error(
        `${variable}: "${entry}" is not a host. Write hosts such as api.example.com, *.example.com, 10.0.0.5, 10.0.0.0/8 or *, separated by commas.`,
      );
    }
  }

  /** Whether a request may be made to this address of the web, as far as its name tells. */
  allowsUrl(url: URL): boolean {
    const host = plainAddress(url.hostname.toLowerCase()).replace(/\.$/, '');
    const port = url.port || (url.protocol === 'https:' ? '443' : '80');
    if (this.#names.has(host) || this.#names.has(`${host}:${port}`)) return true;
    if (isIP(host) !== 0) {
      return this.#isListed(host) || (this.#allowsPublic && isPublicAddress(host));
    }
    if (this.#suffixes.some((suffix) => host.endsWith(suffix))) return true;
    return this.#allowsPublic && host !== 'localhost' && !host.endsWith('.localhost');
  }

  /** Whether a connection may be made to the address that a name has led to. */
  allowsAddress(host: string, found: string): boolean {
    const address = plainAddress(found);
    if (isPublicAddress(address) || this.#isListed(address)) return true;
    return this.#allowsLocal && host.toLowerCase() === 'localhost' && isLoopback(address);
  }

  #isListed(address: string): boolean {
    const family = isIP(address);
    return family !== 0 && this.#addresses.check(address, family === 4 ? 'ipv4' : 'ipv6');
  }
}
