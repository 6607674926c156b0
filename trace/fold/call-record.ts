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
import { markOf, type MarkEvent, type PayloadPlace } from '../../core/events/marks.ts';
import { Siblings } from './siblings.ts';
import type { TraceGroup } from './trace-group.ts';
import type { CallNode, Parentage, Traffic } from './tree.ts';

/** An event of a call after its first one. */
export type CallDetail = Exclude<TraceEvent, CallEvent> | MarkEvent;

const NONE: readonly never[] = [];

/** Where a call stands. */
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

const BACKWARDS = 'It ended before it began, by the clocks that tell it; its duration is taken for 0';

/** A call that still takes events: what it was told, and where it stands. Only the fold writes to it. */
export class CallRecord implements CallNode {
  /** As it began. */
  #begun: CallEvent;
  /** With what was learned in place. */
  call: CallEvent;
  readonly #traffic: CallTraffic;
  /** So many events came one after the other, by their numbers; the check is there from the first that did not. */
  #counted = 0;
  #end: CallEnd | undefined;
  #details: CallDetails | undefined;

  parent: CallRecord | undefined;
  parentage: Parentage = 'root';
  group: TraceGroup | undefined;
  home: object | undefined;
  slot = -1;
  /** True where it began before its caller by their clocks, or a call above it did. */
  isAhead = false;
  isView = false;
  depth = 0;
  /** The count of calls above it as the tree has it, where it has any. */
  seenDepth: number | undefined;
  /** The nearest call above it by which its agent was entered before. */
  entered: CallRecord | undefined;
  /** What is odd about its place; it goes when the place does. */
  #remarks: readonly string[] = NONE;
  #children: Siblings<CallRecord> | undefined;

  /** The latest call that was placed while this one was looked at as its caller. */
  consideredAt: number | undefined;
  /** When the last of the calls ended that did not wait for this one; undefined where there was none. */
  ruledOutUntil: number | undefined;

  constructor(event: CallEvent) {
    this.#begun = event;
    this.call = event;
    this.#traffic = new CallTraffic(event.at);
  }

  /** Takes an event, its payload too where that is kept. Answers whether it told anything new. */
  take(event: CallDetail, payloads: PayloadPlace): boolean {
    if (event.seq !== undefined && !this.#isNew(event.seq)) return false;
    switch (event.type) {
      case 'mark':
        this.#traffic.take(event);
        break;
      case 'head':
      case 'wire':
        this.#traffic.take(markOf(event));
        if (payloads === 'kept') this.#detailed().keep(event);
        break;
      case 'note':
        this.note(event);
        break;
      case 'attributes':
        this.#detailed().tell(event);
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

  /** Forgets heads and bytes. */
  dropPayload(): void {
    this.#details?.dropPayload();
  }

  /**
   * Another call came with this id: of the two the one that was heard counts before one that was told of, else the earlier one.
   * Answers whether that is the other one.
   */
  meet(other: CallEvent): boolean {
    const { at, trace, told = false } = this.#begun;
    const isHeard = told !== (other.told ?? false);
    if (other.at === at && other.trace === trace && !isHeard) return false;
    const isEarlier = isHeard ? told : other.at < at || (other.at === at && other.trace < trace);
    const text = 'Another call came with this id; it is left out';
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
    // Between times that no clock tells there may be more than a number holds.
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
        : [`It carries the depth ${this.depth} and stands at depth ${this.seenDepth}`]),
      ...(this.#end && this.#end.at < this.call.at ? [BACKWARDS] : NONE),
      ...(this.#details?.notes ?? NONE),
      ...(this.#details?.laterEnds ?? NONE).map(
        ({ status }) => `It ended again, as ${status}; the first end counts`,
      ),
    ];
    // What was found of its place may stand in a file too, where an export wrote it.
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

  /** Where it stands, to be compared with where it stands later. */
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

  /** Says what is odd about its place. */
  remark(text: string): void {
    if (!this.#remarks.includes(text)) this.#remarks = [...this.#remarks, text];
  }

  /** Puts a call without a caller below this one. */
  adopt(child: CallRecord): void {
    (this.#children ??= new Siblings()).add(child);
  }

  /** Takes it and all its children out of their places. Its events stay. */
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

/** By their times, as clocks of two sides tell them, then by their numbers. */
function compareEnds(one: CallEnd, other: CallEnd): number {
  return one.at - other.at || compareDetails(one, other);
}

/** True where a call stands where it stood before. */
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
