import { readDirective, type Directives } from '../../language/directives.ts';
import type { SendableRequest } from '../../language/support.ts';
import type { Span } from '../../text/span.ts';
import { commandName, fieldText, isContainerLine, isRequestLine } from '../ast.ts';
import { trimmedEnd } from '../characters.ts';
import { listLines, type PlacedLine } from '../lines.ts';
import type { AicfDocument } from '../parse.ts';

/**
 * The requests of a file in their order, each with the directives of the container lines directly above it; of a
 * directive that stands there twice the lower one counts. A context file has none.
 */
export function requests(doc: AicfDocument): readonly SendableRequest[] {
  if (doc.dialect === 'context') return [];
  const found: SendableRequest[] = [];
  let directives: Directives = {};
  for (const line of listLines(doc)) {
    const { tree, text, start } = line;
    if (isContainerLine(tree)) {
      const directive = tree.kind === 'comment' ? readDirective(text) : undefined;
      if (directive) directives = { ...directives, [directive.name]: directive.value };
      continue;
    }
    if (isRequestLine(tree)) {
      const span = wireSpan(line);
      found.push({
        span: { start: start + span.start, end: start + span.end },
        title: requestTitle(line),
        directives,
        refusal: undefined,
        wireText: text.slice(span.start, span.end),
      });
    }
    directives = {};
  }
  return found;
}

/** The part of a line that is sent: no prefix, no line end (reading of AICF-RPC 1.0, "HTTP Transport"). */
function wireSpan({ text, tree }: PlacedLine): Span {
  const { start } = tree.word;
  // Blanks belong to a field where there is one; after a bare command they mean nothing.
  return { start, end: tree.pipes.length > 0 ? tree.end : trimmedEnd(text, start) };
}

/** What a list of calls shows: the tool, or the command where no tool is named or the command is unknown. */
function requestTitle({ text, tree }: PlacedLine): string {
  const tool = fieldText(text, tree, 0);
  const command = commandName(text, tree);
  if (tool.trim() === '' || tree.command === undefined || command === 'LIST') return command;
  return command === 'CALL' ? tool : `${command} ${tool}`;
}
