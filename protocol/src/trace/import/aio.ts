import { findProtocol } from '../../catalog/protocols.ts';
import { readFields, type Fields } from '../../text/fields.ts';
import { quote } from '../../text/quote.ts';
import type { CallEvent, CallStatus, EndEvent, TraceEvent, WireEvent } from '../events.ts';
import { AIO_STATUS } from '../export/aio.ts';
import { restoreCall } from './envelope.ts';
import { ImportNotes, type ImportedTrace } from './imported.ts';

/** True for a value that is a graph of AIO. */
export function isGraph(value: unknown): boolean {
  const fields = readFields(value);
  return typeof fields?.get('trace_id') === 'string' && Array.isArray(fields.get('calls'));
}

/**
 * Reads AIO's graphs in both shapes (reading of AIO-MCP, section 4). A call without status is ok if it has output, else it is
 * open. What we exported is the call that it was. A graph tells no times: its calls stand a millisecond apart, in their order,
 * from the day of its id on.
 */
export function importAio(graphs: readonly unknown[]): ImportedTrace {
  const notes = new ImportNotes();
  const events: TraceEvent[] = [];
  const taken = new Set<string>();
  for (const graph of graphs) {
    const fields = readFields(graph);
    const trace = fields?.get('trace_id');
    const calls = fields?.get('calls');
    if (typeof trace !== 'string' || !Array.isArray(calls)) continue;
    const reader = new GraphReader(trace, taken, notes);
    for (const [index, call] of calls.entries())
      for (const event of reader.read(call, index)) events.push(event);
    if (reader.hasNoTimes)
      notes.add(
        `The graph ${quote(trace)} tells no times: its calls stand in its order, a millisecond apart`,
      );
  }
  return { ok: true, events, notes: notes.all };
}

/** A call as the graph says it. */
interface GraphCall {
  readonly id: string;
  readonly agent: string;
  readonly method: string;
  readonly input: unknown;
  readonly output: unknown;
  readonly status: CallStatus;
  readonly isPartial: boolean;
  readonly parent: string | undefined;
  readonly protocol: CallEvent['protocol'];
  readonly envelope: unknown;
  /** Members that are none of the graph's. */
  readonly others: readonly { readonly name: string; readonly json: string }[];
}

class GraphReader {
  readonly #trace: string;
  readonly #start: number;
  readonly #taken: Set<string>;
  readonly #notes: ImportNotes;
  hasNoTimes = false;

  /** `taken` are the ids of calls so far, of all graphs. */
  constructor(trace: string, taken: Set<string>, notes: ImportNotes) {
    this.#trace = trace;
    this.#start = dayOf(trace);
    this.#taken = taken;
    this.#notes = notes;
  }

  read(value: unknown, index: number): readonly TraceEvent[] {
    const call = readCall(value, index);
    if (!call) {
      this.#notes.add(`Call ${index + 1} of the graph ${quote(this.#trace)} is no object; it is left out`);
      return [];
    }
    const restored = this.#restore(call);
    const events = restored ?? this.#make(call, this.#start + index);
    const [begun] = events;
    if (begun?.type !== 'call') return [];
    const at = { out: begun.at, in: events.find(event => event.type === 'end')?.at ?? begun.at };
    return [...events, ...listBytes(call, begun.call, at)];
  }

  /** The call that an export of ours holds; what the graph itself says of it counts. */
  #restore({ envelope, agent, method, status }: GraphCall): readonly TraceEvent[] | undefined {
    const end = readFields(readFields(envelope)?.get('end'))?.get('status');
    const known = Object.entries(AIO_STATUS).find(([name]) => name === (end ?? 'open'));
    const isSame = known?.[1] === AIO_STATUS[status];
    const events = restoreCall(envelope, { agent, title: method, ...(isSame ? {} : { status }) });
    const [begun] = events ?? [];
    if (!begun || this.#taken.has(begun.call)) return undefined;
    this.#taken.add(begun.call);
    return events;
  }

  #make(call: GraphCall, at: number): readonly TraceEvent[] {
    const id = this.#nameCall(call.id);
    const { agent, method, protocol, status, isPartial, parent, others } = call;
    this.hasNoTimes = true;
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
        // Some write the method as a message has it, `agent::method`.
        title: method.startsWith(`${agent}::`) ? method.slice(agent.length + 2) : method,
        names: [{ scheme: 'aio', trace: this.#trace, id: call.id }],
      },
      ...(others.length === 0 ? [] : [{ type: 'attributes', call: id, at, attributes: others } as const]),
      ...(end ? [end] : []),
    ];
  }

  /** `trace_id#id` names one call in the graph; one whose id is taken gets a number behind it, with a note. */
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

function readCall(value: unknown, index: number): GraphCall | undefined {
  const fields = readFields(value);
  if (!fields) return undefined;
  const input = fields.has('inputs') ? unwrapOne(fields.get('inputs'), 'inputs') : fields.get('input');
  const output = fields.has('outputs') ? unwrapOne(fields.get('outputs'), 'outputs') : fields.get('output');
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
      status === 'ok' || status === 'error' ? status : status === 'pending' || isNone(output) ? 'open' : 'ok',
    isPartial: fields.get('partial') === true && status === 'error',
    parent: readId(fields.get('parent')),
    protocol: readProtocol(fields.get('protocol')),
    envelope: fields.get('parley'),
    others: listOthers(fields),
  };
}

function readProtocol(value: unknown): CallEvent['protocol'] {
  return value === 'other' ? value : (findProtocol(value)?.name ?? 'aio');
}

/** One input stands alone; several are a member of their own. */
function unwrapOne(value: unknown, name: string): unknown {
  const items: readonly unknown[] = [value].flat();
  return items.length === 0 ? undefined : items.length === 1 ? items[0] : { [name]: items };
}

function isNone(value: unknown): boolean {
  return value === undefined || value === null;
}

function readId(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

function listOthers(fields: Fields): GraphCall['others'] {
  return [...fields].flatMap(([name, value]) => {
    const json = KNOWN_MEMBERS.has(name) ? undefined : printJson(value);
    return json === undefined ? [] : [{ name, json }];
  });
}

/** What was asked and answered, as the graph holds it, for who looks at the call. */
function listBytes(
  { input, output }: GraphCall,
  call: string,
  at: { readonly out: number; readonly in: number },
): readonly WireEvent[] {
  return [['out', input] as const, ['in', output] as const].flatMap(([direction, value]) => {
    if (value === undefined) return [];
    const kept = readBase64(value) ?? { text: typeof value === 'string' ? value : (printJson(value) ?? '') };
    return [{ type: 'wire', call, at: at[direction], direction, bytes: kept } as const];
  });
}

/** Bytes that are no text, as our export writes them. */
function readBase64(value: unknown): WireEvent['bytes'] | undefined {
  const fields = readFields(value);
  const base64 = fields?.size === 1 ? fields.get('base64') : undefined;
  return typeof base64 === 'string' ? { base64 } : undefined;
}

/** Undefined for what is nested deeper than the engine prints. */
function printJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** The day that `AIO-TR-20250326-0001` names, in milliseconds since 1970; 0 where it names none. */
function dayOf(trace: string): number {
  const [, year = '', month = '', day = ''] = /^AIO-TR-(\d{4})(\d\d)(\d\d)-/.exec(trace) ?? [];
  const time = Date.parse(`${year}-${month}-${day}T00:00:00Z`);
  return Number.isFinite(time) ? time : 0;
}
