import { type Range, workspace, type Position, type TextDocument, type Uri } from 'vscode';
import type { LinePosition } from '../../../core/text/line-index.ts';
import { readTensor } from '../../../tensor/read-tensor.ts';
import type { Tensor } from '../../../tensor/tensor.ts';
import type { TensorAnswer } from '../../../wire/tensor-requests.ts';
import { askAt } from '../ask-at.ts';
import { CONVERSION_SCHEME } from '../convert/conversion-view.ts';
import { toRange } from '../convert/conversion-source.ts';
import { REPLY_SCHEME } from '../replies/reply-documents.ts';

/** Who knows where the tensors of a document stand: the language server. */
export interface TensorFinder {
  tensorAt(uri: Uri, position: LinePosition): Promise<TensorAnswer | undefined>;
  tensors(uri: Uri): Promise<readonly TensorAnswer[]>;
}

/** A tensor of a document. Its positions hold until something is awaited: a document can change then. */
export interface FoundTensor {
  readonly document: TextDocument;
  readonly range: Range;
  readonly answer: TensorAnswer;
}

/**
 * The tensor at a place of a document, or undefined where none stands there. `locate` gives the place in the document
 * as it is when it is asked: an answer for another version is asked for again.
 */
export async function findTensor(
  finder: TensorFinder,
  document: TextDocument,
  locate: (document: TextDocument) => Position | LinePosition,
): Promise<FoundTensor | undefined> {
  const answer = await askAt(document, locate, position => finder.tensorAt(document.uri, position));
  return answer && { document, range: toRange(answer.range), answer };
}

/** Opens a document that may have been closed; undefined where it is gone. */
export async function openAgain(uri: Uri): Promise<TextDocument | undefined> {
  const open = workspace.textDocuments.find(document => document.uri.toString() === uri.toString());
  // One that was never saved would come back empty.
  if (open || uri.scheme === 'untitled') return open;
  try {
    return await workspace.openTextDocument(uri);
  } catch {
    // Deleted, or of a scheme that has nothing to give any more: the reader of this says so.
    return undefined;
  }
}

/** True for a document that takes edits: replies and conversions are shown. */
export function isEditable({ scheme }: Uri): boolean {
  const isShown = scheme === REPLY_SCHEME || scheme === CONVERSION_SCHEME;
  return !isShown && workspace.fs.isWritableFileSystem(scheme) !== false;
}

/** The tensor that stands in a range, or why it cannot be read. */
export function readFound({
  document,
  range,
  answer,
}: FoundTensor):
  { readonly kind: 'ok'; readonly tensor: Tensor } | { readonly kind: 'fault'; readonly problem: string } {
  const tensor = readTensor(document.getText(range).slice('[t:'.length, -1));
  if (tensor) return { kind: 'ok', tensor };
  const problem = answer.faults.join('\n') || 'The data do not fit the data type and the shape.';
  return { kind: 'fault', problem };
}

/** What a person calls a tensor of a message: its path, and for a value that stands alone its message's name. */
export function nameOf({ path, title }: TensorAnswer): string {
  return path || title || 'tensor';
}

/** Where a tensor of a document stands, for people: `hello.aicl, message 3 (result)`. */
export function placeOf(uri: Uri, { message, title }: TensorAnswer): string {
  const file = workspace.asRelativePath(uri);
  return `${file}, message ${message}${title === '' ? '' : ` (${title})`}`;
}
