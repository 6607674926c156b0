import { readDirective } from '../../directives.ts';
import type { Exchange } from '../../feature-results.ts';
import { shiftSpan } from '../../../core/text/span.ts';
import { defaultAgent } from '../agents.ts';
import { isContainerLine, isRequestLine } from '../ast.ts';
import { listLines, type PlacedLine, type AicfDocument } from '../parse.ts';
import { requestTitle } from './requests.ts';

interface OpenExchange extends Exchange {
  readonly replies: { start: number; end: number }[];
}

/**
 * The requests of a file with their replies: all reply lines up to the next request, as one span, as in
 * transcripts (AICF-RPC 1.0, "Response Format"). The protocol has no sessions, so the whole file is one.
 */
export function exchanges(doc: AicfDocument): readonly Exchange[] {
  if (doc.dialect === 'context') return [];
  const found: OpenExchange[] = [];
  const usual = defaultAgent(doc);
  let agent = '';
  for (const line of listLines(doc)) {
    const { tree, text, start } = line;
    if (isContainerLine(tree)) {
      const directive = tree.kind === 'comment' ? readDirective(text) : undefined;
      if (directive?.name === 'agent') agent = directive.value;
      continue;
    }
    const last = found.at(-1);
    if (isRequestLine(tree)) found.push(toExchange(line, agent === '' ? usual : agent));
    else if (last) {
      const reply = last.replies[0];
      if (reply) reply.end = start + tree.end;
      else last.replies.push({ start: start + tree.word.start, end: start + tree.end });
    }
    agent = '';
  }
  return found;
}

function toExchange(line: PlacedLine, agent: string): OpenExchange {
  const { tree, start } = line;
  return {
    kind: tree.command === 'LIST' || tree.command === 'INFO' ? 'query' : 'call',
    name: requestTitle(line),
    session: '',
    agent,
    span: shiftSpan({ start: tree.word.start, end: tree.end }, start),
    nameSpan: shiftSpan(tree.word, start),
    replies: [],
  };
}
