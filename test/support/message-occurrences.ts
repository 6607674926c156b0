import { DTYPES } from '../../core/catalog/dtypes.ts';
import { MESSAGE_KINDS } from '../../core/catalog/message-kinds.ts';
import type { Message } from '../../core/message/message.ts';
import type { Value } from '../../core/values/value.ts';
import { ERROR_CODES } from './message-arbitrary.ts';

/** How often something occurred in generated messages. */
export class Occurrences {
  readonly #counts = new Map<string, number>();

  constructor(names: Iterable<string>) {
    for (const name of names) this.#counts.set(name, 0);
  }

  /** Counts the kind, the values, the data types of tensors and the error code of a message. */
  add({ kind, fields }: Message): void {
    this.#count(`message ${kind}`);
    if (fields.protocol?.kind === 'text' && fields.code)
      this.#count(codeName(fields.protocol.text, fields.code));
    for (const value of Object.values(fields)) this.#addValue(value);
  }

  #addValue(value: Value): void {
    this.#count(`value ${value.kind}`);
    if (value.kind === 'tensor') this.#count(`tensor ${value.source.slice(0, value.source.indexOf(':'))}`);
    if (value.kind === 'list') for (const item of value.items) this.#addValue(item);
    if (value.kind === 'dict') for (const entry of value.entries) this.#addValue(entry.value);
  }

  #count(name: string): void {
    const count = this.#counts.get(name);
    if (count !== undefined) this.#counts.set(name, count + 1);
  }

  /** The names that never occurred. */
  get missing(): readonly string[] {
    return [...this.#counts].filter(([, count]) => count === 0).map(([name]) => name);
  }

  /** A line for each group of names: `value: text 512, int 90, …`. */
  print(): string {
    const groups = Map.groupBy(this.#counts, ([name]) => name.slice(0, name.indexOf(' ')));
    return [...groups]
      .map(
        ([group, counts]) =>
          `${group}: ${counts.map(([name, count]) => `${name.slice(group.length + 1)} ${count}`).join(', ')}`,
      )
      .join('\n');
  }
}

function codeName(protocol: string, code: Value): string {
  const shown = code.kind === 'int' ? String(code.int) : code.kind === 'text' ? code.text : code.kind;
  return `code ${protocol} ${shown}`;
}

/** The names of everything that generated messages must hold now and then. */
export function listOccurrences(): readonly string[] {
  return [
    ...MESSAGE_KINDS.map(({ name }) => `message ${name}`),
    ...['text', 'int', 'float', 'bool', 'null', 'tensor', 'list', 'dict'].map(kind => `value ${kind}`),
    ...DTYPES.map(({ name }) => `tensor ${name}`),
    ...ERROR_CODES.map(({ protocol, code }) => `code ${protocol} ${code}`),
  ];
}
