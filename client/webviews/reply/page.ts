import { PartsReceiver } from '../../../wire/reply-growth.ts';
import {
  type FromReply,
  type ReplyViewName,
  type ReportReply,
  type ReportText,
  type ShowReply,
  type ToReply,
} from '../../../wire/reply-messages.ts';
import { viewReply, type ReplyPiece, type ReplyView } from '../../../wire/reply-view.ts';
import { connectHost } from '../shared/host.ts';
import { Redraw } from '../shared/redraw.ts';
import type { MediaHost } from '../shared/reply/medium-view.ts';
import { moveInRows } from '../shared/reply/row-keys.ts';
import { draw, h, type View } from '../shared/view.ts';
import { FindField } from './find-field.ts';
import { ReplyBody } from './body.ts';
import { ReplyFoot } from './foot.ts';
import { ReplyHead } from './head.ts';

/** The page of a reply: its state, a switch between its views, and what it says. */
export class ReplyPage {
  readonly #host = connectHost<ToReply, FromReply>(message => this.#receive(message));
  readonly #root: HTMLElement;
  readonly #drawing = new Redraw(() => this.#drawNow());
  readonly #find = new FindField({
    changed: () => this.#drawing.ask(),
    pieces: () => this.#root.querySelector('.reply-body') ?? undefined,
  });
  #shown: ShowReply | undefined;
  #receiver = new PartsReceiver();
  #reply: ReplyView = { pieces: [], notes: [] };
  #isRead = false;
  #texts = { raw: '', json: '' };
  readonly #media: MediaHost = {
    open: address => this.#host.post({ type: 'openLink', address }),
    copy: text => this.#host.post({ type: 'copy', text }),
    openMedium: part => this.#host.post({ type: 'openMedium', part }),
  };

  constructor(root: HTMLElement) {
    this.#root = root;
    window.addEventListener('keydown', event => this.#onKey(event));
    new ResizeObserver(() => this.#host.post({ type: 'width', width: window.innerWidth })).observe(root);
    this.#host.post({ type: 'ready' });
  }

  #receive(message: ToReply): void {
    switch (message.type) {
      case 'show':
        this.#show(message);
        return this.#drawing.ask();
      case 'parts':
        this.#takeParts(message);
        break;
      case 'text':
        this.#takeText(message);
        break;
    }
    this.#drawNow();
    this.#host.post({ type: 'drawn' });
  }

  #show(message: ShowReply): void {
    const isOther = this.#shown?.call !== message.call;
    this.#shown = message;
    if (!isOther) return;
    this.#receiver = new PartsReceiver();
    this.#reply = { pieces: [], notes: [] };
    this.#isRead = false;
    this.#texts = { raw: '', json: '' };
    this.#root.querySelector('.reply-body')?.scrollTo(0, 0);
  }

  #takeParts({ call, parts, notes, unread }: ReportReply): void {
    if (call !== this.#shown?.call) return;
    this.#isRead = true;
    const { pieces } = viewReply({ parts: this.#receiver.take(parts), notes });
    this.#reply = { pieces: unread === '' ? pieces : [...pieces, plain(unread)], notes };
  }

  #takeText({ call, view, prefix, added }: ReportText): void {
    if (call === this.#shown?.call)
      this.#texts = { ...this.#texts, [view]: `${this.#texts[view].slice(0, prefix)}${added}` };
  }

  #drawNow(): void {
    this.#drawing.cancel();
    if (this.#shown) draw(this.#root, this.#build(this.#shown));
    this.#find.mark();
  }

  #build(shown: ShowReply): View {
    const post = (type: 'pause' | 'resume' | 'stop' | 'openText' | 'openCall') => (): void =>
      this.#host.post({ type });
    return h(
      'div',
      { class: 'reply-page stack' },
      h(ReplyHead, {
        shown,
        onView: (view: ReplyViewName) => this.#host.post({ type: 'view', view }),
        onCopy: () => this.#host.post({ type: 'copy', text: this.#textOf(shown) }),
        onText: post('openText'),
        onFind: () => this.#find.open(),
        onPause: post('pause'),
        onResume: post('resume'),
        onStop: post('stop'),
      }),
      this.#find.build(),
      h(
        'div',
        {
          class: 'reply-body',
          tabIndex: 0,
          role: 'document',
          'aria-label': 'Reply',
          'aria-busy': shown.status === 'open',
          onKeyDown: event => moveInRows(event),
        },
        h(ReplyBody, {
          shown,
          reply: this.#reply,
          isRead: this.#isRead,
          texts: this.#texts,
          find: this.#find.text,
          host: this.#media,
        }),
      ),
      h(ReplyFoot, { shown, notes: this.#reply.notes, onCall: post('openCall') }),
    );
  }

  /** What is shown, as text. */
  #textOf({ view }: ShowReply): string {
    if (view !== 'read') return this.#texts[view];
    return this.#reply.pieces.flatMap(textOf).join('\n\n');
  }

  #onKey(event: KeyboardEvent): void {
    const isControl = event.ctrlKey || event.metaKey;
    if (!isControl || event.altKey || event.key.toLowerCase() !== 'f') return;
    event.preventDefault();
    event.stopPropagation();
    this.#find.open();
  }
}

function plain(text: string): ReplyPiece {
  const about = { id: 'unread', status: 'ok', notes: [], hidden: 0 } as const;
  return { ...about, type: 'text', format: 'plain', text };
}

/** What a person copies of a piece: what it says, without what happened on the way. */
function textOf(piece: ReplyPiece): readonly string[] {
  switch (piece.type) {
    case 'text':
    case 'json':
    case 'heading':
      return piece.text === '' ? [] : [piece.text];
    case 'error':
      return [[piece.code, piece.text].filter(Boolean).join(': ')];
    case 'question':
      return [piece.title, ...piece.content.flatMap(textOf)];
    case 'medium':
      return piece.medium.address === undefined ? [] : [piece.medium.address];
    case 'row':
    case 'progress':
      return [];
  }
}
