import type { Span } from '../../../core/text/span.ts';
import {
  DRAFT_FORMS,
  isToComposer,
  requestAtLine,
  type ComposerAgent,
  type ComposerIssue,
  type ComposerProposal,
  type ComposerState,
  type Draft,
  type DraftForm,
  type DraftStep,
  type FromComposer,
  type ToComposer,
} from '../../../wire/composer-messages.ts';
import { Button, Select } from '../shared/buttons.ts';
import { element, setText } from '../shared/element.ts';
import { connectHost } from '../shared/host.ts';
import { StateLine } from '../shared/state-line.ts';
import { draw, h } from '../shared/view.ts';
import { IssueList } from './issue-list.ts';
import { PaintedText } from './painted-text.ts';
import { ProposalList } from './proposal-list.ts';

const PLACEHOLDERS: Readonly<Record<DraftForm, string>> = {
  plain: 'What should the agent do?',
  aicf: 'CALL|tool|argument',
  aicl: '[d:\n  [s:protocol]:[s:LightAICL],\n  …\n]',
};

/** Keys that request proposals when typed: characters of a word or a field. Ctrl+Space requests them too. */
const ASKS = /^[\w|[:@.{$ -]$/;

/** The page of the composer: agent and form, the draft with its issues, and the reply below. */
export class ComposerPage {
  readonly #host = connectHost<ToComposer, FromComposer>(isToComposer, message => this.#receive(message));
  readonly #text = element('textarea', {
    class: 'text code',
    attributes: { 'aria-label': 'Request', spellcheck: 'false', autocomplete: 'off' },
  });
  readonly #painted = new PaintedText(this.#text);
  readonly #proposals = new ProposalList(this.#text, proposal => this.#take(proposal));
  /** What is above and below the text. */
  readonly #head = element('div', { class: 'contents' });
  readonly #rest = element('div', { class: 'contents' });
  readonly #reply = element('pre', {
    class: 'reply body',
    attributes: { tabindex: '0', 'aria-label': 'Reply' },
  });
  readonly #replySteps = element('div', { class: 'line' });
  #agents: readonly ComposerAgent[] = [];
  #agent = '';
  #form: DraftForm = 'plain';
  /** True once the user has chosen a form for this agent. */
  #isFormChosen = false;
  #issues: readonly ComposerIssue[] = [];
  /** The lines on which the requests of the last checked draft begin. */
  #requests: readonly number[] = [];
  #state: Pick<ComposerState, 'state' | 'words'> = { state: 'idle', words: '' };
  #number = 0;

  constructor(root: HTMLElement) {
    this.#text.rows = 4;
    this.#listen();
    const field = element('div', { class: 'field' }, this.#text, this.#painted.root, this.#proposals.root);
    const parts = [this.#head, field, this.#rest, this.#reply, this.#replySteps];
    root.replaceChildren(element('div', { class: 'composer' }, ...parts));
    draw(
      this.#replySteps,
      h(Button, { label: 'Open reply', onClick: () => this.#host.post({ type: 'openReply' }) }),
      h(Button, { label: 'Show raw', onClick: () => this.#host.post({ type: 'showRaw' }) }),
    );
    this.#draw();
    this.#drawReply('');
    this.#host.post({ type: 'ready' });
  }

  #draw(): void {
    this.#text.placeholder = PLACEHOLDERS[this.#form];
    draw(
      this.#head,
      this.#agents.length === 0
        ? h('p', { class: 'muted' }, 'There is no agent yet. Add one in the Agents view above.')
        : undefined,
      h(
        'div',
        { class: 'line' },
        this.#agents.length > 0
          ? h(Select, {
              'aria-label': 'Agent',
              options: this.#agents.map(({ name }) => ({ value: name, label: name })),
              value: this.#agent,
              onChoose: agent => this.#chooseAgent(agent),
            })
          : undefined,
        h(Select, {
          'aria-label': 'Language',
          options: DRAFT_FORMS.map(({ id, title }) => ({ value: id, label: title })),
          value: this.#form,
          onChoose: form => this.#chooseForm(form),
        }),
      ),
    );
    const { state, words } = this.#state;
    draw(
      this.#rest,
      h(IssueList, { issues: this.#issues, onChoose: span => this.#select(span) }),
      h(
        'div',
        { class: 'line' },
        h(Button, {
          class: 'button primary',
          label: this.#nameSend(),
          title: 'Send (Ctrl+Enter)',
          disabled: state === 'working',
          onClick: () => this.#step('send'),
        }),
        h(Button, { label: 'Open as file', onClick: () => this.#step('open') }),
        h(Button, { label: 'Save as file…', onClick: () => this.#step('save') }),
      ),
      h(StateLine, {
        state,
        words,
        onStop: () => this.#host.post({ type: 'stop' }),
        onAnyway: () => this.#step('sendAnyway'),
      }),
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
    document.addEventListener('selectionchange', () => this.#draw());
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
        this.#issues = message.issues;
        this.#painted.paint(message.tokens, message.issues);
        this.#requests = message.requests;
        this.#draw();
        return;
      case 'proposals':
        if (message.draft === this.#number && document.activeElement === this.#text)
          this.#proposals.show(message.items);
        return;
    }
  }

  #show(agents: readonly ComposerAgent[], { agent, form, text }: Draft): void {
    this.#agents = agents;
    this.#agent = agent;
    this.#form = form;
    if (this.#text.value !== text) this.#text.value = text;
    this.#proposeForm();
    this.#painted.copy();
    this.#draw();
  }

  #report(state: ComposerState): void {
    this.#state = state;
    this.#draw();
    if (state.state !== 'idle' && state.state !== 'working')
      this.#rest.querySelector('.state')?.scrollIntoView({ block: 'nearest' });
  }

  #drawReply(text: string): void {
    // The view scrolls along with the reply only if it is at the end; a user who has scrolled up is not interrupted.
    const { scrollTop, clientHeight, scrollHeight } = this.#reply;
    const isAtEnd = scrollTop + clientHeight >= scrollHeight - 4;
    const isWorking = this.#state.state === 'working';
    setText(this.#reply, text);
    this.#reply.hidden = this.#replySteps.hidden = text === '';
    if (isAtEnd && isWorking) this.#reply.scrollTop = this.#reply.scrollHeight;
    if (text !== '' && !isWorking) this.#reply.scrollIntoView({ block: 'nearest' });
  }

  #chooseAgent(agent: string): void {
    this.#agent = agent;
    this.#isFormChosen = false;
    this.#proposeForm();
    this.#change();
  }

  #chooseForm(form: string): void {
    this.#form = DRAFT_FORMS.find(({ id }) => id === form)?.id ?? 'plain';
    this.#isFormChosen = true;
    this.#change();
  }

  /** The form follows the agent until the user types or chooses a form. */
  #proposeForm(): void {
    const agent = this.#agents.find(({ name }) => name === this.#agent);
    if (agent && this.#text.value === '' && !this.#isFormChosen) this.#form = agent.form;
  }

  /** If there are several requests, the button shows which one it sends. */
  #nameSend(): string {
    const count = this.#requests.length;
    const line = this.#text.value.slice(0, this.#text.selectionStart).split('\n').length - 1;
    return count > 1 ? `Send request ${requestAtLine(this.#requests, line) + 1} of ${count}` : 'Send';
  }

  #change(): void {
    // The text that was held back has changed.
    if (this.#state.state === 'held') this.#state = { state: 'idle', words: '' };
    this.#draw();
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
    if ((type === 'send' || type === 'sendAnyway') && this.#state.state === 'working') return;
    if (type === 'draft') this.#number += 1;
    const draft: Draft = { agent: this.#agent, form: this.#form, text: this.#text.value };
    this.#host.post({ type, draft, number: this.#number, cursor: this.#text.selectionStart });
  }
}
