import { readReference } from '../../language/variables.ts';
import type { LanguageId } from '../../core/catalog/languages.ts';
import { printForAgent } from '../../language/values/json-printer.ts';
import { readWrittenJson } from '../../language/values/json-reader.ts';
import { dictValue, listValue, textValue, type Value } from '../../core/values/value.ts';
import { countOf } from '../../core/text/count.ts';
import { quote } from '../../core/text/quote.ts';
import { readSlots, writeSlot } from '../../language/variables/slots.ts';
import { SourceText } from '../../core/text/source-text.ts';
import { joinBytes, decodeUtf8, encodeUtf8, readBytes } from '../../core/events/bytes.ts';
import type { WireEvent } from '../../core/events/events.ts';
import type { Secret } from '../../core/text/secret.ts';
import { REDACTED } from '../../core/secrets/redact-stream.ts';
import { payloadOf } from '../../core/events/payload.ts';
import { trimEndOf } from '../../core/text/trim.ts';

/** A value that a recorded request needs: a named secret, an environment variable, or a secret without a name. */
export interface SecretNeed {
  readonly kind: 'secret' | 'env' | 'unnamed';
  /** For an unnamed secret, the agent and the number of bytes, `figma:14`, which distinguish it from others. */
  readonly name: string;
}

/** The place of a secret in a recorded request. */
export interface SecretHole {
  /** The placeholder in the text of the request, where it occurs only once. */
  readonly placeholder: string;
  readonly need: SecretNeed;
  /** The scheme that was redacted together with it, `Bearer `. */
  readonly scheme: string;
}

/** The text of a sent message, with a placeholder for each secret. */
export interface HoledText {
  readonly text: string;
  readonly holes: readonly SecretHole[];
}

/**
 * Joins the pieces of a message that was sent to an agent. Each redacted secret becomes a placeholder, in the
 * form of a variable in a file; undefined if the message is not UTF-8.
 */
export function joinWithHoles(wire: readonly WireEvent[], agent: string): HoledText | undefined {
  const joined = decodeUtf8(joinBytes(wire.map(event => readBytes(payloadOf(event)))));
  if (joined === undefined || !joined.includes(REDACTED))
    return joined === undefined ? undefined : { text: joined, holes: [] };
  let count = 0;
  const holes: SecretHole[] = [];
  const pieces = wire.flatMap(event => {
    const stored = readBytes(payloadOf(event));
    const parts: Uint8Array[] = [];
    let from = 0;
    for (const { at, length, template } of (event.unpacked ?? event).redacted ?? []) {
      // In a file that was edited by hand, a redaction mark may point anywhere.
      if (at < from || decodeUtf8(stored.subarray(at, at + REDACTED.length)) !== REDACTED) continue;
      do count++;
      while (joined.includes(placeholderOf(count)));
      const named = readTemplate(template);
      const need = named ?? { kind: 'unnamed', name: `${agent}:${length}` };
      holes.push({
        placeholder: placeholderOf(count),
        need: { kind: need.kind, name: need.name },
        scheme: named?.scheme ?? '',
      });
      parts.push(stored.subarray(from, at), encodeUtf8(placeholderOf(count)));
      from = at + REDACTED.length;
    }
    return [...parts, stored.subarray(from)];
  });
  return { text: decodeUtf8(joinBytes(pieces)) ?? joined, holes };
}

function placeholderOf(count: number): string {
  return `{{secret-${count}}}`;
}

const PLACEHOLDERS = /\{\{secret-\d+\}\}/g;

const TEMPLATE = /^([A-Za-z]+ +)?\{\{([^{}\r\n]{1,500})\}\}$/;

/**
 * The secret that a mark names; undefined without a name that can be looked up, since the file may come from
 * elsewhere.
 */
function readTemplate(template = ''): (SecretNeed & { readonly scheme: string }) | undefined {
  const [, scheme = '', source] = TEMPLATE.exec(template) ?? [];
  const reference = source === undefined ? undefined : readReference(source.trim());
  if (reference?.kind === 'secret') return { kind: 'secret', name: reference.name, scheme };
  if (reference?.kind === 'function' && reference.name === 'env' && reference.argument !== '')
    return { kind: 'env', name: reference.argument, scheme };
  return undefined;
}

