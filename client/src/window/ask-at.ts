import type { Position, TextDocument } from 'vscode';
import type { LinePosition } from '../../../core/text/source-text.ts';
import type { DocumentPlace, WireRequest } from '../../../wire/request.ts';
import type { Asker } from '../language-client/ask.ts';

/** The maximum number of attempts. A user types a few times per second, and an answer takes milliseconds. */
const MAX_TRIES = 20;

/**
 * Requests data about a position of a document from the language server. `locate` returns the position in the
 * current text; an answer for another version is discarded and requested again. The positions of the answer
 * are valid until the next await.
 */
export async function askAt<Answer extends { readonly version: number }>(
  server: Asker,
  request: WireRequest<DocumentPlace, Answer | null>,
  document: TextDocument,
  locate: (document: TextDocument) => Position | LinePosition,
): Promise<Answer | undefined> {
  for (let tries = 0; tries < MAX_TRIES && !document.isClosed; tries++) {
    const { version } = document;
    const { line, character } = locate(document);
    const answer = await server.ask(request, { uri: document.uri.toString(), position: { line, character } });
    if (document.version === version && (!answer || answer.version === version)) return answer ?? undefined;
  }
  return undefined;
}
