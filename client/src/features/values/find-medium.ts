import { Position, type TextDocument } from 'vscode';
import type { LinePosition } from '../../../../core/text/source-text.ts';
import { findMedia } from '../../../../language/media/find-media.ts';
import type { Medium } from '../../../../language/media/media.ts';
import { readLanguage } from '../../targets/arguments.ts';

/**
 * The picture, sound, video or file at a position of a document, else the first one of its line, else the
 * only one of the document; undefined if there is none or the choice is ambiguous.
 */
export function findMedium(document: TextDocument, { line, character }: LinePosition): Medium | undefined {
  const offset = document.offsetAt(new Position(line, character));
  const { media } = findMedia(document.getText(), readLanguage(document.languageId));
  return (
    media.find(({ span }) => span.start <= offset && offset <= span.end) ??
    media.find(({ span }) => document.positionAt(span.start).line === line) ??
    (media.length === 1 ? media[0] : undefined)
  );
}
