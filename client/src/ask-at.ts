import type { Position, TextDocument } from 'vscode';
import type { LinePosition } from '../../core/text/line-index.ts';

/** Who types changes a document a few times a second, and an answer takes milliseconds. */
const MOST_TRIES = 20;

/**
 * What the language server says of a place of a document. `locate` gives the place in the document as it is when it is asked: an
 * answer for another version is asked for again. The positions of the answer hold until something is awaited.
 */
export async function askAt<Answer extends { readonly version: number }>(
  document: TextDocument,
  locate: (document: TextDocument) => Position | LinePosition,
  ask: (position: LinePosition) => Promise<Answer | undefined>,
): Promise<Answer | undefined> {
  for (let tries = 0; tries < MOST_TRIES && !document.isClosed; tries++) {
    const { version } = document;
    const { line, character } = locate(document);
    const answer = await ask({ line, character });
    if (document.version === version && (!answer || answer.version === version)) return answer;
  }
  return undefined;
}
