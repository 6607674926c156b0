/** A value as JSON carries it. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

export interface JsonObject {
  readonly [key: string]: Json;
}

/** The roles of the Agent API's messages. */
export const ROLES = ['assistant', 'user', 'system', 'tool'] as const;
export type Role = (typeof ROLES)[number];

/** The types of messages that the Agent API names; agents may use others. */
export const MESSAGE_TYPES = [
  'message',
  'function_call',
  'function_call_output',
  'plugin_call',
  'plugin_call_output',
  'component_call',
  'component_call_output',
  'mcp_list_tools',
  'mcp_approval_request',
  'mcp_call',
  'mcp_approval_response',
  'reasoning',
  'heartbeat',
  'error',
] as const;

/** The types of contents; `video` is one of AgentScope's runtime, not of the specification. */
export const CONTENT_TYPES = ['text', 'data', 'image', 'audio', 'file', 'refusal', 'video'] as const;
export type ContentType = (typeof CONTENT_TYPES)[number];

/** The statuses in which a response can end without being completed. */
export const ENDS = ['failed', 'rejected', 'canceled', 'incomplete', 'unknown'] as const;
export type ResponseEnd = (typeof ENDS)[number];

/** Why a response or a message failed. */
export interface AgentApiError {
  readonly code: string;
  readonly message: string;
}

/** An event of a response: the state of the response, of one of its messages, or of one of their contents. */
export interface AgentApiEvent extends JsonObject {
  readonly sequence_number: number;
  readonly object: 'response' | 'message' | 'content';
  readonly status: string;
}

/** The members of an event without its number. */
export interface EventMembers extends JsonObject {
  readonly object: AgentApiEvent['object'];
  readonly status: string;
}

/** Numbers the events of one response from 0 and passes each to a listener. */
export class EventStream {
  readonly #listener: ((event: AgentApiEvent) => void) | undefined;
  #next = 0;

  constructor(listener: ((event: AgentApiEvent) => void) | undefined) {
    this.#listener = listener;
  }

  get hasListener(): boolean {
    return this.#listener !== undefined;
  }

  send(members: EventMembers): AgentApiEvent {
    const event = { sequence_number: this.#next++, ...members };
    this.#listener?.(event);
    return event;
  }
}

/** Prints an event for a stream of server-sent events: a `data` line without an event name. */
export function printEvent(event: JsonObject): string {
  return `data: ${JSON.stringify(event)}\n\n`;
}

/** Throws for a value that is not a text, because plain JavaScript can pass any value. */
export function expectText(call: string, value: unknown): void {
  if (typeof value !== 'string') throw new Error(`${call}: this must be a text, and is ${typeOf(value)}`);
}

/** Throws for a value that is not an object of JSON. */
export function expectObject(call: string, value: unknown): void {
  if (typeOf(value) !== 'object') throw new Error(`${call}: this must be an object, and is ${typeOf(value)}`);
}

/** Throws for a value that is not one of a list. */
export function expectOneOf(call: string, value: unknown, values: readonly string[]): void {
  if (!values.some(each => each === value))
    throw new Error(`${call}: this must be one of ${values.join(', ')}, and is ${describe(value)}`);
}

function describe(value: unknown): string {
  return typeof value === 'string' ? `'${value.slice(0, 40)}'` : typeOf(value);
}

function typeOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value;
}
