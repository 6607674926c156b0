import { Range, TextDocumentChangeReason, type TextDocument, type TextDocumentChangeEvent } from 'vscode';
import { followPlace, type Place } from '../window/follow.ts';

/** A range of a document that moves with edits. Text typed at its end belongs to it. */
export class FollowedRange {
  #start: Place;
  #end: Place;

  constructor(document: TextDocument, range: Range) {
    this.#start = { offset: document.offsetAt(range.start) };
    this.#end = { offset: document.offsetAt(range.end) };
  }

  follow({ contentChanges, reason }: Pick<TextDocumentChangeEvent, 'contentChanges' | 'reason'>): void {
    if (contentChanges.length === 0) return;
    const isUndo = reason === TextDocumentChangeReason.Undo;
    this.#start = followPlace(this.#start, contentChanges, { isUndo });
    this.#end = followPlace(this.#end, contentChanges, { isUndo });
  }

  in(document: TextDocument): Range {
    return new Range(document.positionAt(this.#start.offset), document.positionAt(this.#end.offset));
  }
}
