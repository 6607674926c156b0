import { isContainerLine } from '../../language/aicf/ast.ts';
import { listLines } from '../../language/aicf/parse.ts';
import type { LanguageId } from '../../core/catalog/languages.ts';
import type { OpenDocument } from '../../language/support.ts';
import type { Issue } from '../../core/text/issue.ts';
import { meetsSpan, type Span } from '../../core/text/span.ts';
import { UsageError } from './exit.ts';
import type { SourceFile } from './files.ts';

/** Lists the messages that `FILE:N` counts, by language. */
const LISTERS: Readonly<Record<LanguageId, (document: OpenDocument) => readonly Span[]>> = {
  aicl: document => document.requests().map(request => request.span),
  aicf: listLineSpans,
  'agent-json': document => [...document.messages()],
};

/** All messages of a document in order: requests and replies, valid or not. Container lines are not messages. */
export function listMessages(document: OpenDocument): readonly Span[] {
  return LISTERS[document.language](document);
}

/** The span of the message that `FILE:N` selects. Throws a UsageError if the file has fewer. */
export function pickMessage(file: SourceFile, document: OpenDocument, number: number): Span {
  const messages = listMessages(document);
  const span = messages[number - 1];
  if (span) return span;
  throw new UsageError(`There is no message ${number} in '${file.name}': it has ${messages.length}`);
}

/** The spans of all lines that hold a request or a response. */
function listLineSpans(document: OpenDocument): readonly Span[] {
  const spans: Span[] = [];
  for (const { start, tree } of listLines(document)) {
    if (!isContainerLine(tree)) spans.push({ start, end: start + tree.end });
  }
  return spans;
}

/** The issues that lie in a message. An empty issue at the edge of the message belongs to it. */
export function issuesIn<Code extends string>(
  issues: readonly Issue<Code>[],
  message: Span,
): readonly Issue<Code>[] {
  return issues.filter(({ span }) => meetsSpan(span, message));
}
