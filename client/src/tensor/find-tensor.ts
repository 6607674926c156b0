import { type Range, workspace, type Position, type TextDocument, type Uri } from 'vscode';
import type { LinePosition } from '../../../core/text/source-text.ts';
import { readTensor } from '../../../tensor/read-tensor.ts';
import type { Tensor } from '../../../tensor/tensor.ts';
import { TENSOR_AT, type TensorAnswer } from '../../../wire/tensor-requests.ts';
import type { Asker } from '../language-client/ask.ts';
import { askAt } from '../window/ask-at.ts';
import { CONVERSION_SCHEME } from '../conversion/conversion-view.ts';
import { toRange } from '../conversion/conversion-source.ts';
import { REPLY_SCHEME } from '../replies/reply-documents.ts';
import { findDocument } from '../window/find-document.ts';

/** A tensor of a document. Its positions are valid until the next await, because the document can change. */
export interface FoundTensor {
  readonly document: TextDocument;
  readonly range: Range;
  readonly answer: TensorAnswer;
}

/**
 * The tensor at a position of a document; undefined if there is none. `locate` returns the position in the
 * current text; an answer for another version is requested again.
 */
export async function findTensor(
  server: Asker,
  document: TextDocument,
  locate: (document: TextDocument) => Position | LinePosition,
): Promise<FoundTensor | undefined> {
  const answer = await askAt(server, TENSOR_AT, document, locate);
  return answer && { document, range: toRange(answer.range), answer };
}

/** Opens a document that may have been closed; undefined if that is impossible. */
export async function openAgain(uri: Uri): Promise<TextDocument | undefined> {
  const open = findDocument(uri);
  // A closed untitled document would be opened empty.
  if (open || uri.scheme === 'untitled') return open;
  try {
    return await workspace.openTextDocument(uri);
  } catch {
    // It was deleted, or its provider has no content for it; the caller reports that.
    return undefined;
  }
}

/** True for a document that can be edited; replies and conversions cannot. */
export function isEditable({ scheme }: Uri): boolean {
  const isShown = scheme === REPLY_SCHEME || scheme === CONVERSION_SCHEME;
  return !isShown && workspace.fs.isWritableFileSystem(scheme) !== false;
}

/** Reads a found tensor, or returns why it cannot be read. */
export function readFound({
  document,
  range,
  answer,
}: FoundTensor):
  | { readonly kind: 'ok'; readonly tensor: Tensor }
  | { readonly kind: 'fault'; readonly problem: string } {
  const tensor = readTensor(document.getText(range).slice('[t:'.length, -1));
  if (tensor) return { kind: 'ok', tensor };
  const problem = answer.faults.join('\n') || 'The data do not fit the data type and the shape.';
  return { kind: 'fault', problem };
}

/** The displayed name of a tensor in a message: its path, or the message's name for a single value. */
export function nameOf({ path, title }: TensorAnswer): string {
  return path || title || 'tensor';
}

/** The displayed location of a tensor: `hello.aicl, message 3 (result)`. */
export function placeOf(uri: Uri, { message, title }: TensorAnswer): string {
  const file = workspace.asRelativePath(uri);
  return `${file}, message ${message}${title === '' ? '' : ` (${title})`}`;
}
