import { findProtocol } from '../../core/catalog/protocols.ts';
import { decodeBase64 } from '../../core/text/base64.ts';
import { readFields } from '../../core/text/fields.ts';
import { sliceJson, sliceJsonSteps, withoutBlanks } from '../json-slices.ts';
import { parseJson } from '../../core/text/json.ts';
import { quote } from '../../core/text/quote.ts';
import type { CallEvent, CallStatus, EndEvent, TraceEvent, WireEvent } from '../../core/events/events.ts';
import { AIO_STATUS } from '../export/aio.ts';
import { restoreCall } from './envelope.ts';
import { ImportNotes, type ImportedTrace } from './imported.ts';

/** True for a value that is a graph of AIO. */
export function isGraph(value: unknown): boolean {
  const fields = readFields(value);
  return typeof fields?.get('trace_id') === 'string' && Array.isArray(fields.get('calls'));
}

/**
 * Reads AIO's graphs in both shapes (reading of AIO-MCP, section 4). A call without a status is ok if it has output,
 * else open. Calls that we exported are restored. A graph has no times: its calls are placed a millisecond apart, in
 * their order, from the day in its id on. Input and output keep the spelling of the JSON text.
 */
export function* aioSteps(graphs: readonly string[]): Generator<undefined, ImportedTrace> {
  const notes = new ImportNotes();
  const events: TraceEvent[] = [];
  const taken = new Set<string>();
  for (const graph of graphs) {
    const members = new Map<string | undefined, string>();
    for (const slice of sliceJsonSteps(graph))
      if (slice) members.set(slice.name, slice.text);
      else yield;
    const trace = parseJson(members.get('trace_id') ?? '');
    const calls = members.get('calls');
    if (typeof trace !== 'string' || calls === undefined) continue;
    const reader = new GraphReader(trace, taken, notes);
    let index = 0;
    for (const slice of sliceJsonSteps(calls)) {
      if (slice) for (const event of reader.read(slice.text, index++)) events.push(event);
      yield;
    }
    if (reader.hasNoTimes)
      notes.add(
        `The graph ${quote(trace)} has no times: its calls are shown in its order, a millisecond apart`,
      );
  }
  return { ok: true, events, notes: notes.all };
}

/** A call in a graph. */
interface GraphCall {
  readonly id: string;
  readonly agent: string;
  readonly method: string;
  /** The JSON text as written, and so for `output`. */
  readonly input: string | undefined;
  readonly output: string | undefined;
  readonly status: CallStatus;
  readonly isPartial: boolean;
  readonly parent: string | undefined;
  readonly protocol: CallEvent['protocol'];
  readonly envelope: unknown;
  /** Members that AIO does not define. */
  readonly others: readonly { readonly name: string; readonly json: string }[];
}

class GraphReader {
  readonly #trace: string;
  readonly #start: number;
  readonly #taken: Set<string>;
  readonly #notes: ImportNotes;
  hasNoTimes = false;

  /** `taken` has the ids of all calls so far, in all graphs. */
  constructor(trace: string, taken: Set<string>, notes: ImportNotes) {
    this.#trace = trace;
    this.#start = dayOf(trace);
    this.#taken = taken;
    this.#notes = notes;
  }

  read(text: string, index: number): readonly TraceEvent[] {
    const call = readCall(text, index);
    if (!call) {
      this.#notes.add(
        `Call ${index + 1} of the graph ${quote(this.#trace)} is not an object; it is left out`,
      );
      return [];
    }
    const restored = this.#restore(call);
    const events = restored ?? this.#make(call, this.#start + index);
    const [begun] = events;
    if (begun?.type !== 'call') return [];
    const answered =
      events.find(event => event.type === 'wire') ?? events.find(event => event.type === 'end');
    const wire = listBytes(call, begun.call, { out: begun.at, in: answered?.at ?? begun.at });
    const hasReply = wire.some(({ direction }) => direction === 'in');
    return [...(hasReply ? events.filter(event => event.type !== 'wire') : events), ...wire];
  }

  /** Restores a call that we exported; where the graph's own members differ, they count. */
  #restore({ envelope, agent, method, status }: GraphCall): readonly TraceEvent[] | undefined {
    const end = readFields(readFields(envelope)?.get('end'))?.get('status');
    const known = Object.entries(AIO_STATUS).find(([name]) => name === (end ?? 'open'));
    const isSame = known?.[1] === AIO_STATUS[status];
    const hasMethod = readFields(envelope)?.get('method') === method;
    const events = restoreCall(envelope, {
      agent,
      ...(hasMethod ? {} : { title: method }),
      ...(isSame ? {} : { status }),
    });
    const [begun] = events ?? [];
    if (!begun || this.#taken.has(begun.call)) return undefined;
    this.#taken.add(begun.call);
    return events;
  }

  #make(call: GraphCall, at: number): readonly TraceEvent[] {
    const id = this.#nameCall(call.id);
    const { agent, method, protocol, status, isPartial, parent, others } = call;
    this.hasNoTimes = true;
    const unexpected = others.find(({ name }) => name === 'status');
    if (unexpected)
      this.#notes.add(
        `The graph ${quote(this.#trace)} has a status that is none of ok, error and pending: ${quote(unexpected.json, 40)}; the status of that call is taken from its output`,
      );
    const ended = status === 'ok' || status === 'error' ? status : undefined;
    const end: EndEvent | undefined = ended && {
      type: 'end',
      call: id,
      at,
      status: isPartial ? 'incomplete' : ended,
    };
    return [
      {
        type: 'call',
        call: id,
        trace: this.#trace,
        ...(parent === undefined ? {} : { parent: `${this.#trace}#${parent}` }),
        at,
        agent,
        protocol,
        // Some programs write the method as in a message, `agent::method`.
        title: method.startsWith(`${agent}::`) ? method.slice(agent.length + 2) : method,
        names: [{ scheme: 'aio', trace: this.#trace, id: call.id }],
      },
      ...(others.length === 0 ? [] : [{ type: 'attributes', call: id, at, attributes: others } as const]),
      ...(end ? [end] : []),
    ];
  }

  /** The call id `trace_id#id`; if it is taken, it gets a number, and a note. */
  #nameCall(id: string): string {
    const name = `${this.#trace}#${id}`;
    let free = name;
    for (let count = 2; this.#taken.has(free); count++) free = `${name}/${count + this.#taken.size}`;
    if (free !== name)
      this.#notes.add(`The id ${quote(id)} is there twice in the graph ${quote(this.#trace)}`);
    this.#taken.add(free);
    return free;
  }
}

