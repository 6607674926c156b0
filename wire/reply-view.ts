import { countOf, showCount } from '../core/text/count.ts';
import { parseJson } from '../core/text/json.ts';
import type { CallStatus } from '../core/events/events.ts';
import {
  PART_WORDS,
  type PartKind,
  type PartMedium,
  type ReplyParts,
  type TracePart,
} from '../protocols/reply-parts/part.ts';
import { describeCall, firstWords, outcomeOfPart } from '../trace/part-words.ts';

interface PieceBase {
  /** The id of its part, with a suffix if the part has several pieces. */
  readonly id: string;
  readonly status: CallStatus;
  readonly notes: readonly string[];
}

/** Text that is read. Long text was cut if `hidden` is not 0. */
export interface TextPiece extends PieceBase {
  readonly type: 'text';
  readonly format: 'markdown' | 'plain';
  readonly text: string;
  readonly hidden: number;
}

/** JSON, laid out by the page. */
export interface JsonPiece extends PieceBase {
  readonly type: 'json';
  readonly title: string;
  readonly text: string;
  readonly hidden: number;
}

export interface MediumPiece extends PieceBase {
  readonly type: 'medium';
  readonly title: string;
  readonly medium: PartMedium;
}

export interface ErrorPiece extends PieceBase {
  readonly type: 'error';
  /** Empty if the agent states none. */
  readonly code: string;
  readonly text: string;
}

/** A question of the agent to its caller. */
export interface QuestionPiece extends PieceBase {
  readonly type: 'question';
  readonly title: string;
  readonly content: readonly ReplyPiece[];
}

export interface ProgressPiece extends PieceBase {
  readonly type: 'progress';
  readonly words: string;
  /** The completed share from 0 to 1; undefined if the agent states no total. */
  readonly share: number | undefined;
  /** Its messages, one a line. */
  readonly text: string;
}

/** The name of an artifact, or the role of a message that is not the assistant's. */
export interface HeadingPiece extends PieceBase {
  readonly type: 'heading';
  readonly text: string;
}

/** A line that unfolds: reasoning, a tool call, a log line. */
export interface RowPiece extends PieceBase {
  readonly type: 'row';
  readonly kind: PartKind;
  readonly title: string;
  /** What came of it and how long it took, such as `18 °C · 95 ms`. */
  readonly outcome: string;
  readonly content: readonly ReplyPiece[];
}

export type ReplyPiece =
  | TextPiece
  | JsonPiece
  | MediumPiece
  | ErrorPiece
  | QuestionPiece
  | ProgressPiece
  | HeadingPiece
  | RowPiece;

/** A reply as a person reads it, from top to bottom. */
export interface ReplyView {
  readonly pieces: readonly ReplyPiece[];
  readonly notes: readonly string[];
}

/** What a reply says is Markdown; what a machine reports is plain text. */
const WRITTEN: ReadonlySet<PartKind> = new Set<PartKind>([
  'message',
  'text',
  'reasoning',
  'refusal',
  'artifact',
  'stream',
  'chunk',
  'result',
  'media',
]);

/** Longer texts are JSON if they look like it, because reading them takes too long. */
const LONGEST_PARSED = 200_000;

/** The parts of a reply as pieces. All views of replies are made from them. */
export function viewReply({ parts, notes }: ReplyParts): ReplyView {
  const earlier = parts.filter(({ kind }) => kind === 'exchange');
  const own = parts.filter(({ kind }) => kind !== 'exchange');
  const before = earlier.length === 0 ? [] : [viewEarlier(earlier)];
  return { pieces: [...viewParts(own), ...before], notes };
}

function viewEarlier(parts: readonly TracePart[]): RowPiece {
  const content = parts.map(part => row(part, part.title, viewContent(part)));
  const outcome = countOf(parts.length, 'exchange');
  const base = { id: 'before', status: 'ok' as const, notes: [] };
  return { ...base, type: 'row', kind: 'exchange', title: 'Before the call', outcome, content };
}

/** The output of a tool is shown with its call. */
function viewParts(parts: readonly TracePart[]): readonly ReplyPiece[] {
  const calls = new Set(parts.flatMap(({ kind, callId }) => (kind === 'tool' ? (callId ?? []) : [])));
  const outputs = new Map<string, TracePart>();
  for (const part of parts)
    if (part.kind === 'output' && part.callId !== undefined && !outputs.has(part.callId))
      outputs.set(part.callId, part);
  return parts.flatMap(part => {
    const { kind, callId = '' } = part;
    if (kind === 'output' && calls.has(callId) && outputs.get(callId) === part) return [];
    return kind === 'tool' ? [viewTool(part, outputs.get(callId))] : viewPart(part);
  });
}

