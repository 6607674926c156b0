import { CallDetails, readEnd, type CallEnd } from './call-details.ts';
import { CallTraffic } from './call-traffic.ts';
import type {
  AttributesEvent,
  CallEvent,
  CallStatus,
  EndEvent,
  HeadEvent,
  IdentityEvent,
  NoteEvent,
  TokenUsage,
  TraceEvent,
  TraceName,
  WireEvent,
} from '../../core/events/events.ts';
import { compareDetails } from '../../core/events/in-order.ts';
import { markOf, type MarkEvent, type PayloadPlace } from '../../core/events/payload.ts';
import { Siblings } from './siblings.ts';
import type { TraceGroup } from './trace-group.ts';
import type { CallNode, Parentage, Traffic } from './tree.ts';

/** An event of a call after its first one. */
export type CallDetail = Exclude<TraceEvent, CallEvent> | MarkEvent;

const NONE: readonly never[] = [];

/** The position of a call in its trace. */
export interface CallPlace {
  readonly parent: CallRecord | undefined;
  readonly parentage: Parentage;
  readonly trace: string | undefined;
  readonly isView: boolean;
  readonly depth: number;
  readonly seenDepth: number | undefined;
  readonly entered: CallRecord | undefined;
  readonly remarks: readonly string[];
}

const BACKWARDS = 'By its recorded times it ended before it began; its duration is shown as 0';

/** A call that takes events, with its position in the trace. Only the fold writes to it. */
export class CallRecord implements CallNode {
  /** The call as it began. */
  #begun: CallEvent;
  /** The call with what was learned later. */
  call: CallEvent;
  readonly #traffic: CallTraffic;
  /** The number of events received in sequence; `#details` checks the numbers once one is out of sequence. */
  #counted = 0;
  #end: CallEnd | undefined;
  #details: CallDetails | undefined;

  parent: CallRecord | undefined;
  parentage: Parentage = 'root';
  group: TraceGroup | undefined;
  home: object | undefined;
  slot = -1;
  /** True if it began before its caller by their clocks, or one of its ancestors did. */
  isAhead = false;
  isView = false;
  depth = 0;
  /** The number of calls above it in the tree; undefined without a parent. */
  seenDepth: number | undefined;
  /** The nearest ancestor that is a call to the same agent. */
  entered: CallRecord | undefined;
  /** Irregularities of its position; cleared with the position. */
  #remarks: readonly string[] = NONE;
  #children: Siblings<CallRecord> | undefined;

  /** The latest beginning of a call that considered this one as its caller. */
  consideredAt: number | undefined;
  /** When the last of the callers ended that were ruled out because they did not wait for this call. */
  ruledOutUntil: number | undefined;

  constructor(event: CallEvent) {
    this.#begun = event;
    this.call = event;
    this.#traffic = new CallTraffic(event.at);
  }

