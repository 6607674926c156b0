import type { OpenDocument, SendableRequest } from '../../../language/support.ts';
import { holdsVariable } from '../../../language/variables.ts';
import { meetsSpan } from '../../../core/text/span.ts';
import { scopeAt } from '../../../language/variables/scope.ts';
import { REQUEST_AT, type RequestAtResult } from '../../../wire/server-messages.ts';
import type { Snapshot } from '../documents.ts';
import { pickEdits } from '../fix-all.ts';
import { toOffset, toPosition, toTextEdits } from '../lsp.ts';
import { ownFeature } from './feature.ts';

/** The request at a position, with the errors that prevent sending. */
export const requestAt = ownFeature({
  name: 'requestAt',
  request: REQUEST_AT,
  neutral: null,
  answer(snapshot, { position }) {
    const request = findRequest(snapshot, toOffset(snapshot.document, position));
    return request ? describe(snapshot, request) : null;
  },
});

/** The request that contains the offset, that starts on the same line, or that is below it, with directives between. */
function findRequest(snapshot: Snapshot, offset: number): SendableRequest | undefined {
  const { document } = snapshot;
  const requests = document.requests();
  const line = document.text.lineAt(offset);
  return (
    requests.findLast(({ span }) => span.start <= offset && offset <= span.end) ??
    requests.find(({ span }) => document.text.lineAt(span.start) === line) ??
    findBelow(snapshot, offset, requests)
  );
}

/** The request of the message whose container lines contain the offset. */
function findBelow(
  { document }: Snapshot,
  offset: number,
  requests: readonly SendableRequest[],
): SendableRequest | undefined {
  for (const message of document.messages({ start: offset, end: offset }))
    if (message.start > offset) return requests.find(({ span }) => meetsSpan(span, message));
  return undefined;
}

function describe(snapshot: Snapshot, request: SendableRequest): RequestAtResult {
  const { document } = snapshot;
  return {
    language: document.language,
    title: request.title,
    version: snapshot.version,
    payloads: request.payloads,
    directives: request.directives,
    start: toPosition(document, request.span.start),
    end: toPosition(document, request.span.end),
    ...describeBlockers(snapshot, request),
    ...(request.refusal !== undefined && { refusal: request.refusal }),
    ...(isRewritten(document, request) && { wireText: request.wireText }),
    ...(request.protocol !== undefined && { protocol: request.protocol }),
    ...(usesVariables(request) && { scope: scopeAt(document.definitions(), request.span.start, []) }),
  };
}

/** True for a request that is not sent as it is in the document, such as JSON with comments. */
function isRewritten({ text }: OpenDocument, { span, payloads, wireText }: SendableRequest): boolean {
  return payloads.length === 0 && wireText !== text.slice(span.start, span.end);
}

function usesVariables({ directives, wireText }: SendableRequest): boolean {
  return directives.literal === undefined && holdsVariable(wireText);
}

/** The errors in the message, each preceded by its line number, from 1, and the edits of their safe fixes. */
function describeBlockers(
  snapshot: Snapshot,
  request: SendableRequest,
): Pick<RequestAtResult, 'blockers' | 'fixes'> {
  const { document } = snapshot;
  const errors = snapshot.allIssues.filter(
    ({ severity, span }) => severity === 'error' && meetsSpan(span, request.span),
  );
  const edits = pickEdits(errors);
  return {
    blockers: errors.map(issue => `${document.text.lineAt(issue.span.start) + 1}: ${issue.message}`),
    ...(edits.length > 0 && { fixes: toTextEdits(document, edits) }),
  };
}
