import { encodeBase64 } from '../../../core/text/base64.ts';
import { showBytes } from '../../../tensor/size-words.ts';
import {
  MOST_FILE_BYTES,
  type ChatTurn,
  type FileContent,
  type ShowFiles,
} from '../../../wire/composer-messages.ts';
import { Button, IconButton } from '../shared/buttons.ts';
import { element } from '../shared/element.ts';
import { draw, h } from '../shared/view.ts';
import type { Post } from './page-host.ts';
import { FileList, Turn } from './turn-view.ts';

/** The thread counts as scrolled to its end up to this many pixels before it. */
const NEAR_END = 8;

interface ChatActions {
  readonly post: Post;
  /** The text of the input changed. */
  readonly onChange: () => void;
  /** Sends the text of the input. */
  readonly onSend: () => void;
}

/** A conversation with an agent: its turns, the newest at the end, and the input below them. */
export class ChatView {
  readonly root: HTMLElement;
  readonly input = element('textarea', {
    class: 'chat-input',
    attributes: { 'aria-label': 'Message' },
  });
  readonly #actions: ChatActions;
  readonly #thread = element('div', {
    class: 'thread',
    role: 'region',
    attributes: { 'aria-label': 'Conversation', tabindex: '0' },
  });
  readonly #turnList = element('div', { class: 'turns stack' });
  readonly #attached = element('div', { class: 'contents' });
  readonly #buttons = element('div', { class: 'line bar' });
  /** What a screen reader says of the last turn. */
  readonly #status = element('div', { class: 'visually-hidden', role: 'status' });
  #agent = '';
  /** True while the end of the conversation is in view; false once the user has scrolled up. */
  #isFollowing = true;
  /** Where the thread was when it was last scrolled to its end, in pixels. */
  #lastTop = 0;
  #turns: readonly ChatTurn[] = [];
  #files: Pick<ShowFiles, 'files' | 'problem'> = { files: [], problem: '' };

  constructor(actions: ChatActions) {
    this.input.rows = 1;
    this.#actions = actions;
    this.#thread.append(this.#turnList);
    const box = element('div', { class: 'message-box stack' }, this.#attached, this.input, this.#buttons);
    this.root = element('div', { class: 'chat stack' }, this.#thread, box, this.#status);
    this.#listen();
    this.#thread.addEventListener('scroll', () => (this.#isFollowing = this.#isAtEnd));
    // The end stays in view while a reply grows, and while the input or the view changes its height.
    const resized = new ResizeObserver(() => this.#mayFollow && this.#scrollToEnd());
    resized.observe(this.#thread);
    resized.observe(this.#turnList);
  }

  /** False as soon as the user has scrolled up, also before the event that reports it. */
  get #mayFollow(): boolean {
    return this.#isFollowing && (this.#isAtEnd || this.#thread.scrollTop >= this.#lastTop);
  }

  get #isRunning(): boolean {
    return this.#turns.at(-1)?.reply.state === 'working';
  }

  get #isEmpty(): boolean {
    return this.input.value.trim() === '' && this.#files.files.length === 0;
  }

  get #isAtEnd(): boolean {
    const { scrollTop, clientHeight, scrollHeight } = this.#thread;
    return scrollTop + clientHeight >= scrollHeight - NEAR_END;
  }

  /** Shows the conversation with an agent. */
  show(agent: string, turns: readonly ChatTurn[]): void {
    const isSame = agent === this.#agent && turns.length === this.#turns.length && this.#turns.length > 0;
    this.#agent = agent;
    this.#turns = turns;
    this.draw();
    if (!isSame || this.#mayFollow) this.#scrollToEnd();
  }

  /** Shows a turn that is new or has changed. */
  showTurn(turn: ChatTurn): void {
    const isKnown = this.#turns.some(({ id }) => id === turn.id);
    this.#turns = isKnown
      ? this.#turns.map(each => (each.id === turn.id ? turn : each))
      : [...this.#turns, turn];
    this.draw();
    // A message of the user is always shown; a user who has scrolled up is not interrupted by the reply.
    if (!isKnown || this.#mayFollow) this.#scrollToEnd();
    this.#announce(turn);
  }

  showFiles(files: Pick<ShowFiles, 'files' | 'problem'>): void {
    this.#files = files;
    this.draw();
  }

  draw(): void {
    const { post, onSend } = this.#actions;
    const question = this.#turns.at(-1)?.question ?? '';
    const what = question === '' ? `Message ${this.#agent}` : `Answer ${this.#agent}`;
    this.input.placeholder = `${what} (Enter sends, Shift+Enter adds a line)`;
    const onAnswer = (): void => this.input.focus();
    draw(
      this.#turnList,
      ...this.#turns.map((turn, at) => {
        const isLast = at === this.#turns.length - 1;
        return h(Turn, { key: turn.id, turn, agent: this.#agent, isLast, post, onAnswer });
      }),
    );
    const { files, problem } = this.#files;
    draw(
      this.#attached,
      problem !== '' && h('p', { class: 'fault', role: 'alert' }, problem),
      h(FileList, { files, onRemove: file => post({ type: 'detach', file }) }),
    );
    draw(
      this.#buttons,
      h(IconButton, {
        icon: 'attach',
        label: 'Attach files',
        onClick: () => post({ type: 'pickFiles' }),
      }),
      this.#turns.length !== 0 &&
        h(Button, { label: 'New conversation', onClick: () => post({ type: 'newConversation' }) }),
      h('span', { class: 'space' }),
      this.#isRunning
        ? h(Button, { class: 'button primary send', label: 'Stop', onClick: () => post({ type: 'stop' }) })
        : h(Button, {
            class: 'button primary send',
            label: 'Send',
            disabled: this.#isEmpty,
            onClick: onSend,
          }),
    );
  }

  #listen(): void {
    this.input.addEventListener('input', () => {
      this.draw();
      this.#actions.onChange();
    });
    this.input.addEventListener('keydown', event => {
      if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      if (!this.#isRunning && !this.#isEmpty) this.#actions.onSend();
    });
    this.input.addEventListener('paste', event => this.#take(event, event.clipboardData));
    this.root.addEventListener('dragover', event => event.preventDefault());
    this.root.addEventListener('drop', event => this.#take(event, event.dataTransfer));
  }

  /** Attaches pasted or dropped files. */
  #take(event: Event, data: DataTransfer | null): void {
    const files = [...(data?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    void this.#attach(files);
  }

  async #attach(files: readonly File[]): Promise<void> {
    const large = files.filter(({ size }) => size > MOST_FILE_BYTES);
    const read: FileContent[] = [];
    for (const file of files) {
      if (large.includes(file)) continue;
      const base64 = encodeBase64(new Uint8Array(await file.arrayBuffer()));
      read.push({ name: file.name, mimeType: file.type, base64 });
    }
    if (read.length > 0) this.#actions.post({ type: 'attach', files: read });
    const names = large.map(({ name, size }) => `${name} (${showBytes(size)})`).join(', ');
    if (names !== '')
      this.showFiles({
        ...this.#files,
        problem: `Not attached: ${names}. A message takes ${showBytes(MOST_FILE_BYTES)}.`,
      });
  }

  #scrollToEnd(): void {
    this.#isFollowing = true;
    this.#thread.scrollTop = this.#thread.scrollHeight;
    this.#lastTop = this.#thread.scrollTop;
  }

  #announce({ reply }: ChatTurn): void {
    const said = `${this.#agent}: ${reply.words}`;
    if (this.#status.textContent !== said) this.#status.textContent = said;
  }
}