/** A need in words: `the secret 'figma'`. */
export function describeNeed({ kind, name }: SecretNeed): string {
  if (kind === 'secret') return `the secret ${quote(name)}`;
  if (kind === 'env') return `the environment variable ${quote(name)}`;
  return `a secret of ${countOf(Number(name.slice(name.lastIndexOf(':') + 1)), 'byte')}`;
}

/** The place of a secret in words: `the secret 'figma' was in its request at line 1, character 8`. */
export function describeHole({ text, holes }: HoledText, { placeholder, need }: SecretHole): string {
  const others = new Set(holes.map(hole => hole.placeholder).filter(other => other !== placeholder));
  const shown = text.replace(PLACEHOLDERS, each => (others.has(each) ? REDACTED : each));
  const { line, character } = SourceText.of(shown).toPosition(shown.indexOf(placeholder));
  return `${describeNeed(need)} was in its request at line ${line + 1}, character ${character + 1}`;
}

/** The needs of requests, without duplicates. */
export function listNeeds(holes: readonly SecretHole[]): readonly SecretNeed[] {
  return [...new Map(holes.map(({ need }) => [JSON.stringify([need.kind, need.name]), need])).values()];
}

/** A request with its secrets, or the reason why they cannot be inserted: a sentence without a full stop. */
export type FilledRequest =
  | {
      readonly ok: true;
      readonly text: string;
      /** Values that must be neither stored nor shown. */
      readonly secrets: readonly Secret[];
    }
  | { readonly ok: false; readonly reason: string };

/**
 * Replaces placeholders by secrets, each escaped for its position, so that no value can change the structure
 * of the message. `form` is the notation of the text: AICL, AICF, or a protocol.
 */
export function fillSecrets(
  text: string,
  form: string,
  holes: readonly SecretHole[],
  valueOf: (need: SecretNeed) => string | undefined,
): FilledRequest {
  const values = new Map<string, string>();
  const secrets: Secret[] = [];
  for (const { placeholder, need, scheme } of holes) {
    const value = valueOf(need);
    if (value === undefined || value === '')
      return { ok: false, reason: `${describeNeed(need)} has no value` };
    values.set(placeholder, `${scheme}${value}`);
    secrets.push(nameSecret(value, need));
  }
  const filled = fillText(text, form, values);
  // A placeholder that is still there is in a key, or where no text is allowed.
  const tried = fillText(text, form, new Map([...values.keys()].map(placeholder => [placeholder, '0'])));
  if (
    filled === undefined ||
    tried === undefined ||
    holes.some(({ placeholder }) => tried.includes(placeholder))
  )
    return { ok: false, reason: 'it contains a secret where no value can be filled in' };
  return { ok: true, text: filled, secrets };
}

function nameSecret(value: string, { kind, name }: SecretNeed): Secret {
  if (kind === 'unnamed') return value;
  return { value, template: kind === 'secret' ? `{{secret ${name}}}` : `{{$env ${name}}}` };
}

/** The values by placeholder. */
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

/**
 * Fills the texts of a value. A text may itself be JSON, as in arguments of function calls, and then needs
 * nested escapes.
 */
function fillValue(value: Value, values: Values): Value {
  switch (value.kind) {
    case 'text': {
      const { text } = value;
      if (![...values.keys()].some(placeholder => text.includes(placeholder))) return value;
      const inner = /^\s*[{[]/.test(text) ? fillJsonText(text, values) : undefined;
      return textValue(
        inner ?? text.replace(PLACEHOLDERS, placeholder => values.get(placeholder) ?? placeholder),
      );
    }
    case 'list':
      return listValue(value.items.map(item => fillValue(item, values)));
    case 'dict':
      return dictValue(value.entries.map(entry => ({ ...entry, value: fillValue(entry.value, values) })));
    default:
      return value;
  }
}