function viewPart(part: TracePart): readonly ReplyPiece[] {
  const { kind, title, children } = part;
  switch (kind) {
    case 'message':
    case 'artifact':
      return [...heading(part), ...viewContent(part), ...viewParts(children)];
    case 'text':
    case 'result':
    case 'refusal':
    case 'data':
    case 'media':
    case 'error':
      return [...viewContent(part), ...viewParts(children)];
    case 'stream':
      return part.text === undefined
        ? children.flatMap(viewContent)
        : [...viewContent(part), viewChunks(part)];
    case 'request':
    case 'approval':
      return [{ ...baseOf(part), type: 'question', title, content: viewContent(part) }];
    case 'progress':
      return part.status === 'open'
        ? [viewProgress(part)]
        : [row(part, viewProgress(part).words, viewContent(part))];
    case 'reasoning':
      return [row(part, PART_WORDS.reasoning, [...viewContent(part), ...viewParts(children)])];
    default:
      return [
        row(part, [PART_WORDS[kind], title].filter(Boolean).join(' '), [
          ...viewContent(part),
          ...viewParts(children),
        ]),
      ];
  }
}

/** The content of a part itself, without its children. */
export function viewContent(part: TracePart): readonly ReplyPiece[] {
  const { kind, title, text, hidden = 0, medium } = part;
  const base = baseOf(part);
  if (kind === 'error') return [{ ...base, type: 'error', code: title, text: text ?? '' }];
  if (medium) return [{ ...base, type: 'medium', title, medium }];
  if (text === undefined) return base.notes.length === 0 ? [] : [textPiece(part, '')];
  if (kind !== 'data' && !looksLikeJson(text)) return [textPiece(part, text)];
  return [{ ...base, type: 'json', title: kind === 'data' ? title : '', text, hidden }];
}

function textPiece(part: TracePart, text: string): TextPiece {
  const format = WRITTEN.has(part.kind) ? 'markdown' : 'plain';
  return { ...baseOf(part), type: 'text', format, text, hidden: part.hidden ?? 0 };
}

function viewTool(part: TracePart, output: TracePart | undefined): RowPiece {
  const { title, text = '', children } = part;
  const results = output ? [...children, output] : children;
  const answer = results.find(({ kind }) => kind === 'output')?.text;
  const content = [
    ...viewContent(part),
    ...results.flatMap(part => [...viewContent(part), ...viewParts(part.children)]),
  ];
  const call = `Called ${describeCall(title || 'a tool', text)}`;
  const said = answer === undefined ? '' : `→ ${firstWords(answer)}`;
  const until = output ? { ...part, until: Math.max(part.until, output.until) } : part;
  const outcome = [said, outcomeOfPart(until)].filter(Boolean).join(' · ');
  return { ...baseOf(part), type: 'row', kind: 'tool', title: call, outcome, content };
}

function viewChunks(part: TracePart): RowPiece {
  const { id, children } = part;
  const content = children.map(chunk => row(chunk, `Chunk ${chunk.title}`, viewContent(chunk)));
  const title = countOf(children.length, 'chunk');
  return {
    id: `${id} chunks`,
    status: 'ok',
    notes: [],
    type: 'row',
    kind: 'chunk',
    title,
    outcome: '',
    content,
  };
}

function viewProgress(part: TracePart): ProgressPiece {
  const { title, text = '' } = part;
  const [, done, total] = /^([\d,.]+) of ([\d,.]+)$/.exec(title) ?? [];
  const [at, of] = [done, total].map(each => Number((each ?? '').replaceAll(',', '')));
  const share = at !== undefined && of ? Math.max(0, Math.min(1, at / of)) : undefined;
  const last = text.split('\n').at(-1) ?? '';
  const words = [title === '' ? '' : `Step ${title}`, last].filter(Boolean).join(': ');
  return { ...baseOf(part), type: 'progress', words: words || PART_WORDS.progress, share, text };
}

function row(part: TracePart, title: string, content: readonly ReplyPiece[]): RowPiece {
  const { kind, text } = part;
  const size = kind === 'reasoning' && text !== undefined ? sizeOf(text) : '';
  const isSaid = kind === 'reasoning' || kind === 'progress' || text === undefined;
  const said = isSaid ? size : firstWords(text);
  const outcome = [said, outcomeOfPart(part)].filter(Boolean).join(' · ');
  return { ...baseOf(part), type: 'row', kind, title, outcome, content };
}

function sizeOf(text: string): string {
  if (text.length > LONGEST_PARSED) return `${showCount(text.length)} characters`;
  return countOf(text.match(/\S+/g)?.length ?? 0, 'word');
}

function heading(part: TracePart): readonly HeadingPiece[] {
  if (part.title === '' || part.medium) return [];
  return [{ id: `${part.id} title`, status: 'ok', notes: [], type: 'heading', text: part.title }];
}

function baseOf({ id, status, notes }: TracePart): PieceBase {
  return { id, status, notes };
}

/** True for the text of an object or a list in JSON. */
function looksLikeJson(text: string): boolean {
  if (!/^\s*[{[]/.test(text)) return false;
  if (text.length > LONGEST_PARSED) return /^\s*(?:\{\s*"|\[\s*[[{"\d])/.test(text);
  return typeof parseJson(text) === 'object';
}
