import type { Message } from '../../core/message/message.ts';
import { isSameMessage } from '../message/same-message.ts';
import { dictValue, textValue, type DictValue, type Value } from '../../core/values/value.ts';
import { wholeEnvelope } from '../conversation/meaning.ts';
import { dictOf, silentReading } from '../conversation/verified.ts';
import { joinDicts, packEnvelope, unpack } from '../message/envelope.ts';
import { writeError } from '../errors/errors.ts';
import { Members } from '../message/members.ts';
import type { StreamWriter, Writing } from '../message/shape.ts';
import { setApart, withEnvelope } from './apart.ts';
import { afterPart, DEFAULT_ITEM, type Step, type StreamDialect, type StreamState } from './dialect.ts';
import { AS, CONTENT, EVENTS, interpret } from './meaning.ts';
import { leadsTo, staged, type Held, type Pending } from './pending.ts';
import { pathTo, type StepName } from './stages.ts';

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
    if (event && this.#state === this.#dialect.start && this.#dialect.isWhole(event)) {
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
