import { Position, type TextDocument } from 'vscode';
import type { LinePosition } from '../../../core/text/line-index.ts';
import { findMedia } from '../../../language/media/find-media.ts';
import type { Medium } from '../../../language/media/media.ts';
import { readLanguage } from '../commands/arguments.ts';

/**
 * The picture, sound, video or file that a place of a document touches, else the first one of its line, else the only one
 * of the document; undefined where none is meant.
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
