import type { MessageField, MessageKind } from '../catalog/message-kinds.ts';
import { findConversion } from '../catalog/conversions.ts';
import { dictValue, type Entry, type Value } from '../values/value.ts';
import type { ErrorMeaning } from '../catalog/error-meanings.ts';

/**
 * A message in the neutral form that all protocols share. Its fields are those of its kind and the common
 * ones. A value may have an unexpected type, because what an agent wrote is retained unchanged.
 */
export interface Message {
  readonly kind: MessageKind;
  readonly fields: Fields;
}

/** Fields by name, each at most once; the order has no meaning. */
export type Fields = Readonly<Partial<Record<MessageField, Value>>>;

/** How a reply ended: with a result or an error, in the neutral form of all protocols. */
export type Outcome = ResultOutcome | ErrorOutcome;

export interface ResultOutcome {
  readonly kind: 'result';
}

export interface ErrorOutcome {
  readonly kind: 'error';
  readonly protocol: string;
  /** The protocol's own code as it was written; undefined if the reply has none. */
  readonly code: string | undefined;
  /** What the code means; undefined if no row of the catalog has the code. */
  readonly meaning: ErrorMeaning | undefined;
  /** A sentence for the user, never empty. */
  readonly text: string;
}

/**
 * Makes a message and leaves out fields without a value.
 * `rest` holds protocol-specific members and is normalized. `fields` may become part of the message.
 */
export function message(
  kind: MessageKind,
  fields: Readonly<Partial<Record<MessageField, Value | undefined>>>,
  rest: Value | undefined = fields.rest,
): Message {
  if (!rest && hasOnlyValues(fields)) return { kind, fields };
  const given: FieldsByName = fields;
  const stored: Record<string, Value> = {};
  for (const name in given) {
    const value = given[name];
    if (value && name !== 'rest') stored[name] = value;
  }
  const ordered = rest && orderRests(rest);
  if (ordered) stored.rest = ordered;
  return { kind, fields: stored };
}

/** True if no field is there without a value. */
function hasOnlyValues(fields: Readonly<Partial<Record<MessageField, Value | undefined>>>): fields is Fields {
  const given: FieldsByName = fields;
  for (const name in given) if (!given[name]) return false;
  return true;
}

type FieldsByName = Readonly<Record<string, Value | undefined>>;

/** A message without one of its fields. */
export function withoutField({ kind, fields }: Message, field: MessageField): Message {
  const stored: Partial<Record<MessageField, Value>> = {};
  for (const name of namesOf(fields)) if (fields[name] && name !== field) stored[name] = fields[name];
  return { kind, fields: stored };
}

/**
 * `rest` in canonical form: a dictionary from protocol names to non-empty dictionaries, sorted by name.
 * Members that belong to no protocol are moved to `json.rest`, which only plain typed JSON can express.
 */
function orderRests(rest: Value): Value | undefined {
  const entries = rest.kind === 'dict' ? rest.entries : [];
  const isOwn = ({ key, value }: Entry): boolean =>
    findConversion(key) !== undefined && value.kind === 'dict';
  const own = entries.filter(entry => isOwn(entry) && !isEmptyDict(entry.value));
  const strange = entries.filter(entry => !isOwn(entry));
  const unknown = rest.kind === 'dict' ? strange.length > 0 && dictValue(strange) : rest;
  if (unknown) return orderRests(withUnknown(own, unknown));
  return own.length === 0 ? undefined : dictValue(own.toSorted((a, b) => (a.key < b.key ? -1 : 1)));
}

function withUnknown(own: readonly Entry[], unknown: Value): Value {
  const json = own.find(({ key }) => key === 'json')?.value;
  const before = json?.kind === 'dict' ? json.entries.filter(({ key }) => key !== 'rest') : [];
  return dictValue([
    ...own.filter(({ key }) => key !== 'json'),
    { key: 'json', value: dictValue([...before, { key: 'rest', value: unknown }]) },
  ]);
}