  /** Takes an event, with its payload if payloads are stored here. Returns whether it was new. */
  take(event: CallDetail, payloads: PayloadPlace): boolean {
    if (event.seq !== undefined && !this.#isNew(event.seq)) return false;
    switch (event.type) {
      case 'mark':
        this.#traffic.take(event);
        break;
      case 'head':
      case 'wire':
        this.#traffic.take(markOf(event));
        if (payloads === 'held') this.#detailed().keep(event);
        break;
      case 'note':
        this.note(event);
        break;
      case 'attributes':
        this.#detailed().addAttributes(event);
        break;
      case 'identity':
        this.#learn(event);
        break;
      case 'end':
        this.#takeEnd(event);
        break;
    }
    return true;
  }

  /** Drops heads and bytes. */
  dropPayload(): void {
    this.#details?.dropPayload();
  }

  /**
   * Handles another call with the same id: an observed call takes precedence over a span from elsewhere, else
   * the earlier one counts. Returns whether the other one does.
   */
  meet(other: CallEvent): boolean {
    const { at, trace, reported = false } = this.#begun;
    const isOneObserved = reported !== (other.reported ?? false);
    if (other.at === at && other.trace === trace && !isOneObserved) return false;
    const isEarlier = isOneObserved ? reported : other.at < at || (other.at === at && other.trace < trace);
    const text = 'Another call has this id; it is left out';
    this.note({ type: 'note', call: other.call, at: Math.max(at, other.at), text });
    this.#traffic.see(other.at);
    if (!isEarlier) return false;
    this.#begun = other;
    this.#learnAll();
    return true;
  }

  note(event: NoteEvent): void {
    this.#detailed().note(event);
  }

  get status(): CallStatus {
    return this.#end?.status ?? 'open';
  }
  get duration(): number | undefined {
    const end = this.#end;
    // The difference of unrealistic times may exceed the range of numbers.
    return end && Math.min(Number.MAX_VALUE, Math.max(0, end.at - this.call.at));
  }
  /** When it ended; Infinity while it is open. */
  get until(): number {
    const end = this.#end;
    return end ? Math.max(this.call.at, end.at) : Infinity;
  }
  get code(): string | undefined {
    return this.#end?.code;
  }
  get message(): string | undefined {
    return this.#end?.message;
  }
  get usage(): TokenUsage | undefined {
    return this.#end?.usage;
  }
  get attributes(): AttributesEvent['attributes'] {
    return this.#details?.attributes ?? NONE;
  }
  get notes(): readonly string[] {
    const notes = [
      ...this.#remarks,
      ...(this.seenDepth === undefined || this.seenDepth === this.depth
        ? NONE
        : [`It carries the depth ${this.depth} and is at depth ${this.seenDepth}`]),
      ...(this.#end && this.#end.at < this.call.at ? [BACKWARDS] : NONE),
      ...(this.#details?.notes ?? NONE),
      ...(this.#details?.laterEnds ?? NONE).map(
        ({ status }) => `It ended again, as ${status}; the first end counts`,
      ),
    ];
    // Notes on the position may also come from a file that an export wrote.
    return notes.length < 2 ? notes : [...new Set(notes)];
  }
  get payload(): readonly (HeadEvent | WireEvent)[] {
    return this.#details?.payload ?? NONE;
  }
  get heads(): readonly HeadEvent[] {
    return this.payload.filter(event => event.type === 'head');
  }
  get wire(): readonly WireEvent[] {
    return this.payload.filter(event => event.type === 'wire');
  }
  get traffic(): Traffic {
    return this.#traffic;
  }
  get names(): readonly TraceName[] {
    const { trace, call, names = NONE } = this.call;
    return [{ scheme: 'w3c', trace, id: call }, ...names];
  }
  get children(): readonly CallRecord[] {
    return this.#children?.all ?? NONE;
  }

  get cycle(): readonly string[] | undefined {
    const { entered } = this;
    if (!entered) return undefined;
    const agents = [this.call.agent];
    for (let at = this.parent; at; at = at.parent) {
      if (!at.isView && !at.call.back) agents.push(at.call.agent);
      if (at === entered) break;
    }
    return agents.reverse();
  }

  get isCycleInferred(): boolean {
    const { entered } = this;
    if (!entered) return false;
    let isInferred = this.parentage === 'inferred';
    for (let at = this.parent; at && at !== entered; at = at.parent)
      isInferred ||= at.parentage === 'inferred';
    return isInferred;
  }

  /** Its current position, for comparison with a later one. */
  get place(): CallPlace {
    const { parent, parentage, isView, depth, seenDepth, entered } = this;
    return {
      parent,
      parentage,
      trace: this.group?.trace,
      isView,
      depth,
      seenDepth,
      entered,
      remarks: this.#remarks,
    };
  }

  /** Notes an irregularity of its position. */
  remark(text: string): void {
    if (!this.#remarks.includes(text)) this.#remarks = [...this.#remarks, text];
  }

  /** Adds a child. */
  adopt(child: CallRecord): void {
    (this.#children ??= new Siblings()).add(child);
  }

  /** Resets its position and children; its events stay. */
  uproot(): void {
    this.#children?.clear();
    this.home = undefined;
    this.parent = undefined;
    this.parentage = 'root';
    this.group = undefined;
    this.isAhead = false;
    this.isView = false;
    this.depth = 0;
    this.seenDepth = undefined;
    this.entered = undefined;
    this.#remarks = NONE;
    this.consideredAt = undefined;
    this.ruledOutUntil = undefined;
  }

  #detailed(): CallDetails {
    return (this.#details ??= new CallDetails());
  }

  #isNew(seq: number): boolean {
    if (this.#details?.isOutOfOrder || seq > this.#counted + 1)
      return this.#detailed().isNew(seq, this.#counted + 1);
    if (seq <= this.#counted) return false;
    this.#counted = seq;
    return true;
  }

  #learn(event: IdentityEvent): void {
    if (this.#detailed().learn(event)) this.#learnAll();
  }

  #learnAll(): void {
    this.call = this.#details?.complete(this.#begun) ?? this.#begun;
  }

  #takeEnd(event: EndEvent): void {
    this.#traffic.see(event.at);
    const end = readEnd(event);
    if (!this.#end) {
      this.#traffic.trim();
      this.#details?.trim();
      this.#end = end;
      return;
    }
    const details = this.#detailed();
    const ends = [this.#end, ...details.laterEnds, end].sort(compareEnds);
    const firsts = ends.filter(({ status }, at) => ends.findIndex(other => other.status === status) === at);
    [this.#end, ...details.laterEnds] = firsts;
  }
}

/** By their times, which may come from the clocks of two sides, then by sequence number. */
function compareEnds(one: CallEnd, other: CallEnd): number {
  return one.at - other.at || compareDetails(one, other);
}

/** True for equal positions. */
export function isSamePlace(one: CallPlace, other: CallPlace): boolean {
  return (
    one.parent === other.parent &&
    one.parentage === other.parentage &&
    one.trace === other.trace &&
    one.isView === other.isView &&
    one.depth === other.depth &&
    one.seenDepth === other.seenDepth &&
    one.entered === other.entered &&
    one.remarks.length === other.remarks.length &&
    one.remarks.every((text, index) => text === other.remarks[index])
  );
}
