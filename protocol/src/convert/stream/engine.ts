import { isSameMessage, type Message } from '../../message/message.ts';
import {
  dictValue,
  findEntry,
  isSameValue,
  listValue,
  textIn,
  textValue,
  type DictValue,
  type Value,
} from '../../message/value.ts';
import { wholeEnvelope } from '../conversation/meaning.ts';
import { joinDicts, packEnvelope, readMessage, unpack } from '../envelope.ts';
import { readError, writeError } from '../errors/errors.ts';
import { Members } from '../members.ts';
import type { ProtocolShape, Reading, StreamReader, StreamWriter, Writing } from '../shape.ts';
import {
  afterPart,
  DEFAULT_ITEM,
  differenceOf,
  type Step,
  type StreamDialect,
  type StreamState,
} from './dialect.ts';
import { advance, pathTo, type Stage, type StagedStep, type StepName } from './stages.ts';
import { setApart, takeMark, withEnvelope } from './apart.ts';
import { dictOf, silentReading } from '../conversation/verified.ts';

/**
 * Reads and writes the events of a reply, whatever the protocol. The writer puts the events before a part that a client
 * needs; the reader takes exactly those off again, by deriving what the writer would write. An event that is another one
 * gives a part of its own, which keeps how it differs. So the reader of what the writer wrote finds the same parts.
 */

/** Events that the writer puts before others are held back until it is known what they are for. */
interface Held {
  readonly step: StagedStep;
  readonly part: Message;
}

interface Pending {
  /** The stage before the first of them. */
  readonly from: Stage;
  readonly held: readonly Held[];
}

/** What an event means at a place in a stream. */
interface Meant {
  readonly step: Step;
  /** The event without its envelope. */
  readonly event: DictValue;
  readonly part: Message;
  /** True for an event that may only lead to another one. */
  readonly isHeld: boolean;
  /** True where what is held back is no way to this event, and stands for itself. */
  readonly isApart: boolean;
}

/** What the parts of a stream are called that are neither text nor the end. */
const EVENTS = [
  { step: 'created', event: 'created' },
  { step: 'progress', event: 'in_progress' },
  { step: 'begin', event: 'begin' },
  { step: 'open', event: 'open' },
  { step: 'part', event: 'part' },
  { step: 'arguments', event: 'arguments' },
  { step: 'reasoning', event: 'reasoning' },
  { step: 'contentDone', event: 'content_done' },
  { step: 'partDone', event: 'part_done' },
  { step: 'close', event: 'close' },
  { step: 'other', event: 'other' },
] as const satisfies readonly { readonly step: StepName; readonly event: string }[];

/** Steps that the writer puts before others. */
const IMPLIED: ReadonlySet<StepName> = new Set([
  'created',
  'progress',
  'begin',
  'part',
  'contentDone',
  'partDone',
  'close',
]);

/** The type of the item that a step is about. */
function staged({ name, item }: Step): StagedStep {
  return { name, type: textIn(findEntry(item, 'type')) ?? '' };
}

/** What an event means after what came before it. Nothing changes by asking. */
function interpret(
  event: DictValue,
  state: StreamState,
  pending: Pending,
  dialect: StreamDialect,
  reading: Reading,
): Meant {
  const members = new Members(event);
  const { isApart, envelope } = takeMark(members);
  const actual = dictValue(members.entries());
  if (dialect.isCarrier(event) && envelope?.kind === 'dict') {
    const part = readMessage(
      { kind: 'chunk', fields: {}, rest: undefined, envelope },
      dialect.protocol,
      reading.report,
    );
    return { step: { name: 'other' }, event: actual, part, isHeld: false, isApart: true };
  }
  const step = dialect.classify(actual, state);
  const isDue = pathTo(state.stage, staged(step), dialect)?.length === 0;
  const derived = isDue ? dialect.derive(state, step) : undefined;
  const difference = derived ? differenceOf(derived, actual) : 'impossible';
  const rest =
    difference === 'impossible' ? dictOf({ event: actual }) : difference && dictOf({ members: difference });
  const part = partOf(step, rest, envelope, dialect, reading);
  const isExact = difference === undefined && envelope === undefined;
  const isDefaultOpen =
    step.name === 'open' && step.item !== undefined && isSameValue(step.item, DEFAULT_ITEM);
  return {
    step,
    event: actual,
    part,
    isHeld: isExact && (IMPLIED.has(step.name) || isDefaultOpen),
    isApart: isApart || difference === 'impossible' || !leadsTo(pending, staged(step), dialect),
  };
}

function leadsTo({ from, held }: Pending, target: StagedStep, dialect: StreamDialect): boolean {
  const path = pathTo(from, target, dialect);
  return (
    path?.length === held.length &&
    path.every(({ name, type }, index) => {
      const one = held[index]?.step;
      return one?.name === name && one.type === type;
    })
  );
}

