import type { Fold } from '../../feature-results.ts';
import { isRequestLine } from '../ast.ts';
import { BlockNotes, type Block } from '../blocks.ts';
import { readLineAt, type PlacedLine, type AicfDocument } from '../parse.ts';
import { listContextSections } from '../sections.ts';

/** Maximum number of folds of a file; editors show fewer and report that. */
const MAX_FOLDS = 10_000;

/** Lines that fold together: comments, a request with its replies, or replies to a request in an earlier block. */
interface Group {
  readonly kind: 'comment' | 'request' | 'replies';
  readonly start: number;
  readonly firstLine: number;
  end: number;
  lastLine: number;
}

/**
 * Cached groups of each block that span several lines or may continue in a neighbouring block; positions are
 * relative to the block.
 */
const GROUPS = new BlockNotes<readonly Group[]>();

/** The foldable ranges: consecutive comments and requests with their responses; in a context file its sections. */
export function folds(doc: AicfDocument): readonly Fold[] {
  return doc.dialect === 'context' ? listSectionFolds(doc) : listMessageFolds(doc);
}

function listSectionFolds(doc: AicfDocument): readonly Fold[] {
  return listContextSections(doc, MAX_FOLDS)
    .filter(({ span }) => doc.text.lineAt(span.end) > doc.text.lineAt(span.start))
    .map(({ span }) => ({ span, kind: 'region' }));
}

function listMessageFolds(doc: AicfDocument): readonly Fold[] {
  const joiner = new GroupJoiner();
  for (const block of doc.blocks) {
    for (const group of GROUPS.of(block, () => readGroups(doc, block))) joiner.add(placeGroup(group, block));
    if (joiner.isDone) break;
  }
  return joiner
    .close()
    .sort((a, b) => a.span.start - b.span.start)
    .slice(0, MAX_FOLDS);
}

/** Joins groups that continue from one block to the next. */
class GroupJoiner {
  readonly #found: Fold[] = [];
  #comments: Group | undefined;
  #request: Group | undefined;

  /** True if further groups can neither be among the first folds nor extend one of them. */
  get isDone(): boolean {
    return this.#isFull && !this.#comments && !this.#request;
  }

  add(group: Group): void {
    if (group.kind === 'replies') {
      if (this.#request) extend(this.#request, group);
    } else if (group.kind === 'request') {
      this.#take(this.#request);
      this.#request = this.#isFull ? undefined : group;
    } else if (this.#comments?.lastLine === group.firstLine - 1) extend(this.#comments, group);
    else {
      this.#take(this.#comments);
      this.#comments = this.#isFull ? undefined : group;
    }
  }

  close(): Fold[] {
    this.#take(this.#comments);
    this.#take(this.#request);
    return this.#found;
  }

  /** True if later groups can no longer be among the first folds. */
  get #isFull(): boolean {
    return this.#found.length >= MAX_FOLDS;
  }

  #take(group: Group | undefined): void {
    if (!group || group.lastLine === group.firstLine) return;
    const kind = group.kind === 'comment' ? 'comment' : 'region';
    this.#found.push({ span: { start: group.start, end: group.end }, kind });
  }
}

function extend(group: Group, { end, lastLine }: Group): void {
  group.end = end;
  group.lastLine = lastLine;
}

function placeGroup({ kind, start, firstLine, end, lastLine }: Group, block: Block): Group {
  return {
    kind,
    start: start + block.start,
    firstLine: firstLine + block.firstLine,
    end: end + block.start,
    lastLine: lastLine + block.firstLine,
  };
}

function readGroups(doc: AicfDocument, block: Block): readonly Group[] {
  const groups: Group[] = [];
  let comments: Group | undefined;
  let messages: Group | undefined;
  const take = (line: PlacedLine, kind: Group['kind']): Group => {
    const number = line.number - block.firstLine;
    const start = line.start - block.start;
    const group = { kind, start, firstLine: number, end: start + line.tree.end, lastLine: number };
    groups.push(group);
    return group;
  };
  for (let number = block.firstLine; number < block.lineEnd; number++) {
    const line = readLineAt(doc, number);
    const { kind } = line.tree;
    const own = { end: line.start + line.tree.end - block.start, lastLine: number - block.firstLine };
    if (kind === 'comment') {
      if (comments) Object.assign(comments, own);
      else comments = take(line, 'comment');
      continue;
    }
    comments = undefined;
    if (isRequestLine(line.tree)) messages = take(line, 'request');
    else if (kind !== 'command' && kind !== 'foreign') continue;
    else if (messages) Object.assign(messages, own);
    else messages = take(line, 'replies');
  }
  return groups.filter(group => mayFold(group, { last: block.lineEnd - block.firstLine - 1, messages }));
}

function mayFold(
  group: Group,
  { last, messages }: { readonly last: number; readonly messages: Group | undefined },
): boolean {
  const { kind, firstLine, lastLine } = group;
  if (lastLine > firstLine || group === messages || kind === 'replies') return true;
  return kind === 'comment' && (firstLine === 0 || lastLine === last);
}
