import { readDirective, type Directives } from '../../directives.ts';
import type { SendableRequest } from '../../support.ts';
import type { Span } from '../../../core/text/span.ts';
import { commandName, fieldText, isContainerLine, isRequestLine } from '../ast.ts';
import { defaultAgent } from '../agents.ts';
import { BlockNotes, type Block } from '../blocks.ts';
import { trimmedEnd } from '../characters.ts';
import { readLineAt, type PlacedLine } from '../lines.ts';
import type { AicfDocument } from '../parse.ts';

/** Where the requests of a block stand; a million of them are too many to keep as wholes. */
interface BlockRequests {
  /** The numbers of their lines in the block. */
  readonly lines: readonly number[];
  /** The directives above those that have any in the block, by line. */
  readonly directives: ReadonlyMap<number, Directives>;
  /** The first line that ends what stands above the block; undefined where directives pass through it. */
  readonly firstMessage: number | undefined;
  /** What the container lines at the block's end say. */
  readonly last: Directives;
}

const REQUESTS = new BlockNotes<BlockRequests>();
const NO_DIRECTIVES: Directives = {};

/**
 * The first requests of a file in their order, all of them without a `max`, each with the directives of the container
 * lines directly above it; of a directive that stands there twice the lower one counts. Those that name no agent have the
 * file's default. A context file has none.
 */
export function requests(doc: AicfDocument, max = Infinity): readonly SendableRequest[] {
  if (doc.dialect === 'context') return [];
  const found: SendableRequest[] = [];
  const agent = defaultAgent(doc);
  const withDefault = (own: Directives): Directives =>
    agent === '' || own.agent !== undefined ? own : { ...own, agent };
  let above = NO_DIRECTIVES;
  for (const block of doc.blocks) {
    const { lines, directives, firstMessage, last } = REQUESTS.of(block, () => readRequests(doc, block));
    for (const number of lines) {
      if (found.length >= max) return found;
      const own = directives.get(number) ?? NO_DIRECTIVES;
      const all = number === firstMessage ? { ...above, ...own } : own;
      found.push(toRequest(readLineAt(doc, block.firstLine + number), withDefault(all)));
    }
    above = firstMessage === undefined ? { ...above, ...last } : last;
  }
  return found;
}

function readRequests(doc: AicfDocument, block: Block): BlockRequests {
  const lines: number[] = [];
  const directives = new Map<number, Directives>();
  let firstMessage: number | undefined;
  let last = NO_DIRECTIVES;
  for (let number = block.firstLine; number < block.lineEnd; number++) {
    const { tree, text } = readLineAt(doc, number);
    const line = number - block.firstLine;
    if (isContainerLine(tree)) {
      const directive = tree.kind === 'comment' ? readDirective(text) : undefined;
      if (directive && directive.name !== 'default') last = { ...last, [directive.name]: directive.value };
      continue;
    }
    if (isRequestLine(tree)) {
      lines.push(line);
      if (last !== NO_DIRECTIVES) directives.set(line, last);
    }
    firstMessage ??= line;
    last = NO_DIRECTIVES;
  }
  return { lines, directives, firstMessage, last };
}

function toRequest(line: PlacedLine, directives: Directives): SendableRequest {
  const { start, text } = line;
  const own = wireSpan(line);
  const span = { start: start + own.start, end: start + own.end };
  return {
    span,
    title: requestTitle(line),
    directives,
    refusal: undefined,
    payloads: [],
    wireText: text.slice(own.start, own.end),
  };
}

/** The part of a line that is sent: no prefix, no line end (reading of AICF-RPC 1.0, "HTTP Transport"). */
function wireSpan({ text, tree }: PlacedLine): Span {
  const { start } = tree.word;
  // Blanks belong to a field where there is one; after a bare command they mean nothing.
  return { start, end: tree.pipes.length > 0 ? tree.end : trimmedEnd(text, start) };
}

/** What a list of calls shows: the tool, or the command where no tool is named or the command is unknown. */
export function requestTitle({ text, tree }: PlacedLine): string {
  const tool = fieldText(text, tree, 0);
  const command = commandName(text, tree);
  if (tool.trim() === '' || tree.command === undefined || command === 'LIST') return command;
  return command === 'CALL' ? tool : `${command} ${tool}`;
}
