import { readReference } from '../../language/variables.ts';
import type { LanguageId } from '../../core/catalog/languages.ts';
import { printForAgent } from '../../protocols/convert/calls/agent-json.ts';
import { readWrittenJson } from '../../language/values/json-reader.ts';
import { dictValue, listValue, textValue, type Value } from '../../core/values/value.ts';
import { countOf } from '../../core/text/count.ts';
import { quote } from '../../core/text/quote.ts';
import { readSlots } from '../../language/variables/slots.ts';
import { writeSlot } from '../../language/variables/write-slot.ts';
import { SourceText } from '../../core/text/source-text.ts';
import { joinBytes } from '../../core/text/join-bytes.ts';
import { decodeUtf8, encodeUtf8, readBytes } from '../../core/events/bytes.ts';
import type { WireEvent } from '../../core/events/events.ts';
import type { Secret } from '../../core/text/secret.ts';
import { REDACTED } from '../../core/secrets/redact-stream.ts';
import { saidBy } from '../../core/events/said.ts';
import { trimEndOf } from '../../core/text/trim.ts';

/** What a recorded request needs to be sent again: a secret by its name, a variable of the environment, or one without a name. */
export interface SecretNeed {
  readonly kind: 'secret' | 'env' | 'unnamed';
  /** Of one without a name the agent and how many bytes it had, `figma:14`: what it is told apart by. */
  readonly name: string;
}

/** A place of a recorded request at which a secret stood. */
export interface SecretHole {
  /** What stands there in the text of the request, and nowhere else in it. */
  readonly stand: string;
  readonly need: SecretNeed;
  /** The scheme that the recording replaced with it, `Bearer `. */
  readonly scheme: string;
}

/** What went out in one message, with a stand in the place of each secret. */
export interface HoledText {
  readonly text: string;
  readonly holes: readonly SecretHole[];
}

/**
 * Joins the pieces of a message that went to an agent. What was replaced in them has a stand of its own, as a variable of a
 * file is written; undefined where the message is not UTF-8.
 */
export function joinWithHoles(wire: readonly WireEvent[], agent: string): HoledText | undefined {
  const joined = decodeUtf8(joinBytes(wire.map(event => readBytes(saidBy(event)))));
  if (joined === undefined || !joined.includes(REDACTED))
    return joined === undefined ? undefined : { text: joined, holes: [] };
  let count = 0;
  const holes: SecretHole[] = [];
  const pieces = wire.flatMap(event => {
    const kept = readBytes(saidBy(event));
    const parts: Uint8Array[] = [];
    let from = 0;
    for (const { at, length, template } of (event.unpacked ?? event).redacted ?? []) {
      // A mark of a file that was changed by hand may point anywhere.
      if (at < from || decodeUtf8(kept.subarray(at, at + REDACTED.length)) !== REDACTED) continue;
      do count++;
      while (joined.includes(standOf(count)));
      const named = readTemplate(template);
      const need = named ?? { kind: 'unnamed', name: `${agent}:${length}` };
      holes.push({
        stand: standOf(count),
        need: { kind: need.kind, name: need.name },
        scheme: named?.scheme ?? '',
      });
      parts.push(kept.subarray(from, at), encodeUtf8(standOf(count)));
      from = at + REDACTED.length;
    }
    return [...parts, kept.subarray(from)];
  });
  return { text: decodeUtf8(joinBytes(pieces)) ?? joined, holes };
}

function standOf(count: number): string {
  return `{{secret-${count}}}`;
}

const STANDS = /\{\{secret-\d+\}\}/g;

const TEMPLATE = /^([A-Za-z]+ +)?\{\{([^{}\r\n]{1,500})\}\}$/;

/** What a mark names; undefined where it names nothing that can be looked up: the file may be of anybody. */
function readTemplate(template = ''): (SecretNeed & { readonly scheme: string }) | undefined {
  const [, scheme = '', source] = TEMPLATE.exec(template) ?? [];
  const reference = source === undefined ? undefined : readReference(source.trim());
  if (reference?.kind === 'secret') return { kind: 'secret', name: reference.name, scheme };
  if (reference?.kind === 'function' && reference.name === 'env' && reference.argument !== '')
    return { kind: 'env', name: reference.argument, scheme };
  return undefined;
}

