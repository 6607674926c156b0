import type { AiclRuleCode } from '../../core/catalog/aicl-rules.ts';
import type { ValueKind } from '../../core/catalog/aicl.ts';
import type { Issue } from '../../core/text/issue.ts';
import type { Span } from '../../core/text/span.ts';
import type { PartList } from './parts.ts';

/**
 * An independent part of a file: a message, a fragment of one (a value or a run of pairs), a container line,
 * or foreign text. Units do not overlap; only white space is between them.
 */
export interface Unit extends UnitContent {
  readonly start: number;
  readonly end: number;
}

/** The position-independent content of a unit, unchanged by edits elsewhere in the file. */
export interface UnitContent {
  readonly kind: UnitKind;
  readonly length: number;
  /** The length of text, from its start, on which the reading depends; more than `length`. */
  readonly readLength: number;
  /** True if the unit contains a line end. */
  readonly isMultiline: boolean;
  /** True if the unit is valid by the grammar. */
  readonly isAccepted: boolean;
  readonly summary: MessageSummary;
  /** Its issues, with offsets from its start. */
  readonly issues: readonly Issue<AiclRuleCode>[];
  /** The lexemes of a long unit, from the time when it was read. */
  readonly parts?: PartList;
}

export type UnitKind = 'message' | 'fragment' | 'container' | 'foreign';

/**
 * The data of a message that is available without reading it again: for lists, lenses, and relations to other
 * messages. Texts are empty if the field is missing. Offsets are relative to the unit's start.
 */
export interface MessageSummary {
  readonly messageType: string;
  readonly session: string;
  /** The tool, query or task, as shown in lists of calls. */
  readonly title: string;
  /** The start of the value of `msg_type`; -1 without one. */
  readonly typeAt: number;
  /** The type that a query requests in `data_format`. */
  readonly wantedKind: ValueKind | undefined;
  /** The kind of the value of `data` or `content`, and its start; -1 without one. */
  readonly dataKind: ValueKind | undefined;
  readonly dataAt: number;
  /** True if the message has a signature, which a change of the message invalidates. */
  readonly isSigned: boolean;
  /** Its position in a stream, if it is a chunk. */
  readonly chunk: ChunkSummary | undefined;
}

/** A chunk, and the span of its stream id. */
export interface ChunkSummary extends StreamId, Span {}

/** A chunk of a stream, as identified by its stream id. */
export interface StreamId {
  readonly stream: string;
  /** This is the k-th chunk of n, counted from 1. */
  readonly k: number;
  readonly n: number;
}

/** Reads `name_k/n` with 1 <= k <= n (reading of LightAICL 3.3); undefined for any other form. */
export function parseStreamId(source: string): StreamId | undefined {
  const [, stream, k, n] = /^(.+)_(\d{1,15})\/(\d{1,15})$/s.exec(source) ?? [];
  if (stream === undefined || Number(k) < 1 || Number(k) > Number(n)) return undefined;
  return { stream, k: Number(k), n: Number(n) };
}

/**
 * True for the chunk after `count` others of its stream, if both they and it declare one chunk more: the sender does not
 * know yet how many there will be.
 */
export function growsTotal(count: number, total: number, { k, n }: StreamId): boolean {
  return total === count + 1 && k === total && n === k + 1;
}
