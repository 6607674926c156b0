import { showCount } from '../../../../core/text/count.ts';
import type { ReplyPiece, RowPiece } from '../../../../wire/reply-view.ts';
import { NoteList } from '../fact-list.ts';
import { Fold } from '../fold.ts';
import { StatusIcon } from '../icons.ts';
import { h, type Content, type View } from '../view.ts';
import { JsonView } from './json-view.ts';
import { MediumView, type MediaHost } from './medium-view.ts';
import { PartIcon } from './part-icon.ts';
import { TextView } from './text-view.ts';

interface PieceProps {
  /** Folds and JSON with this text in them are opened; in lower case. */
  readonly find: string;
  readonly host: MediaHost;
}

/** Pieces of a reply, from top to bottom. All views of replies draw their content with it. */
export function PieceList({ pieces, ...props }: PieceProps & { pieces: readonly ReplyPiece[] }): View {
  return h(
    'div',
    { class: 'pieces' },
    pieces.map(piece => h(Piece, { key: piece.id, piece, ...props })),
  );
}

function Piece({ piece, ...props }: PieceProps & { piece: ReplyPiece }): View {
  const notes = h(NoteList, { label: 'Notes', notes: piece.notes });
  if (piece.type === 'row') return h(Row, { piece, ...props });
  return h('div', { class: `piece ${piece.type}` }, buildContent(piece, props), notes);
}

function buildContent(piece: Exclude<ReplyPiece, RowPiece>, props: PieceProps): Content {
  const { host, find } = props;
  switch (piece.type) {
    case 'text':
      return [
        piece.text !== '' && h(TextView, { text: piece.text, format: piece.format, host }),
        buildHidden(piece.hidden),
      ];
    case 'json':
      return [h(JsonView, { title: piece.title, text: piece.text, find, host }), buildHidden(piece.hidden)];
    case 'medium':
      return h(MediumView, { id: piece.id, title: piece.title, medium: piece.medium, host });
    case 'heading':
      return h('h2', {}, piece.text);
    case 'error':
      return h(
        'div',
        { class: 'sentence' },
        h('span', { class: 'icon' }, h(StatusIcon, { status: 'error' })),
        h('div', {}, describeError(piece.code, piece.text)),
      );
    case 'question':
      return [
        h('p', { class: 'asked' }, `The agent asks: ${piece.title || 'its caller'}`),
        h(PieceList, { pieces: piece.content, ...props }),
      ];
    case 'progress':
      return [
        h('span', { class: 'words' }, piece.words),
        piece.status === 'open' && h('progress', { value: piece.share, 'aria-label': 'Progress' }),
      ];
  }
}

function describeError(code: string, text: string): string {
  const said = text.trim();
  if (code === '') return said || 'The agent reports an error without a message.';
  return said === '' ? `The agent reports error ${code}.` : `Error ${code}: ${said}`;
}

function buildHidden(characters: number): Content {
  if (characters === 0) return undefined;
  return h('p', { class: 'hidden-part' }, `${showCount(characters)} more characters are not shown here.`);
}

function Row({ piece, ...props }: PieceProps & { piece: RowPiece }): View {
  const { kind, status, title, outcome, content, notes } = piece;
  return h(Fold, {
    class: `piece reply-row row-fold status-${status}`,
    isWanted: props.find !== '' && holds(piece, props.find),
    summary: [
      h('span', { class: 'icon' }, h(PartIcon, { kind })),
      h('span', { class: 'title clip' }, title),
      h('span', { class: 'outcome clip' }, outcome),
    ],
    content: () => [
      h(NoteList, { label: 'Notes', notes }),
      content.length === 0
        ? h('p', { class: 'muted' }, 'It has no content.')
        : h(PieceList, { pieces: content, ...props }),
    ],
  });
}

/** True if a piece holds a text, which is in lower case. */
export function holds(piece: ReplyPiece, text: string): boolean {
  return textsOf(piece).some(each => each.toLowerCase().includes(text));
}

function textsOf(piece: ReplyPiece): readonly string[] {
  switch (piece.type) {
    case 'row':
      return [piece.title, piece.outcome, ...piece.notes, ...piece.content.flatMap(textsOf)];
    case 'question':
      return [piece.title, ...piece.content.flatMap(textsOf)];
    case 'medium':
      return [piece.title, piece.medium.name ?? ''];
    case 'progress':
      return [piece.words];
    case 'error':
      return [piece.code, piece.text];
    case 'text':
    case 'json':
    case 'heading':
      return [piece.text, ...piece.notes];
  }
}
