import { askFields, type OwnFields, readNumber, readText } from '../core/text/fields.ts';
import { TRACE_SCHEMES } from '../core/catalog/trace-names.ts';
import { isBase64 } from '../core/events/bytes.ts';
import type {
  AttributesEvent,
  CallEvent,
  EndEvent,
  HeadEvent,
  IdentityEvent,
  StoredBytes,
  StoredHeader,
  NoteEvent,
  Redaction,
  TokenUsage,
  TraceEvent,
  TraceName,
  UnpackedBytes,
  WireEvent,
} from '../core/events/events.ts';

/** Reads the specific members of an event; undefined if they are invalid. */
type EventReader<Type extends TraceEvent['type']> = (
  fields: OwnFields,
  common: Common,
) => Extract<TraceEvent, { type: Type }> | undefined;

/** The common members of all events; `seq` is optional. */
interface Common {
  readonly call: string;
  readonly at: number;
  readonly seq?: number;
}

const READERS: { readonly [Type in TraceEvent['type']]: EventReader<Type> } = {
  call: readCall,
  identity: readIdentity,
  head: readHead,
  wire: readWire,
  note: readNote,
  attributes: readAttributes,
  end: readEnd,
};

/**
 * Reads an event from a parsed line; undefined if it is none. The event is built from the known members only,
 * so nothing else of the line gets in, whatever its name.
 */
export function readTraceEvent(value: unknown): TraceEvent | undefined {
  const fields = askFields(value);
  const type = fields?.get('type');
  const call = readText(fields?.get('call'));
  const at = readNumber(fields?.get('at'));
  if (!fields || call === undefined || at === undefined || !isEventType(type)) return undefined;
  // Sequence numbers are counted from 1.
  const seq = readCount(fields.get('seq')) || undefined;
  return READERS[type](fields, seq === undefined ? { call, at } : { call, at, seq });
}

function isEventType(value: unknown): value is TraceEvent['type'] {
  return typeof value === 'string' && Object.hasOwn(READERS, value);
}

function readCall(fields: OwnFields, { call, at }: Common): CallEvent | undefined {
  const trace = readText(fields.get('trace'));
  const { agent, title, protocol, ...identity } = readIdentityFields(fields);
  if (trace === undefined || agent === undefined || title === undefined || !protocol) return undefined;
  const parent = readText(fields.get('parent'));
  const source = readSource(fields.get('source'));
  const seen = fields.get('seen');
  return {
    type: 'call',
    call,
    trace,
    ...(parent === undefined ? {} : { parent }),
    at,
    agent,
    protocol,
    title,
    ...identity,
    ...(source ? { source } : {}),
    ...(seen === 'between' || seen === 'callee' ? { seen } : {}),
    ...(fields.get('reported') === true ? { reported: true } : {}),
    ...(fields.get('back') === true ? { back: true } : {}),
  };
}

function readIdentity(fields: OwnFields, common: Common): IdentityEvent {
  return { type: 'identity', ...common, ...readIdentityFields(fields) };
}

/** Members that identify a call, some of which may become known later. */
function readIdentityFields(fields: OwnFields): Omit<IdentityEvent, 'type' | 'call' | 'at' | 'seq'> {
  const text = (name: string): string | undefined => readText(fields.get(name));
  const [agent, title, from, session] = [text('agent'), text('title'), text('from'), text('session')];
  const protocol = text('protocol');
  const listed = fields.get('names');
  // Names of unknown schemes are ignored, like unknown members. `slice` copies the list, to drop spare capacity.
  const names = Array.isArray(listed) ? listed.flatMap(name => readName(name) ?? []).slice() : undefined;
  return {
    ...(agent === undefined ? {} : { agent }),
    ...(protocol ? { protocol } : {}),
    ...(title === undefined ? {} : { title }),
    ...(from === undefined ? {} : { from }),
    ...(session === undefined ? {} : { session }),
    ...(names ? { names } : {}),
  };
}

function readName(value: unknown): TraceName | undefined {
  const fields = askFields(value);
  const scheme = TRACE_SCHEMES.find(known => known === fields?.get('scheme'));
  const trace = readText(fields?.get('trace'));
  if (!fields || !scheme || trace === undefined) return undefined;
  const id = readText(fields.get('id'));
  const parent = readText(fields.get('parent'));
  const depth = readCount(fields.get('depth'));
  return {
    scheme,
    trace,
    ...(id === undefined ? {} : { id }),
    ...(parent === undefined ? {} : { parent }),
    ...(depth === undefined ? {} : { depth }),
  };
}

function readSource(value: unknown): CallEvent['source'] | undefined {
  const fields = askFields(value);
  const uri = readText(fields?.get('uri'));
  const line = readCount(fields?.get('line'));
  return uri === undefined || line === undefined ? undefined : { uri, line };
}