function partOf(
  step: Step,
  rest: Value | undefined,
  envelope: Value | undefined,
  dialect: StreamDialect,
  reading: Reading,
): Message {
  const { protocol } = dialect;
  const dict = rest?.kind === 'dict' ? rest : undefined;
  if (step.name === 'final')
    return readMessage({ kind: 'end', fields: {}, rest: dict, envelope }, protocol, reading.report);
  if (step.name === 'failed') {
    const inner = new Members(step.error);
    const found = { code: inner.take('code'), text: inner.take('message'), data: inner.take('data') };
    const fields = readError(protocol, found, reading.report);
    return readMessage({ kind: 'error', fields, rest: dict, envelope }, protocol, reading.report);
  }
  const event = EVENTS.find(row => row.step === step.name)?.event;
  const marks = new Members(envelope);
  const isContent = step.name === 'text' && marks.takeWord(AS, CONTENT.text);
  const fields = {
    event: event === undefined ? undefined : textValue(event),
    [isContent ? 'content' : 'data']: step.text,
    items: step.item && listValue([step.item]),
  };
  const left = isContent ? marks.left() : envelope;
  return readMessage({ kind: 'chunk', fields, rest: dict, envelope: left }, protocol, reading.report);
}

/** Says in the envelope that the text of an event is not the data of the part but its content. */
const AS = 'as';
const CONTENT = textValue('content');

/** The parts that what is held back stands for: each the farthest one that the events before it lead to. */
function release({ from, held }: Pending, dialect: StreamDialect): readonly Message[] {
  const parts: Message[] = [];
  let stage = from;
  for (let at = 0; at < held.length;) {
    let last = held.length - 1;
    const leads = (end: number): boolean => {
      const target = held[end];
      return (
        target !== undefined && leadsTo({ from: stage, held: held.slice(at, end) }, target.step, dialect)
      );
    };
    while (last > at && !leads(last)) last--;
    const found = held[last];
    if (found) parts.push(found.part);
    for (const { step } of held.slice(at, last + 1)) stage = advance(stage, step);
    at = last + 1;
  }
  return parts;
}

/** Reads events one by one. */
export class EventReader implements StreamReader {
  readonly #dialect: StreamDialect;
  readonly #reading: Reading;
  readonly #readWhole: ProtocolShape['read'];
  #state: StreamState;
  #pending: Pending;

  constructor(dialect: StreamDialect, reading: Reading, readWhole: ProtocolShape['read']) {
    this.#dialect = dialect;
    this.#reading = reading;
    this.#readWhole = readWhole;
    this.#state = dialect.start;
    this.#pending = { from: this.#state.stage, held: [] };
  }

  push(value: Value): readonly Message[] {
    if (value.kind !== 'dict') return [];
    if (this.#state.stage.at === 'ended') this.#restart();
    const whole = this.#readAlone(value);
    if (whole) return [whole];
    const meant = interpret(value, this.#state, this.#pending, this.#dialect, this.#reading);
    const parts = meant.isApart ? this.#release() : [];
    const before = this.#state.stage;
    this.#state = afterPart(this.#dialect.observe(this.#state, meant.event, meant.step), meant.part);
    if (meant.isHeld) {
      this.#hold(before, { step: staged(meant.step), part: meant.part });
      return parts;
    }
    this.#pending = { from: this.#state.stage, held: [] };
    return [...parts, this.#reading.number(meant.part)];
  }

  end(): readonly Message[] {
    return this.#release();
  }

  #restart(): void {
    this.#state = this.#dialect.start;
    this.#pending = { from: this.#state.stage, held: [] };
  }

  /** A response that ends before it began is a whole reply. */
  #readAlone(value: DictValue): Message | undefined {
    if (this.#state !== this.#dialect.start) return undefined;
    const { name } = this.#dialect.classify(value, this.#state);
    if (name !== 'final' && name !== 'failed') return undefined;
    return this.#readWhole(value, this.#reading);
  }

  #hold(before: Stage, one: Held): void {
    const { from, held } = this.#pending;
    this.#pending = held.length === 0 ? { from: before, held: [one] } : { from, held: [...held, one] };
  }

  #release(): readonly Message[] {
    const parts = release(this.#pending, this.#dialect).map(part => this.#reading.number(part));
    this.#pending = { from: this.#state.stage, held: [] };
    return parts;
  }
}

interface Attempt {
  readonly events: readonly DictValue[];
  readonly state: StreamState;
  readonly pending: Pending;
}

/** Writes parts one by one. */
export class EventWriter implements StreamWriter {
  readonly #dialect: StreamDialect;
  readonly #writing: Writing;
  #state: StreamState;
  #pending: Pending;

  constructor(dialect: StreamDialect, writing: Writing) {
    this.#dialect = dialect;
    this.#writing = writing;
    this.#state = dialect.start;
    this.#pending = { from: this.#state.stage, held: [] };
  }

