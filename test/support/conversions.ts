import { ALL_PROTOCOLS } from '../../protocols/all.ts';
import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { findConversion, type ConversionName } from '../../core/catalog/conversions.ts';
import { convertText, type Converted } from '../../protocols/convert/convert.ts';
import { readMessages } from '../../protocols/convert/read-text.ts';
import { Report } from '../../core/message/report.ts';
import { shapeOf } from '../../protocols/convert/shapes.ts';
import { areOfOneReply, isOfValue, joinReply } from '../../protocols/event-stream/joined.ts';
import { writeMessages } from '../../protocols/convert/write-text.ts';
import type { ToolTable } from '../../language/tools.ts';
import { meansSame } from './means-same.ts';
import { withoutField, type Message } from '../../core/message/message.ts';

export const NO_TOOLS: ToolTable = { isComplete: false, tools: new Map() };

/** The tool that generated messages call, as `test/support/message-arbitrary.ts` names it, with arguments of every type. */
export const DECLARED: ToolTable = readMessages(
  'TOOL|plan.trip|Plans a trip|city:string|days:integer|budget:number?|fast:boolean?|options:object?|tags:array?|extra:any?\n',
  { protocols: ALL_PROTOCOLS, report: new Report() },
).tools;

/** Messages in a protocol's own text. */
function sayIn(protocol: ConversionName, messages: readonly Message[], tools: ToolTable): string {
  const source = {
    messages: messages.map(message => ({ message, protocol, span: { start: 0, end: 0 } })),
    tools,
  };
  return writeMessages(source, {
    protocols: ALL_PROTOCOLS,
    to: protocol,
    layout: 'compact',
    report: new Report(),
  }).text;
}

/** The text of messages as this protocol can say them: what it cannot is gone already, so its text reads without a loss. */
export function settleIn(protocol: ConversionName, messages: readonly Message[], tools: ToolTable): string {
  return sayIn(protocol, readIn(protocol, sayIn(protocol, messages, tools), tools), tools);
}

/** The messages of a text in a protocol. */
export function readIn(protocol: ConversionName, text: string, tools: ToolTable): readonly Message[] {
  return readMessages(text, {
    protocols: ALL_PROTOCOLS,
    from: protocol,
    tools,
    report: new Report(),
  }).messages.map(source => source.message);
}

/** True for messages that mean the same, one by one. */
export function areSameMessages(one: readonly Message[], other: readonly Message[]): boolean {
  return (
    one.length === other.length &&
    one.every((message, at) => {
      const same = other[at];
      return same !== undefined && meansSame(message, same);
    })
  );
}

/**
 * Messages as a protocol can say them whose replies come whole: the parts of a stream as the reply that they amount to.
 * In AICF this holds from the first part on that is no text.
 */
function wholeIn(protocol: ConversionName, messages: readonly Message[]): readonly Message[] {
  const hasTexts = protocol === 'aicf';
  if (findConversion(protocol)?.stream && !hasTexts) return messages;
  const isWhole = (each: Message): boolean => shapeOf(ALL_PROTOCOLS, protocol)?.hasPart?.(each) === true;
  const whole: Message[] = [];
  let parts: Message[] = [];
  const flush = (): void => {
    // What comes before an error has no place beside it.
    const before = parts.at(-1)?.kind === 'error' ? parts.slice(0, -1) : [];
    if (before.length > 0) whole.push(joinReply(before, new Report()));
    if (parts.length > 0) whole.push(joinReply(parts, new Report()));
    parts = [];
  };
  for (const each of messages) {
    const isWithin = parts.length > 0;
    const begins = hasTexts
      ? isOfValue(each)
      : each.kind === 'end' || (each.kind === 'chunk' && !isWhole(each));
    const isPart = begins || (isWithin && ['chunk', 'end', 'error'].includes(each.kind) && !isWhole(each));
    const [first] = parts;
    if (!isPart || (first && !areOfOneReply(first, each))) flush();
    if (!isPart) whole.push(each);
    else {
      parts.push(each);
      if (each.kind !== 'chunk') flush();
    }
  }
  flush();
  return whole;
}

/** A text of one protocol in another one and back. */
export interface Journey {
  readonly there: Converted;
  readonly before: readonly Message[];
  readonly after: readonly Message[];
  readonly isSame: boolean;
  /** False where `isSame` ignores the ids: those of streams are numbered anew. */
  readonly hasIds: boolean;
  /** Everything, for who has to find out what went wrong. */
  describe(): string;
}

/** Converts a text there and back, and reads what it said before and after. */
export function travel(text: string, from: ConversionName, to: ConversionName, tools: ToolTable): Journey {
  const there = convertText(text, { protocols: ALL_PROTOCOLS, from, to, layout: 'compact', tools });
  const back = convertText(there.text, {
    protocols: ALL_PROTOCOLS,
    from: to,
    to: from,
    layout: 'compact',
    tools,
  });
  const before = readIn(from, text, tools);
  const after = readIn(from, back.text, tools);
  // A stream that does not end leaves its request open, and so another reply to it has the same id.
  const hasIds = !before.some(({ kind }) => kind === 'chunk' || kind === 'end');
  const sides = [before, after].map(each =>
    wholeIn(to, each).map(one => (hasIds ? one : withoutField(one, 'id'))),
  ) as [Message[], Message[]];
  return {
    there,
    before,
    after,
    isSame: areSameMessages(...sides),
    hasIds,
    describe: () =>
      [
        `${from}: ${text}`,
        `${to}: ${there.text}`,
        ...there.losses.map(({ kind, path, message }) => `  ${path}: ${kind}: ${message}`),
        `${from}: ${back.text}`,
        ...back.losses.map(({ kind, path, message }) => `  ${path}: ${kind}: ${message}`),
        show(before),
        show(after),
      ].join('\n'),
  };
}

/** Messages as text, with all that is in them. */
function show(value: unknown): string {
  return inspect(value, { depth: null, breakLength: 200 });
}

/**
 * Holds a journey to the law of the report: same if it says nothing, not the same if it says that something is lost. What is
 * moved may be read as what it was, and what is guessed is.
 */
export function checkReport(journey: Journey): void {
  const { losses, unreported } = journey.there;
  if (losses.length === 0)
    assert.ok(journey.isSame, `nothing is reported, yet it changed\n${journey.describe()}`);
  // Names and media types that are dropped may be guessed again; news and ids of a stream are none of the reply that it is.
  const isAside = (path: string): boolean => /\b(?:arguments|event|id|mimeType)$/.test(path);
  const isInId = (path: string): boolean => /^(?:\[\d+\]\.)?id\b/.test(path);
  const isLost =
    unreported > 0 ||
    losses.some(
      ({ kind, path }) =>
        (kind === 'dropped' && !isAside(path)) || (kind === 'rounded' && (journey.hasIds || !isInId(path))),
    );
  if (isLost) assert.ok(!journey.isSame, `a loss is reported, yet nothing changed\n${journey.describe()}`);
}