function readHead(fields: OwnFields, common: Common): HeadEvent | undefined {
  const direction = fields.get('direction');
  const line = readText(fields.get('line'));
  const headers = readList(fields.get('headers'), readHeader);
  if ((direction !== 'out' && direction !== 'in') || line === undefined || !headers) return undefined;
  return { type: 'head', ...common, direction, line, headers, ...readExchange(fields) };
}

function readHeader(value: unknown): StoredHeader | undefined {
  const fields = askFields(value);
  const name = readText(fields?.get('name'));
  const text = readText(fields?.get('value'));
  const redacted = readCount(fields?.get('redacted'));
  if (name === undefined || text === undefined) return undefined;
  return { name, value: text, ...(redacted === undefined ? {} : { redacted }) };
}

function readWire(fields: OwnFields, common: Common): WireEvent | undefined {
  const direction = fields.get('direction');
  const bytes = readStoredBytes(fields.get('bytes'));
  if ((direction !== 'out' && direction !== 'in' && direction !== 'stderr') || !bytes) return undefined;
  const redacted = readList(fields.get('redacted'), readRedaction);
  const count = readCount(fields.get('count'));
  const unpacked = readUnpacked(fields.get('unpacked'));
  if (fields.get('unpacked') !== undefined && !unpacked) return undefined;
  return {
    type: 'wire',
    ...common,
    direction,
    bytes,
    ...(count === undefined ? {} : { count }),
    ...readExchange(fields),
    ...(redacted ? { redacted } : {}),
    ...(unpacked ? { unpacked } : {}),
  };
}

function readExchange(fields: OwnFields): Pick<WireEvent, 'exchange'> {
  const exchange = readCount(fields.get('exchange'));
  return exchange === undefined ? {} : { exchange };
}

function readUnpacked(value: unknown): UnpackedBytes | undefined {
  const bytes = readStoredBytes(value);
  const redacted = readList(askFields(value)?.get('redacted'), readRedaction);
  return bytes && redacted ? { ...bytes, redacted } : bytes;
}

function readStoredBytes(value: unknown): StoredBytes | undefined {
  const fields = askFields(value);
  const text = readText(fields?.get('text'));
  const base64 = readText(fields?.get('base64'));
  if (text !== undefined) return { text };
  return base64 === undefined || !isBase64(base64) ? undefined : { base64 };
}

function readRedaction(value: unknown): Redaction | undefined {
  const fields = askFields(value);
  const at = readCount(fields?.get('at'));
  const length = readCount(fields?.get('length'));
  const template = readText(fields?.get('template'));
  if (at === undefined || length === undefined) return undefined;
  return { at, length, ...(template === undefined ? {} : { template }) };
}

function readNote(fields: OwnFields, common: Common): NoteEvent | undefined {
  const text = readText(fields.get('text'));
  return text === undefined ? undefined : { type: 'note', ...common, text };
}

function readAttributes(fields: OwnFields, common: Common): AttributesEvent | undefined {
  const attributes = readList(fields.get('attributes'), value => {
    const attribute = askFields(value);
    const name = readText(attribute?.get('name'));
    const json = readText(attribute?.get('json'));
    return name === undefined || json === undefined ? undefined : { name, json };
  });
  return attributes && { type: 'attributes', ...common, attributes };
}

function readEnd(fields: OwnFields, common: Common): EndEvent | undefined {
  const status = fields.get('status');
  if (status !== 'ok' && status !== 'error' && status !== 'cancelled' && status !== 'incomplete')
    return undefined;
  const code = readText(fields.get('code'));
  const message = readText(fields.get('message'));
  const usage = readUsage(fields.get('usage'));
  return {
    type: 'end',
    ...common,
    status,
    ...(code === undefined ? {} : { code }),
    ...(message === undefined ? {} : { message }),
    ...(usage ? { usage } : {}),
  };
}

function readUsage(value: unknown): TokenUsage | undefined {
  const fields = askFields(value);
  if (!fields) return undefined;
  const [input, output] = [readCount(fields.get('input')), readCount(fields.get('output'))];
  const [cached, reasoning] = [readCount(fields.get('cached')), readCount(fields.get('reasoning'))];
  const model = readText(fields.get('model'));
  return {
    ...(input === undefined ? {} : { input }),
    ...(output === undefined ? {} : { output }),
    ...(cached === undefined ? {} : { cached }),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(model === undefined ? {} : { model }),
  };
}

/** A count: an integer from 0 on. */
function readCount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** Reads all elements of a list; undefined if one is invalid. */
function readList<Item>(
  value: unknown,
  read: (item: unknown) => Item | undefined,
): readonly Item[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const items = value.flatMap(item => read(item) ?? []);
  return items.length === value.length ? items : undefined;
}
