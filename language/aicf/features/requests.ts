import { readDirective, type Directives } from '../../directives.ts';
import type { SendableRequest } from '../../support.ts';
import type { Span } from '../../../core/text/span.ts';
import { commandName, fieldText, isContainerLine, isRequestLine } from '../ast.ts';
import { defaultAgent } from '../agents.ts';
import { BlockNotes, type Block } from '../blocks.ts';
import { trimmedEnd } from '../characters.ts';
import { readLineAt, type PlacedLine, type AicfDocument } from '../parse.ts';

/** The request lines of a block. Only line numbers are stored, because a file may have a million requests. */
interface BlockRequests {
  /** Line numbers relative to the block. */
  readonly lines: readonly number[];
  /** The directives of requests that have some in the block, by line. */
  readonly directives: ReadonlyMap<number, Directives>;
  /**
   * The first message line, which uses up the directives from above the block; undefined if they also apply
   * to the next block.
   */
  readonly firstMessage: number | undefined;
  /** The directives in the container lines at the block's end. */
  readonly last: Directives;
}

const REQUESTS = new BlockNotes<BlockRequests>();
const NO_DIRECTIVES: Directives = {};

/**
 * The requests of a file in order, at most `max`, each with the directives in the container lines directly above it. Of
 * a repeated directive the lower one applies. Requests without an agent get the file's default. None in a context file.
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

/** The part of a line that is sent: without prefix and line end (reading of AICF-RPC 1.0, "HTTP Transport"). */
function wireSpan({ text, tree }: PlacedLine): Span {
  const { start } = tree.word;
  // Trailing blanks belong to the last field; after a bare command they have no meaning.
  return { start, end: tree.pipes.length > 0 ? tree.end : trimmedEnd(text, start) };
}

/** The title in lists of calls: the tool, or the command if there is no tool or the command is unknown. */
export function requestTitle({ text, tree }: PlacedLine): string {
  const tool = fieldText(text, tree, 0);
  const command = commandName(text, tree);
  if (tool.trim() === '' || tree.command === undefined || command === 'LIST') return command;
  return command === 'CALL' ? tool : `${command} ${tool}`;
}
