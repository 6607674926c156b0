import type { Memento, SecretStorage } from 'vscode';
import type { TlsConfig } from '../../../agents/config/agent-config.ts';
import { redactUrl } from '../../../core/secrets/redact.ts';

/** Names of the kept secrets: the store itself does not list them. */
const NAMES_KEY = 'secretNames';

/** Which secret may go where, as pairs in JSON. */
const GRANTS_KEY = 'secretGrants';

/** What the user is asked. */
export interface SecretQuestions {
  /** A secret's value, for a receiver; undefined where the user typed nothing. */
  askValue(name: string, receiver: string): Promise<string | undefined>;
  /** Whether a kept secret may go to a receiver that it never went to. */
  askGrant(name: string, receiver: string): Promise<boolean>;
}

/**
 * Values of `${secret:X}`: typed in once, kept in VS Code's secret storage, never in a file or setting. A secret goes
 * to nobody without the user's word: any folder's agents file may name it, with any address.
 */
export class Secrets {
  readonly #storage: SecretStorage;
  readonly #state: Memento;
  readonly #questions: SecretQuestions;
  readonly #asked = new Map<string, Promise<string | undefined>>();

  constructor(storage: SecretStorage, state: Memento, questions: SecretQuestions) {
    this.#storage = storage;
    this.#state = state;
    this.#questions = questions;
  }

  /**
   * A secret's value for a receiver (see `describeReceiver`). Asks for the value where none is kept, and for leave
   * where the secret never went there. Undefined where the user gave neither.
   */
  async get(name: string, receiver: string): Promise<string | undefined> {
    const kept = await this.#storage.get(keyOf(name));
    if (kept !== undefined && this.#grants().includes(grantOf(name, receiver))) return kept;
    return this.#askOnce(name, receiver, kept);
  }

  /** Keeps a value that the user gave for a receiver. */
  async keep(name: string, value: string, receiver: string): Promise<void> {
    await this.#storage.store(keyOf(name), value);
    await this.#state.update(NAMES_KEY, [...new Set([...this.names(), name])].sort());
    await this.#grant(name, receiver);
  }

  /** Names of the kept secrets, in order. */
  names(): readonly string[] {
    return this.#readList(NAMES_KEY);
  }

  /** All values that are kept, for who leaves them out of what is kept; nobody is asked, and they go nowhere. */
  async values(): Promise<readonly string[]> {
    const values = await Promise.all(this.names().map(name => this.#storage.get(keyOf(name))));
    return values.filter(value => value !== undefined);
  }

  async forget(name: string): Promise<void> {
    await this.#storage.delete(keyOf(name));
    await this.#state.update(
      NAMES_KEY,
      this.names().filter(kept => kept !== name),
    );
    const begin = grantOf(name, '').slice(0, -2);
    await this.#state.update(
      GRANTS_KEY,
      this.#grants().filter(grant => !grant.startsWith(begin)),
    );
  }

  /** Two requests may need a secret at once: one question, one answer. */
  #askOnce(name: string, receiver: string, kept: string | undefined): Promise<string | undefined> {
    const key = grantOf(name, receiver);
    const asking =
      this.#asked.get(key) ?? this.#ask(name, receiver, kept).finally(() => this.#asked.delete(key));
    this.#asked.set(key, asking);
    return asking;
  }

  async #ask(name: string, receiver: string, kept: string | undefined): Promise<string | undefined> {
    if (kept === undefined) return this.#askValue(name, receiver);
    if (!(await this.#questions.askGrant(name, receiver))) return undefined;
    await this.#grant(name, receiver);
    return kept;
  }

  async #askValue(name: string, receiver: string): Promise<string | undefined> {
    const value = await this.#questions.askValue(name, receiver);
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

/** The part of an address that decides where it leads, written out. */
const PLAIN_AUTHORITY = /^https?:\/\/[^/?#\\$]+(?![^/?#])/i;

/**
 * Who would receive a secret: the origin of an address. One with variables before its path may lead anywhere, so it
 * counts as it is written, for its own agents file alone. So does one whose certificate the file itself trusts: whoever
 * answers there need not be who the address says.
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
