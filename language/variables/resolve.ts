import type { LanguageId } from '../../core/catalog/languages.ts';
import { findVariables } from '../variables.ts';
import { quote } from '../../core/text/quote.ts';
import type { NamedSecret } from '../../core/text/secret.ts';
import { findFileMembers } from './file-members.ts';
import { findReplyPart, type NamedReply } from './reply-value.ts';
import { judgeVariable, type Judged, type Scope } from './scope.ts';
import { readSlots, type SlotForm, losesReturns, variablesOf, writeSlot } from './slots.ts';

/** Sources of values outside the file. They return undefined for a missing value and never throw. */
export interface VariableLookups {
  /** A secret by name; may ask the user. */
  secret(name: string): Promise<string | undefined> | string | undefined;
  /** The content of a file of the workspace. */
  file(path: string): Promise<FileContent>;
  /** A variable of the process environment. */
  env(name: string): string | undefined;
  /** The last reply to a named request of the file. */
  reply(request: string): NamedReply | undefined;
  uuid(): string;
  /** Whole seconds since 1970. */
  timestamp(): number;
  /** Advice for a secret without a value. */
  readonly secretAdvice: (name: string) => string;
}

/** The content of a file as Base64, or a sentence without a full stop that says why it is not sent. */
export type FileContent =
  | { readonly ok: true; readonly base64: string }
  | { readonly ok: false; readonly problem: string };

/** A request with the scope in which its variables are replaced. */
export interface VariableRequest {
  readonly language: LanguageId;
  readonly wireText: string;
  readonly scope: Scope;
}

/** The request as it is sent, or the reasons why it cannot be sent: one sentence per variable. */
export type Resolution =
  | {
      readonly ok: true;
      readonly wireText: string;
      /** Values that must never be stored or shown. */
      readonly secrets: readonly NamedSecret[];
      /**
       * Notes for the user, one sentence each: braces that remain text, characters that a language cannot
       * represent.
       */
      readonly notes: readonly string[];
    }
  | { readonly ok: false; readonly problems: readonly string[] };

/**
 * Minimum length of a process environment value that is treated as a secret, because the environment also has
 * words and ports.
 */
const SHORTEST_SECRET = 4;

/**
 * Replaces the variables of a request (reading of requests in files, section 9). Each value is escaped for
 * its position, so that the structure of the message does not change. Pure except for the lookups, each of
 * which is called once per name.
 */
export async function resolveVariables(
  request: VariableRequest,
  lookups: VariableLookups,
): Promise<Resolution> {
  return new Resolver(request, lookups).resolve();
}

/** A value, and whether it contains secret text. */
interface Found {
  readonly text: string;
  readonly isSecret: boolean;
}

/** A value, text that stays as it is, or the reason why there is no value. */
type Lookup = { readonly found: Found } | { readonly problem: string } | 'text';

class Resolver {
  readonly #request: VariableRequest;
  readonly #lookups: VariableLookups;
  /** Results by name, so that each is looked up once. `uuid` is excluded, because each use gets a new value. */
  readonly #known = new Map<string, Promise<Lookup>>();
  /** The secrets used, by value. */
  readonly #secrets = new Map<string, NamedSecret>();
  readonly #problems = new Set<string>();
  readonly #notes = new Set<string>();

  constructor(request: VariableRequest, lookups: VariableLookups) {
    this.#request = request;
    this.#lookups = lookups;
  }

  async resolve(): Promise<Resolution> {
    const { language } = this.#request;
    const wireText = await this.#fillFiles();
    const parts: string[] = [];
    let from = 0;
    const { slots, isReply } = readSlots(language, wireText);
    for (const { start, end, form } of isReply ? [] : slots) {
      const source = wireText.slice(start, end);
      const values = new Map<number, Found>();
      for (const variable of variablesOf(form, source)) {
        const found = await this.#find(variable.source);
        if (!found) continue;
        values.set(variable.start, found);
        if (found.text.includes('\r') && losesReturns(form, source))
          this.#notes.add(describeReturn(form, variable.source));
      }
      const written = writeSlot(form, source, ({ start: at }) => values.get(at)?.text);
      const isSecret = [...values.values()].some(value => value.isSecret);
      if (!written.ok)
        this.#problems.add(describeMisfit(source, written.problem, isSecret ? 'hide' : 'show'));
      else parts.push(wireText.slice(from, start), written.text);
      from = end;
    }
    parts.push(wireText.slice(from));
    if (this.#problems.size > 0) return { ok: false, problems: [...this.#problems] };
    return {
      ok: true,
      wireText: parts.join(''),
      secrets: [...this.#secrets.values()],
      notes: [...this.#notes],
    };
  }

  /** The text with the files that its JSON names. Base64 has no braces, so that a file adds no variable. */
  async #fillFiles(): Promise<string> {
    const { language, wireText } = this.#request;
    const parts: string[] = [];
    let from = 0;
    for (const { start, end, path } of findFileMembers(language, wireText)) {
      const found = await this.#readMember(path);
      if ('problem' in found) this.#problems.add(found.problem);
      else parts.push(wireText.slice(from, start), JSON.stringify(found.found.text));
      from = end;
    }
    return [...parts, wireText.slice(from)].join('');
  }

  #readMember(path: string | undefined): Exclude<Lookup, 'text'> | Promise<Exclude<Lookup, 'text'>> {
    if (path === undefined) return { problem: "'$file' is the path of a file, a text that is not empty" };
    if (path.includes('{{'))
      return { problem: `The path of '$file' contains no variables: write ${quote(path)} out` };
    return this.#readFile(path);
  }

  async #readFile(path: string): Promise<Exclude<Lookup, 'text'>> {
    const content = await this.#lookups.file(path);
    return content.ok ? plain(content.base64) : { problem: content.problem };
  }

