import type { ComposerReply, DraftStep } from '../../../wire/composer-messages.ts';
import {
  requestAtLine,
  type ComposerChecked,
  type ComposerIssue,
  type ComposerProposal,
  type ComposerProposals,
} from '../../../wire/composer-texts.ts';
import type { Span } from '../../../core/text/span.ts';
import { Button } from '../shared/buttons.ts';
import { element } from '../shared/element.ts';
import { draw, h } from '../shared/view.ts';
import { IssueList } from './issue-list.ts';
import type { Post } from './page-host.ts';
import { PaintedText } from './painted-text.ts';
import { ProposalList } from './proposal-list.ts';
import { ReplyPane } from './reply-pane.ts';

/** Keys that request proposals when typed: characters of a word or a field. Ctrl+Space requests them too. */
const ASKS = /^[\w|[:@.{"$ -]$/;

interface TextActions {
  readonly post: Post;
  /** The text changed, or something is to be done with it. */
  readonly onStep: (type: DraftStep['type'], cursor: number) => void;
}

/** A request as a text in a language, with its issues, and the reply below. */
export class TextView {
  readonly root: HTMLElement;
  readonly input = element('textarea', {
    class: 'draft code',
    attributes: { 'aria-label': 'Request', spellcheck: 'false', autocomplete: 'off' },
  });
  readonly #actions: TextActions;
  readonly #painted = new PaintedText(this.input);
  readonly #proposals = new ProposalList(this.input, proposal => this.#take(proposal));
  readonly #rest = element('div', { class: 'contents' });
  readonly #replyRoot = element('div', { class: 'text-reply' });
  #issues: readonly ComposerIssue[] = [];
  /** The lines on which the requests of the last checked draft begin. */
  #requests: readonly number[] = [];
  #reply: ComposerReply = { state: 'idle', words: '', call: '' };

  constructor(actions: TextActions) {
    this.input.rows = 4;
    this.#actions = actions;
    const field = element('div', { class: 'field' }, this.input, this.#painted.root, this.#proposals.root);
    this.root = element('div', { class: 'text-request stack' }, field, this.#rest, this.#replyRoot);
    this.#listen();
  }

  /** Shows another text, which is checked next. */
  show(text: string, example: string): void {
    this.input.placeholder = example;
    if (this.input.value !== text) {
      this.input.value = text;
      this.#issues = [];
      this.#requests = [];
      this.#painted.paint([], []);
    }
    this.#painted.copy();
    this.#draw();
    if (text !== '') this.#step('draft');
  }

  check({ issues, tokens, requests }: ComposerChecked): void {
    this.#issues = issues;
    this.#painted.paint(tokens, issues);
    this.#requests = requests;
    this.#draw();
  }

  propose({ items }: ComposerProposals): void {
    if (document.activeElement === this.input) this.#proposals.show(items);
  }

  showReply(reply: ComposerReply): void {
    const { scrollTop, clientHeight, scrollHeight } = this.#replyRoot;
    const wasAtEnd = this.#reply.state === 'working' && scrollTop + clientHeight >= scrollHeight - 4;
    const isNew = reply.call !== this.#reply.call;
    this.#reply = reply;
    this.#draw();
    if (isNew) this.#replyRoot.scrollTop = 0;
    else if (wasAtEnd && reply.state === 'working') this.#replyRoot.scrollTop = this.#replyRoot.scrollHeight;
  }

  #draw(): void {
    const isRunning = this.#reply.state === 'working';
    const { post } = this.#actions;
    draw(
      this.#rest,
      h(IssueList, { issues: this.#issues, onChoose: span => this.#select(span) }),
      h(
        'div',
        { class: 'line bar' },
        isRunning
          ? h(Button, { class: 'button primary send', label: 'Stop', onClick: () => post({ type: 'stop' }) })
          : h(Button, {
              class: 'button primary send',
              label: this.#nameSend(),
              title: 'Send the request at the cursor (Ctrl+Enter)',
              onClick: () => this.#step('send'),
            }),
        h('span', { class: 'space' }),
        h(Button, { label: 'Open as file', onClick: () => this.#step('open') }),
        h(Button, { label: 'Save…', title: 'Save as file', onClick: () => this.#step('save') }),
      ),
    );
    draw(
      this.#replyRoot,
      h(ReplyPane, { reply: this.#reply, state: 'above', post, onAnyway: () => this.#step('sendAnyway') }),
    );
  }

  #listen(): void {
    const { input } = this;
    input.addEventListener('input', event => {
      this.#proposals.show([]);
      this.#step('draft');
      const typed = event instanceof InputEvent && event.inputType === 'insertText' ? event.data : null;
      if (typed !== null && ASKS.test(typed)) this.#step('complete');
    });
    input.addEventListener('keydown', event => {
      const isControl = event.ctrlKey || event.metaKey;
      if (event.key === 'Enter' && isControl) this.#step('send');
      else if (event.key === ' ' && isControl) this.#step('complete');
      else if (isControl || event.altKey || !this.#proposals.take(event.key)) return;
      event.preventDefault();
    });
    // The cursor selects the request that is sent.
    document.addEventListener('selectionchange', () => {
      if (document.activeElement === input) this.#draw();
    });
  }

  /** If there are several requests, the button shows which one it sends. */
  #nameSend(): string {
    const count = this.#requests.length;
    const line = this.input.value.slice(0, this.input.selectionStart).split('\n').length - 1;
    return count > 1 ? `Send ${requestAtLine(this.#requests, line) + 1} of ${count}` : 'Send';
  }

  #take({ start, end, text, select }: ComposerProposal): void {
    this.input.focus();
    this.input.setSelectionRange(start, end);
    // The only way to write into a field that undo can revert.
    document.execCommand('insertText', false, text);
    this.#select(select);
  }

  #select({ start, end }: Span): void {
    this.input.focus();
    this.input.setSelectionRange(start, end);
  }

  #step(type: DraftStep['type']): void {
    if ((type === 'send' || type === 'sendAnyway') && this.#reply.state === 'working') return;
    this.#actions.onStep(type, this.input.selectionStart);
  }
}