  push(part: Message): readonly Value[] {
    if (this.#state.stage.at === 'ended') {
      this.#state = this.#dialect.start;
      this.#pending = { from: this.#state.stage, held: [] };
    }
    const attempt = this.#tryNatural(part) ?? this.#carry(part);
    this.#state = attempt.state;
    this.#pending = attempt.pending;
    return attempt.events;
  }

  end(): readonly Value[] {
    return [];
  }

  /** The events of a part as the protocol tells it; undefined where they would not be read as this part. */
  #tryNatural(part: Message): Attempt | undefined {
    const open = unpack(part, this.#dialect.protocol);
    const event = open.rest.takeKind('event', 'dict');
    const patch = open.rest.takeKind('members', 'dict');
    const step = this.#stepOf(part, open.fields);
    if (open.rest.size > 0 || (event && patch) || !step) return undefined;
    // An end without a beginning is read as a whole reply.
    if (event && this.#state === this.#dialect.start) {
      const { name } = this.#dialect.classify(event, this.#state);
      if (name === 'final' || name === 'failed') return undefined;
    }
    const path = event ? [] : pathTo(this.#state.stage, staged(step), this.#dialect);
    if (!path) return undefined;
    let state = this.#state;
    const events: DictValue[] = [];
    const held: Held[] = [];
    for (const { name, type } of path) {
      const implied = this.#impliedStep(name, type);
      const derived = this.#dialect.derive(state, implied);
      if (!derived) return undefined;
      events.push(derived);
      held.push({ step: { name, type }, part });
      state = this.#dialect.observe(state, derived, implied);
    }
    const own = event ?? this.#dialect.derive(state, step);
    if (!own) return undefined;
    const isContent = part.fields.content !== undefined && !open.fields.peek('content');
    const packed = packEnvelope({ ...open, rest: new Members(undefined) });
    const envelope = isContent
      ? dictValue([...(packed?.entries ?? []), { key: AS, value: CONTENT }])
      : packed;
    const patched = patch ? joinDicts(own, patch) : own;
    const last = withEnvelope(patched.kind === 'dict' ? patched : own, envelope);
    return this.#check(part, { events: [...events, last], state, held });
  }

  #impliedStep(name: StepName, type: string): Step {
    if (name === 'open') return { name, item: DEFAULT_ITEM };
    return name === 'begin' ? { name, item: dictOf({ type: textValue(type) }) } : { name };
  }

  /** Reads what is to be written; sets it apart from what is held back before it where that would be taken for its way. */
  #check(
    part: Message,
    { events, state, held }: { events: readonly DictValue[]; state: StreamState; held: readonly Held[] },
  ): Attempt | undefined {
    const last = events.at(-1);
    if (!last) return undefined;
    const reading = silentReading(this.#writing);
    const from = this.#state.stage;
    const meant = interpret(last, state, { from, held }, this.#dialect, reading);
    const isSame = isSameMessage(reading.number(meant.part), reading.number(part));
    if (!isSame || (meant.isApart && held.length > 0)) return undefined;
    const { held: before } = this.#pending;
    const first = held[0]?.step ?? staged(meant.step);
    const isNext = before.length > 0 && leadsTo(this.#pending, first, this.#dialect);
    const after = this.#dialect.observe(state, meant.event, meant.step);
    const own = { step: staged(meant.step), part };
    const pending = meant.isHeld ? { from, held: [...held, own] } : { from: after.stage, held: [] };
    return { events: isNext ? setApart(events) : events, state: after, pending };
  }

  #carry(part: Message): Attempt {
    const envelope = wholeEnvelope(part, 'chunk') ?? dictValue([]);
    const bare = this.#dialect.carrier(this.#state);
    const event = withEnvelope(bare, envelope);
    const after = afterPart(this.#dialect.observe(this.#state, bare, { name: 'other' }), part);
    return { events: [event], state: after, pending: { from: after.stage, held: [] } };
  }

  /** Takes what a part says as a step out of its fields; undefined for a part that is none. */
  #stepOf(part: Message, fields: ReturnType<typeof unpack>['fields']): Step | undefined {
    if (part.kind === 'end') return { name: 'final' };
    if (part.kind === 'error') {
      const { code, text, data } = writeError(fields, this.#dialect.protocol, this.#writing.report);
      return { name: 'failed', error: dictOf({ code, message: textValue(text), data }) };
    }
    if (part.kind !== 'chunk') return undefined;
    const event = fields.takeKind('event', 'text')?.text;
    const name = event === undefined ? 'text' : EVENTS.find(row => row.event === event)?.step;
    if (name === undefined || fields.peek('event')) return undefined;
    const items = fields.peek('items');
    const item = items?.kind === 'list' && items.items.length === 1 ? items.items[0] : undefined;
    if (item) fields.take('items');
    const isPlain = name === 'text' && !fields.peek('data');
    const text = isPlain ? fields.takeKind('content', 'text') : fields.takeKind('data', 'text');
    if (name === 'text' && (!text || item)) return undefined;
    return { name, item, text };
  }
}