const KNOWN_MEMBERS: ReadonlySet<string> = new Set([
  'id',
  'parent',
  'protocol',
  'agent',
  'method',
  'input',
  'inputs',
  'output',
  'outputs',
  'status',
  'partial',
  'parley',
]);

function readCall(text: string, index: number): GraphCall | undefined {
  const fields = readFields(parseJson(text));
  if (!fields) return undefined;
  const written = new Map([...sliceJson(text)].map(slice => [slice.name, slice.text]));
  const [input, output] = [readInputs(written, 'input'), readInputs(written, 'output')];
  const isUnanswered = output === undefined || output === 'null';
  const status = fields.get('status');
  const agent = fields.get('agent');
  const method = fields.get('method');
  return {
    id: readId(fields.get('id')) ?? String(index + 1),
    agent: typeof agent === 'string' ? agent : 'unknown agent',
    method: typeof method === 'string' ? method : 'unknown method',
    input,
    output,
    status:
      status === 'ok' || status === 'error' ? status : status === 'pending' || isUnanswered ? 'open' : 'ok',
    isPartial: fields.get('partial') === true && status === 'error',
    parent: readId(fields.get('parent')),
    protocol: readProtocol(fields.get('protocol')),
    envelope: fields.get('parley'),
    others: [...written].flatMap(([name, json]) =>
      name === undefined || isUnderstood(name, fields.get(name)) ? [] : [{ name, json: withoutBlanks(json) }],
    ),
  };
}

/** True for a member that the call holds in another form. */
function isUnderstood(name: string, value: unknown): boolean {
  if (isNone(value)) return KNOWN_MEMBERS.has(name);
  if (name === 'status') return STATUSES.has(value);
  if (name === 'protocol') return value === 'other' || findProtocol(value) !== undefined;
  return KNOWN_MEMBERS.has(name);
}

const STATUSES: ReadonlySet<unknown> = new Set(['ok', 'error', 'pending']);

function readProtocol(value: unknown): CallEvent['protocol'] {
  return value === 'other' ? value : (findProtocol(value)?.name ?? 'aio');
}

/** A single input or output; several become an object with the plural member. */
function readInputs(
  written: ReadonlyMap<string | undefined, string>,
  name: 'input' | 'output',
): string | undefined {
  const list = `${name}s`;
  const all = written.get(list);
  if (all === undefined) return written.get(name);
  if (!all.startsWith('[')) return all;
  const items = [...sliceJson(all)];
  return items.length > 1 ? `{"${list}":${all}}` : items[0]?.text;
}

function isNone(value: unknown): boolean {
  return value === undefined || value === null;
}

function readId(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** The input and output as payload events. */
function listBytes(
  { input, output }: GraphCall,
  call: string,
  at: { readonly out: number; readonly in: number },
): readonly WireEvent[] {
  return [['out', input] as const, ['in', output] as const].flatMap(([direction, written]) =>
    written === undefined
      ? []
      : [{ type: 'wire', call, at: at[direction], direction, bytes: readBytes(written) } as const],
  );
}

function readBytes(written: string): WireEvent['bytes'] {
  const text = written.startsWith('"') ? parseJson(written) : undefined;
  return typeof text === 'string' ? { text } : (readBase64(written) ?? { text: withoutBlanks(written) });
}

/** Reads bytes in the form in which our export writes them. */
function readBase64(written: string): WireEvent['bytes'] | undefined {
  if (!/^\{\s*"base64"/.test(written)) return undefined;
  const fields = readFields(parseJson(written));
  const base64 = fields?.size === 1 ? fields.get('base64') : undefined;
  return typeof base64 === 'string' && decodeBase64(base64) ? { base64 } : undefined;
}

/** The day in a trace id such as `AIO-TR-20250326-0001`, in milliseconds since 1970; 0 if it has none. */
function dayOf(trace: string): number {
  const [, year = '', month = '', day = ''] = /^AIO-TR-(\d{4})(\d\d)(\d\d)-/.exec(trace) ?? [];
  const time = Date.parse(`${year}-${month}-${day}T00:00:00Z`);
  return Number.isFinite(time) ? time : 0;
}