/** What is needed, for a sentence: `the secret 'figma'`. */
export function describeNeed({ kind, name }: SecretNeed): string {
  if (kind === 'secret') return `the secret ${quote(name)}`;
  if (kind === 'env') return `the environment variable ${quote(name)}`;
  return `a secret of ${countOf(Number(name.slice(name.lastIndexOf(':') + 1)), 'byte')}`;
}

/** Where a secret stood in a request, for a sentence: `the secret 'figma' stood in its request at line 1, character 8`. */
export function describeHole({ text, holes }: HoledText, { stand, need }: SecretHole): string {
  const others = new Set(holes.map(hole => hole.stand).filter(other => other !== stand));
  const shown = text.replace(STANDS, each => (others.has(each) ? REDACTED : each));
  const { line, character } = SourceText.of(shown).toPosition(shown.indexOf(stand));
  return `${describeNeed(need)} stood in its request at line ${line + 1}, character ${character + 1}`;
}

/** The needs of requests, each once. */
export function listNeeds(holes: readonly SecretHole[]): readonly SecretNeed[] {
  return [...new Map(holes.map(({ need }) => [JSON.stringify([need.kind, need.name]), need])).values()];
}

/** A request with its secrets in place, or why they cannot be put there: a sentence without a full stop. */
export type FilledRequest =
  | {
      readonly ok: true;
      readonly text: string;
      /** What is never stored nor shown of it. */
      readonly secrets: readonly Secret[];
    }
  | { readonly ok: false; readonly reason: string };

/**
 * Puts secrets in the places of their stands, each escaped for where it stands, so that the message keeps its shape whatever a
 * value holds. `form` is what the text is written in: one of our languages, or a protocol.
 */
export function fillSecrets(
  text: string,
  form: string,
  holes: readonly SecretHole[],
  valueOf: (need: SecretNeed) => string | undefined,
): FilledRequest {
  const values = new Map<string, string>();
  const secrets: Secret[] = [];
  for (const { stand, need, scheme } of holes) {
    const value = valueOf(need);
    if (value === undefined || value === '')
      return { ok: false, reason: `${describeNeed(need)} has no value` };
    values.set(stand, `${scheme}${value}`);
    secrets.push(nameSecret(value, need));
  }
  const filled = fillText(text, form, values);
  // What no value takes the place of stands in a key, or where no text can be.
  const tried = fillText(text, form, new Map([...values.keys()].map(stand => [stand, '0'])));
  if (filled === undefined || tried === undefined || holes.some(({ stand }) => tried.includes(stand)))
    return { ok: false, reason: 'a secret stands in it where no value can be put' };
  return { ok: true, text: filled, secrets };
}

function nameSecret(value: string, { kind, name }: SecretNeed): Secret {
  if (kind === 'unnamed') return value;
  return { value, template: kind === 'secret' ? `{{secret ${name}}}` : `{{$env ${name}}}` };
}

/** What is put in the places of stands. */
type Values = ReadonlyMap<string, string>;

function fillText(text: string, form: string, values: Values): string | undefined {
  if (values.size === 0) return text;
  return form === 'aicf' || form === 'aicl' ? fillSlots(text, form, values) : fillJsonText(text, values);
}

function fillSlots(text: string, language: LanguageId, values: Values): string | undefined {
  const parts: string[] = [];
  const message = trimEndOf(text, '\r\n');
  let from = 0;
  for (const { start, end, form } of readSlots(language, message).slots) {
    const written = writeSlot(form, message.slice(start, end), ({ source }) => values.get(`{{${source}}}`));
    if (!written.ok) return undefined;
    parts.push(message.slice(from, start), written.text);
    from = end;
  }
  return [...parts, text.slice(from)].join('');
}

function fillJsonText(text: string, values: Values): string | undefined {
  const value = readWrittenJson(text);
  return value && printForAgent(fillValue(value, values));
}

/** A text may hold JSON itself, as arguments of calls of functions do: what stands in a text of that is escaped once more. */
function fillValue(value: Value, values: Values): Value {
  switch (value.kind) {
    case 'text': {
      const { text } = value;
      if (![...values.keys()].some(stand => text.includes(stand))) return value;
      const inner = /^\s*[{[]/.test(text) ? fillJsonText(text, values) : undefined;
      return textValue(inner ?? text.replace(STANDS, stand => values.get(stand) ?? stand));
    }
    case 'list':
      return listValue(value.items.map(item => fillValue(item, values)));
    case 'dict':
      return dictValue(value.entries.map(entry => ({ ...entry, value: fillValue(entry.value, values) })));
    default:
      return value;
  }
}