  async #find(source: string): Promise<Found | undefined> {
    const found = await this.#lookUp(source, this.#request.scope.variables.length);
    if (found === 'text') this.#notes.add(`Nothing defines ${quote(source)}: it is sent unchanged`);
    else if ('problem' in found) this.#problems.add(found.problem);
    else return found.found;
    return undefined;
  }

  #lookUp(source: string, before: number): Promise<Lookup> {
    const judged = judgeVariable(source, this.#request.scope, before);
    if (judged.kind === 'function' && judged.name === 'uuid') return this.#read(judged);
    const key = JSON.stringify(judged);
    const known = this.#known.get(key) ?? this.#read(judged);
    this.#known.set(key, known);
    return known;
  }

  async #read(judged: Judged): Promise<Lookup> {
    switch (judged.kind) {
      case 'text':
        return 'text';
      case 'problem':
        return { problem: judged.message };
      case 'secret':
        return this.#readSecret(judged.name);
      case 'file':
        return this.#readFile(judged.path);
      case 'function':
        return this.#call(judged);
      case 'variable':
        return this.#expand(judged.index);
      case 'reply':
        return this.#readReply(judged.request, judged.path);
    }
  }

  async #readSecret(name: string): Promise<Lookup> {
    const text = await this.#lookups.secret(name);
    if (text === undefined || text === '')
      return { problem: `The secret ${quote(name)} has no value: ${this.#lookups.secretAdvice(name)}` };
    this.#keepSecret(text, `{{secret ${name}}}`);
    return { found: { text, isSecret: true } };
  }

  #call({ name, argument }: Judged & { kind: 'function' }): Lookup {
    if (name === 'uuid') return plain(this.#lookups.uuid());
    if (name === 'timestamp') return plain(String(this.#lookups.timestamp()));
    const text = this.#lookups.env(argument);
    if (text === undefined) {
      const advice = 'set it and start again';
      return { problem: `The environment variable ${quote(argument)} has no value: ${advice}` };
    }
    const isSecret = text.length >= SHORTEST_SECRET;
    if (isSecret) this.#keepSecret(text, `{{$env ${argument}}}`);
    return { found: { text, isSecret } };
  }

  #keepSecret(value: string, template: string): void {
    if (!this.#secrets.has(value)) this.#secrets.set(value, { value, template });
  }

  /** The value of a variable, with the variables in it replaced by those defined before it. */
  async #expand(index: number): Promise<Lookup> {
    const variable = this.#request.scope.variables[index];
    const value = variable?.value ?? '';
    const parts: string[] = [];
    let from = 0;
    let isSecret = false;
    for (const inner of findVariables(value)) {
      const found = await this.#lookUp(inner.source, index);
      if (found === 'text') continue;
      if ('problem' in found) return found;
      parts.push(value.slice(from, inner.start), found.found.text);
      from = inner.end;
      isSecret ||= found.found.isSecret;
    }
    parts.push(value.slice(from));
    return { found: { text: parts.join(''), isSecret } };
  }

  #readReply(request: string, path: readonly string[]): Lookup {
    const shown = quote([request, ...path].join('.'));
    const reply = this.#lookups.reply(request);
    if (!reply)
      return { problem: `${shown} has no value yet: send the request with the name ${quote(request)} first` };
    const part = findReplyPart(reply, path);
    return part.ok ? plain(part.text) : { problem: `${shown} has no value: ${part.reason}` };
  }
}

function plain(text: string): { readonly found: Found } {
  return { found: { text, isSecret: false } };
}

/** The message about a value that does not fit. For a secret it omits the rule's sentence, which contains the value. */
function describeMisfit(source: string, problem: string, value: 'show' | 'hide'): string {
  const shown = quote(source);
  return value === 'show'
    ? `${shown} does not fit here: ${problem}`
    : `${shown} does not fit here: its value, a secret, is of another type`;
}

/** The note about a CR, which AICL sends raw and AICF as a line feed. */
function describeReturn(form: SlotForm, source: string): string {
  const value = `The value of ${quote(source)} holds a carriage return`;
  return form === 'text'
    ? `${value}, which a receiver of AICL may read as a line end`
    : `${value}, which AICF cannot send; a line feed is in its place`;
}

/**
 * The process environment variables that a request would use: those in `{{$env X}}` in the request and in the
 * definitions that it uses. Needs no values; reads each definition once.
 */
export function listEnvironmentNames({ language, wireText, scope }: VariableRequest): ReadonlySet<string> {
  const names = new Set<string>();
  const expanded = new Set<number>();
  const { slots, isReply } = readSlots(language, wireText);
  const pending = (isReply ? [] : slots).flatMap(({ start, end, form }) =>
    variablesOf(form, wireText.slice(start, end)).map(({ source }) => ({
      source,
      before: scope.variables.length,
    })),
  );
  for (let next = pending.pop(); next; next = pending.pop()) {
    const judged = judgeVariable(next.source, scope, next.before);
    if (judged.kind === 'function' && judged.name === 'env') names.add(judged.argument);
    if (judged.kind !== 'variable' || expanded.has(judged.index)) continue;
    expanded.add(judged.index);
    for (const { source } of findVariables(scope.variables[judged.index]?.value ?? ''))
      pending.push({ source, before: judged.index });
  }
  return names;
}