function isEmptyDict(value: Value): boolean {
  return value.kind === 'dict' && value.entries.length === 0;
}

/** The names of the fields that a message has, in the order of its `fields` object. */
export function fieldNames({ fields }: Message): readonly MessageField[] {
  return namesOf(fields);
}

/** The names of an object's members that have a value, with their type. */
function namesOf<T extends object>(fields: T): Extract<keyof T, string>[] {
  const names: Extract<keyof T, string>[] = [];
  for (const name in fields) if (fields[name]) names.push(name);
  return names;
}

/**
 * `readable`: a response of several messages is arranged for people. `exact`: it is as its protocol's shape reads it.
 * `items`: so, items other than texts are chunks as soon as they end, and texts that follow each other are pieces.
 */
export type ReplyForm = 'readable' | 'exact' | 'items';

/** How far a call is, as the agent reports it while the call runs. */
export interface ProgressStep {
  readonly done: number;
  /** Undefined where the agent does not know it. */
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

/** A request of the agent in a reply: it goes on when the next message of the session has the answer. */
export interface AgentQuestion {
  /** The name of the protocol in which it is asked and answered. */
  readonly protocol: string;
  readonly session: string;
  /** A sentence for the user without a full stop: what the agent wants. */
  readonly text: string;
  /** The same without what to do. */
  readonly asks: string;
  /** The request as the agent sent it. */
  readonly request: string;
}

/** Reports that work is to stop; `AbortSignal` is one. */
export interface StopSignal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
}

/** The signal of work that nobody stops. */
export const NEVER_STOPPED: StopSignal = { aborted: false, addEventListener: () => undefined };

/** What an agent asks the user while a call is open. The user may decline each question. */
export interface AgentQuestions {
  /** Values for a form (MCP elicitation, `form`): a JSON Schema of plain values. */
  fillForm(question: FormQuestion, signal: StopSignal): Promise<FormAnswer>;
  /** A visit to an address (MCP elicitation, `url`); the answer is whether the user agreed to open it. */
  openAddress(question: AddressQuestion, signal: StopSignal): Promise<'accept' | 'decline' | 'cancel'>;
  /** A text that a model would write (MCP sampling); undefined if the user declines. */
  writeText(question: SamplingQuestion, signal: StopSignal): Promise<string | undefined>;
  /** Permission to run a tool (Agent API, approval requests). */
  approve(question: ApprovalQuestion, signal: StopSignal): Promise<boolean>;
  /** The folders that the agent may know of (MCP roots), as `file:` URIs. */
  listRoots(agent: string): Promise<readonly { readonly uri: string; readonly name: string }[]>;
  /**
   * Passes a question on as the agent asks it, to a caller that speaks the agent's protocol, in place of the methods
   * above: nothing of it is lost. Returns the result as it was answered; undefined if it was declined.
   */
  relay?(question: RelayedQuestion, signal: StopSignal): Promise<unknown>;
}

/** A question in the form of the protocol that asks it. */
export interface RelayedQuestion {
  readonly method: string;
  readonly params: unknown;
}

export interface FormQuestion {
  readonly agent: string;
  readonly message: string;
  /** A JSON Schema of an object whose properties are texts, numbers, booleans and enumerations. */
  readonly schema: unknown;
}

export type FormAnswer =
  | {
      readonly action: 'accept';
      readonly content: Readonly<Record<string, string | number | boolean | readonly string[]>>;
    }
  | { readonly action: 'decline' | 'cancel' };

export interface AddressQuestion {
  readonly agent: string;
  readonly message: string;
  readonly url: string;
}

export interface SamplingQuestion {
  readonly agent: string;
  /** The instructions for the model, which precede the messages. */
  readonly systemPrompt: string | undefined;
  readonly messages: readonly { readonly role: string; readonly text: string }[];
  readonly maxTokens: number | undefined;
}

export interface ApprovalQuestion {
  readonly agent: string;
  readonly tool: string;
  /** The arguments as JSON text. */
  readonly arguments: string;
}
