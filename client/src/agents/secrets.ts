import type { Memento, SecretStorage } from 'vscode';
import type { TlsConfig } from '../../../agents/config/agent-config.ts';
import { redactUrl } from '../../../core/secrets/redact.ts';
import { SharedWork } from '../base/shared-work.ts';

/** The memento key of the names of stored secrets, which the secret storage cannot list. */
const NAMES_KEY = 'secretNames';

/** The memento key of the grants: which secret may be sent to which receiver, as pairs in JSON. */
const GRANTS_KEY = 'secretGrants';

export interface SecretQuestions {
  /** Asks for a secret's value, for a receiver; undefined if the user enters none. `user` names what needs it. */
  askValue(name: string, receiver: string, user: string): Promise<string | undefined>;
  /** Asks whether a stored secret may be sent to a new receiver. */
  askGrant(name: string, receiver: string, user: string): Promise<boolean>;
}

/** A secret that is needed for a receiver, and what needs it. */
interface Need {
  readonly name: string;
  readonly receiver: string;
  readonly user: string;
}

/**
 * Values of `${secret:X}`: typed in once and stored in VS Code's secret storage, never in a file or setting.
 * A secret is sent only with the user's consent to its receiver, because the agents file of any folder may
 * name it with any address.
 */
export class Secrets {
  readonly #storage: SecretStorage;
  readonly #state: Memento;
  readonly #questions: SecretQuestions;
  readonly #asking = new SharedWork<string | undefined>();

  constructor(storage: SecretStorage, state: Memento, questions: SecretQuestions) {
    this.#storage = storage;
    this.#state = state;
    this.#questions = questions;
  }

  /**
   * The value of a secret for a receiver (see `describeReceiver`). Asks for the value if none is stored, and
   * for consent if the receiver is new. `user` names what needs it, such as `the request to 'coder'`. Returns
   * undefined if the user gives neither.
   */
  async get(name: string, receiver: string, user: string): Promise<string | undefined> {
    const stored = await this.#storage.get(keyOf(name));
    if (stored !== undefined && this.#grants().includes(grantOf(name, receiver))) return stored;
    return this.#asking.run(grantOf(name, receiver), () => this.#ask({ name, receiver, user }, stored));
  }

  /** Stores a value that the user entered for a receiver. */
  async keep(name: string, value: string, receiver: string): Promise<void> {
    await this.#storage.store(keyOf(name), value);
    await this.#state.update(NAMES_KEY, [...new Set([...this.names(), name])].sort());
    await this.#grant(name, receiver);
  }

  /** The names of stored secrets, sorted. */
  names(): readonly string[] {
    return this.#readList(NAMES_KEY);
  }

  /** The values of all stored secrets, for redaction only. No questions are asked. */
  async values(): Promise<readonly string[]> {
    const values = await Promise.all(this.names().map(name => this.#storage.get(keyOf(name))));
    return values.filter(value => value !== undefined);
  }

  async forget(name: string): Promise<void> {
    await this.#storage.delete(keyOf(name));
    await this.#state.update(
      NAMES_KEY,
      this.names().filter(stored => stored !== name),
    );
    const begin = grantOf(name, '').slice(0, -2);
    await this.#state.update(
      GRANTS_KEY,
      this.#grants().filter(grant => !grant.startsWith(begin)),
    );
  }

  async #ask(need: Need, stored: string | undefined): Promise<string | undefined> {
    const { name, receiver, user } = need;
    if (stored === undefined) return this.#askValue(need);
    if (!(await this.#questions.askGrant(name, receiver, user))) return undefined;
    await this.#grant(name, receiver);
    return stored;
  }

  async #askValue({ name, receiver, user }: Need): Promise<string | undefined> {
    const value = await this.#questions.askValue(name, receiver, user);
    if (!value) return undefined;
    await this.keep(name, value, receiver);
    return value;
  }

  #grants(): readonly string[] {
    return this.#readList(GRANTS_KEY);
  }

  async #grant(name: string, receiver: string): Promise<void> {
    await this.#state.update(GRANTS_KEY, [...new Set([...this.#grants(), grantOf(name, receiver)])]);
  }

  #readList(key: string): readonly string[] {
    const list = this.#state.get<unknown>(key);
    return Array.isArray(list) ? list.filter(item => typeof item === 'string') : [];
  }
}

/** An address whose scheme and authority contain no variables. */
const PLAIN_AUTHORITY = /^https?:\/\/[^/?#\\$]+(?![^/?#])/i;

/**
 * Identifies the receiver of a secret: the origin of an address. An address with variables before its path
 * can lead anywhere, so it is used as written and only for its own agents file. The same applies if the file
 * itself trusts a certificate, because the server may then not be the owner of the address.
 */
export function describeReceiver(address: string, file: string, tls: TlsConfig = {}): string {
  const url = PLAIN_AUTHORITY.test(address) ? URL.parse(address) : null;
  const receiver = url?.origin ?? `${redactUrl(address)} in ${file}`;
  const trusts = tls.allowSelfSigned === true ? 'any certificate' : tls.ca && `the certificates of ${tls.ca}`;
  return trusts ? `${receiver}, where ${file} trusts ${trusts}` : receiver;
}

function grantOf(name: string, receiver: string): string {
  return JSON.stringify([name, receiver]);
}

function keyOf(name: string): string {
  return `secret:${name}`;
}
