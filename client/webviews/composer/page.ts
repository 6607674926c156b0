import type { Span } from '../../../core/text/span.ts';
import {
  DRAFT_FORMS,
  isToComposer,
  requestAtLine,
  type ComposerAgent,
  type ComposerProposal,
  type ComposerState,
  type Draft,
  type DraftForm,
  type DraftStep,
  type FromComposer,
  type ToComposer,
} from '../../../wire/composer-messages.ts';
import { element, setText } from '../shared/element.ts';
import { connectHost } from '../shared/host.ts';
import { buildSelect, setOptions } from '../shared/select.ts';
import { buildStatusIcon } from '../shared/status-icon.ts';
import { IssueList } from './issue-list.ts';
import { PaintedText } from './painted-text.ts';
import { ProposalList } from './proposal-list.ts';

const PLACEHOLDERS: Readonly<Record<DraftForm, string>> = {
  plain: 'What should the agent do?',
  aicf: 'CALL|tool|argument',
  aicl: '[d:\n  [s:protocol]:[s:LightAICL],\n  …\n]',
};

const STATE_ICONS = { working: 'open', ok: 'ok', error: 'error', held: 'incomplete' } as const;

/** Keys that request proposals when typed: characters of a word or a field. Ctrl+Space requests them too. */
const ASKS = /^[\w|[:@.{$ -]$/;

/** The page of the composer: agent and form, the draft with its issues, and the reply below. */
export class ComposerPage {
  readonly #host = connectHost<ToComposer, FromComposer>(isToComposer, message => this.#receive(message));
  readonly #agent = buildSelect([], () => {
    this.#isFormChosen = false;
    this.#proposeForm();
    this.#change();
  });
  readonly #form = buildSelect(
    DRAFT_FORMS.map(({ id, title }) => ({ value: id, label: title })),
    () => {
      this.#isFormChosen = true;
      this.#change();
    },
  );
  readonly #text = element('textarea', {
    class: 'text code',
    attributes: { 'aria-label': 'Request', spellcheck: 'false', autocomplete: 'off' },
  });
  readonly #painted = new PaintedText(this.#text);
  readonly #proposals = new ProposalList(this.#text, proposal => this.#take(proposal));
  readonly #issues = new IssueList(span => this.#select(span));
  readonly #send = buildButton('Send', () => this.#step('send'), 'button primary');
  readonly #stop = buildButton('Stop', () => this.#host.post({ type: 'stop' }));
  readonly #anyway = buildButton('Send anyway', () => this.#step('sendAnyway'));
  readonly #icon = element('span', { class: 'icon' });
  readonly #words = element('span', { role: 'status' });
  readonly #state = element('div', { class: 'line state' }, this.#icon, this.#words, this.#anyway);
  readonly #reply = element('pre', {
    class: 'reply code',
    attributes: { tabindex: '0', 'aria-label': 'Reply' },
  });
  readonly #replySteps = element(
    'div',
    { class: 'line' },
    buildButton('Open reply', () => this.#host.post({ type: 'openReply' })),
    buildButton('Show raw', () => this.#host.post({ type: 'showRaw' })),
  );
  readonly #empty = element(
    'p',
    { class: 'muted' },
    'There is no agent yet. Add one in the Agents view above.',
  );
  #agents: readonly ComposerAgent[] = [];
  /** True once the user has chosen a form for this agent. */
  #isFormChosen = false;
  /** The lines on which the requests of the last checked draft begin. */
  #requests: readonly number[] = [];
  #number = 0;

  constructor(root: HTMLElement) {
    this.#text.rows = 4;
    this.#agent.ariaLabel = 'Agent';
    this.#form.ariaLabel = 'Language';
    this.#send.title = 'Send (Ctrl+Enter)';
    this.#listen();
    root.replaceChildren(this.#build());
    this.#show([], { agent: '', form: 'plain', text: '' });
    this.#report({ type: 'state', state: 'idle', words: '' });
    this.#drawReply('');
    this.#host.post({ type: 'ready' });
  }

  #build(): HTMLElement {
    return element(
      'div',
      { class: 'composer' },
      this.#empty,
      element('div', { class: 'line' }, this.#agent, this.#form),
      element('div', { class: 'field' }, this.#text, this.#painted.root, this.#proposals.root),
      this.#issues.root,
      element(
        'div',
        { class: 'line' },
        this.#send,
        this.#stop,
        buildButton('Open as file', () => this.#step('open')),
        buildButton('Save as file…', () => this.#step('save')),
      ),
      this.#state,
      this.#reply,
      this.#replySteps,
    );
  }

  #listen(): void {
    this.#text.addEventListener('input', event => {
      this.#proposals.show([]);
      this.#change();
      const typed = event instanceof InputEvent && event.inputType === 'insertText' ? event.data : null;
      if (typed !== null && ASKS.test(typed)) this.#step('complete');
    });
    this.#text.addEventListener('keydown', event => {
      const isControl = event.ctrlKey || event.metaKey;
      if (event.key === 'Enter' && isControl) this.#step('send');
      else if (event.key === ' ' && isControl) this.#step('complete');
      else if (isControl || event.altKey || !this.#proposals.take(event.key)) return;
      event.preventDefault();
    });
    // The cursor selects the request that is sent.
    document.addEventListener('selectionchange', () => this.#nameRequest());
  }

  #receive(message: ToComposer): void {
    switch (message.type) {
      case 'show':
        this.#show(message.agents, message.draft);
        // A restored draft is checked as well.
        if (message.draft.text !== '') this.#step('draft');
        return;
      case 'state':
        this.#report(message);
        return;
      case 'reply':
        this.#drawReply(message.text);
        return;
      case 'checked':
        if (message.draft !== this.#number) return;
        this.#issues.show(message.issues);
        this.#painted.paint(message.tokens, message.issues);
        this.#requests = message.requests;
        this.#nameRequest();
        return;
      case 'proposals':
        if (message.draft === this.#number && document.activeElement === this.#text)
          this.#proposals.show(message.items);
        return;
    }
  }

  #show(agents: readonly ComposerAgent[], { agent, form, text }: Draft): void {
    this.#agents = agents;
    setOptions(
      this.#agent,
      agents.map(({ name }) => ({ value: name, label: name })),
    );
    this.#agent.value = agent;
    this.#form.value = form;
    if (this.#text.value !== text) this.#text.value = text;
    this.#proposeForm();
    this.#painted.copy();
    this.#empty.hidden = agents.length > 0;
    this.#agent.hidden = agents.length === 0;
    this.#hint();
  }

  #report({ state, words }: ComposerState): void {
    setText(this.#words, words);
    this.#icon.replaceChildren(...(state === 'idle' ? [] : [buildStatusIcon(STATE_ICONS[state])]));
    this.#send.disabled = state === 'working';
    this.#stop.hidden = state !== 'working';
    this.#anyway.hidden = state !== 'held';
    if (state !== 'idle' && state !== 'working') this.#state.scrollIntoView({ block: 'nearest' });
  }

  #drawReply(text: string): void {
    // The view scrolls along with the reply only if it is at the end; a user who has scrolled up is not interrupted.
    const { scrollTop, clientHeight, scrollHeight } = this.#reply;
    const isAtEnd = scrollTop + clientHeight >= scrollHeight - 4;
    setText(this.#reply, text);
    this.#reply.hidden = this.#replySteps.hidden = text === '';
    if (isAtEnd && !this.#stop.hidden) this.#reply.scrollTop = this.#reply.scrollHeight;
    if (text !== '' && this.#stop.hidden) this.#reply.scrollIntoView({ block: 'nearest' });
  }

  /** The form follows the agent until the user types or chooses a form. */
  #proposeForm(): void {
    const agent = this.#agents.find(({ name }) => name === this.#agent.value);
    if (agent && this.#text.value === '' && !this.#isFormChosen) this.#form.value = agent.form;
  }

  #hint(): void {
    this.#text.placeholder = PLACEHOLDERS[this.#draft().form];
  }

  /** If there are several requests, the button shows which one it sends. */
  #nameRequest(): void {
    const count = this.#requests.length;
    const line = this.#text.value.slice(0, this.#text.selectionStart).split('\n').length - 1;
    const at = requestAtLine(this.#requests, line);
    setText(this.#send, count > 1 ? `Send request ${at + 1} of ${count}` : 'Send');
  }

  #change(): void {
    this.#hint();
    // The text that was held back has changed.
    if (!this.#anyway.hidden) this.#report({ type: 'state', state: 'idle', words: '' });
    this.#step('draft');
  }

  #take({ start, end, text, select }: ComposerProposal): void {
    this.#text.focus();
    this.#text.setSelectionRange(start, end);
    // The only way to write into a field that undo can revert.
    document.execCommand('insertText', false, text);
    this.#select(select);
  }

  #select({ start, end }: Span): void {
    this.#text.focus();
    this.#text.setSelectionRange(start, end);
  }

  #step(type: DraftStep['type']): void {
    if ((type === 'send' || type === 'sendAnyway') && this.#send.disabled) return;
    if (type === 'draft') this.#number += 1;
    const cursor = this.#text.selectionStart;
    this.#host.post({ type, draft: this.#draft(), number: this.#number, cursor });
  }

  #draft(): Draft {
    const form = DRAFT_FORMS.find(({ id }) => id === this.#form.value)?.id ?? 'plain';
    return { agent: this.#agent.value, form, text: this.#text.value };
  }
}

function buildButton(label: string, onClick: () => void, className = 'button'): HTMLButtonElement {
  return element('button', { class: className, attributes: { type: 'button' }, onClick }, label);
}
