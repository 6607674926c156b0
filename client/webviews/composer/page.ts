import {
  DRAFT_FORMS,
  isToComposer,
  type ComposerState,
  type Draft,
  type DraftForm,
  type DraftStep,
  type FromComposer,
  type ToComposer,
} from '../../../protocol/src/wire/composer-messages.ts';
import { element, setText } from '../shared/element.ts';
import { connectHost } from '../shared/host.ts';
import { buildSelect, setOptions } from '../shared/select.ts';
import { buildStatusIcon } from '../shared/status-icon.ts';

const PLACEHOLDERS: Readonly<Record<DraftForm, string>> = {
  plain: 'What should the agent do?',
  aicf: 'CALL|tool|argument',
  aicl: '[d:\n  [s:protocol]:[s:LightAICL],\n  …\n]',
};

const STATE_ICONS = { working: 'open', ok: 'ok', error: 'error' } as const;

/** The page of the composer: to whom, in which form, what; and the reply below. */
export class ComposerPage {
  readonly #host = connectHost<ToComposer, FromComposer>(isToComposer, message => this.#receive(message));
  readonly #agent = buildSelect([], () => this.#change());
  readonly #form = buildSelect(
    DRAFT_FORMS.map(({ id, title }) => ({ value: id, label: title })),
    () => this.#change(),
  );
  readonly #text = element('textarea', {
    class: 'text code',
    attributes: { 'aria-label': 'Request', spellcheck: 'false' },
  });
  readonly #send = buildButton('Send', () => this.#step('send'), 'button primary');
  readonly #stop = buildButton('Stop', () => this.#host.post({ type: 'stop' }));
  readonly #icon = element('span', { class: 'icon' });
  readonly #words = element('span', { role: 'status' });
  readonly #reply = element('pre', {
    class: 'reply code',
    attributes: { tabindex: '0', 'aria-label': 'Reply' },
  });
  readonly #openReply = buildButton('Open reply', () => this.#host.post({ type: 'openReply' }));
  readonly #empty = element(
    'p',
    { class: 'muted' },
    'There is no agent yet. Add one in the Agents view above.',
  );

  constructor(root: HTMLElement) {
    this.#text.rows = 4;
    this.#text.addEventListener('input', () => this.#change());
    this.#text.addEventListener('keydown', event => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      this.#step('send');
    });
    this.#agent.ariaLabel = 'Agent';
    this.#form.ariaLabel = 'Language';
    this.#send.title = 'Send (Ctrl+Enter)';
    root.replaceChildren(
      element(
        'div',
        { class: 'composer' },
        this.#empty,
        element('div', { class: 'line' }, this.#agent, this.#form),
        this.#text,
        element(
          'div',
          { class: 'line' },
          this.#send,
          this.#stop,
          buildButton('Open as file', () => this.#step('open')),
          buildButton('Save as file…', () => this.#step('save')),
        ),
        element('div', { class: 'line state' }, this.#icon, this.#words),
        this.#reply,
        this.#openReply,
      ),
    );
    this.#show([], { agent: '', form: 'plain', text: '' });
    this.#tell({ type: 'state', state: 'idle', words: '' });
    this.#drawReply('');
    this.#host.post({ type: 'ready' });
  }

  #receive(message: ToComposer): void {
    switch (message.type) {
      case 'show':
        this.#show(message.agents, message.draft);
        return;
      case 'state':
        this.#tell(message);
        return;
      case 'reply':
        this.#drawReply(message.text);
        return;
    }
  }

  #show(agents: readonly string[], { agent, form, text }: Draft): void {
    setOptions(
      this.#agent,
      agents.map(name => ({ value: name, label: name })),
    );
    this.#agent.value = agent;
    this.#form.value = form;
    if (this.#text.value !== text) this.#text.value = text;
    this.#empty.hidden = agents.length > 0;
    this.#agent.hidden = agents.length === 0;
    this.#hint();
  }

  #tell({ state, words }: ComposerState): void {
    setText(this.#words, words);
    this.#icon.replaceChildren(...(state === 'idle' ? [] : [buildStatusIcon(STATE_ICONS[state])]));
    if (state === 'ok' || state === 'error') this.#words.scrollIntoView({ block: 'nearest' });
    this.#send.disabled = state === 'working';
    this.#stop.hidden = state !== 'working';
  }

  #drawReply(text: string): void {
    // Who has scrolled up reads there: only the end follows what comes.
    const { scrollTop, clientHeight, scrollHeight } = this.#reply;
    const isAtEnd = scrollTop + clientHeight >= scrollHeight - 4;
    setText(this.#reply, text);
    this.#reply.hidden = this.#openReply.hidden = text === '';
    if (isAtEnd && !this.#stop.hidden) this.#reply.scrollTop = this.#reply.scrollHeight;
    if (text !== '' && this.#stop.hidden) this.#reply.scrollIntoView({ block: 'nearest' });
  }

  #hint(): void {
    this.#text.placeholder = PLACEHOLDERS[this.#draft().form];
  }

  #change(): void {
    this.#hint();
    this.#step('draft');
  }

  #step(type: DraftStep['type']): void {
    if (type === 'send' && this.#send.disabled) return;
    this.#host.post({ type, draft: this.#draft() });
  }

  #draft(): Draft {
    const form = DRAFT_FORMS.find(({ id }) => id === this.#form.value)?.id ?? 'plain';
    return { agent: this.#agent.value, form, text: this.#text.value };
  }
}

function buildButton(label: string, onClick: () => void, className = 'button'): HTMLButtonElement {
  return element('button', { class: className, attributes: { type: 'button' }, onClick }, label);
}
