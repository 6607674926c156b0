import {
  COMPOSER_MODES,
  isComposerMode,
  type ComposerAgent,
  type ComposerMode,
  type DraftStep,
  type FromComposer,
  type ShowComposer,
  type ToComposer,
} from '../../../wire/composer-messages.ts';
import { Button, Select } from '../shared/buttons.ts';
import { element } from '../shared/element.ts';
import { connectHost } from '../shared/host.ts';
import { draw, h, type Content } from '../shared/view.ts';
import { ChatView } from './chat-view.ts';
import { TextView } from './text-view.ts';
import { ToolsView } from './tools-view.ts';

/** The page of Compose: the agent and how to write to it, and below a chat, its tools, or a text. */
export class ComposerPage {
  readonly #host = connectHost<ToComposer, FromComposer>(message => this.#receive(message));
  readonly #head = element('div', { class: 'head' });
  readonly #chat = new ChatView({
    post: message => this.#host.post(message),
    onChange: () => this.#step('draft', 0),
    onSend: () => this.#say(),
  });
  readonly #tools = new ToolsView(message => this.#host.post(message));
  readonly #text = new TextView({
    post: message => this.#host.post(message),
    onStep: (type, cursor) => this.#step(type, cursor),
  });
  #agents: readonly ComposerAgent[] = [];
  #agent = '';
  /** The agent that was chosen last, which may not be shown yet. */
  #chosen = '';
  #mode: ComposerMode = 'chat';
  #number = 0;
  #choice = 0;

  constructor(root: HTMLElement) {
    const views = [this.#chat.root, this.#tools.root, this.#text.root];
    for (const view of views) view.hidden = true;
    root.replaceChildren(element('div', { class: 'composer stack' }, this.#head, ...views));
    this.#host.post({ type: 'ready' });
  }

  #receive(message: ToComposer): void {
    switch (message.type) {
      case 'show':
        return this.#show(message);
      case 'chat':
        return this.#chat.show(this.#agent, message.turns);
      case 'turn':
        return this.#chat.showTurn(message.turn);
      case 'files':
        return this.#chat.showFiles(message);
      case 'tools':
        return this.#tools.show(this.#agent, message);
      case 'form':
        return this.#tools.receive(message.message);
      case 'reply':
        if (this.#mode === 'tools') this.#tools.showReply(message.reply);
        else if (this.#mode !== 'chat') this.#text.showReply(message.reply);
        return;
      case 'checked':
        if (message.draft === this.#number) this.#text.check(message);
        return;
      case 'proposals':
        if (message.draft === this.#number) this.#text.propose(message);
        return;
    }
  }

  #show({ agents, draft, example, choice, takesFocus }: ShowComposer): void {
    // The answer to a later choice follows.
    if (choice !== this.#choice) return;
    for (const input of [this.#chat.input, this.#text.input]) input.disabled = false;
    const isSame = draft.agent === this.#agent && draft.mode === this.#mode;
    this.#agents = agents;
    this.#agent = this.#chosen = draft.agent;
    this.#mode = draft.mode;
    const isThere = agents.length > 0;
    this.#chat.root.hidden = !isThere || this.#mode !== 'chat';
    this.#tools.root.hidden = !isThere || this.#mode !== 'tools';
    this.#text.root.hidden = !isThere || this.#mode === 'chat' || this.#mode === 'tools';
    if (!this.#text.root.hidden) this.#text.show(isSame ? this.#text.input.value : draft.text, example);
    if (this.#mode === 'chat') {
      if (!isSame) this.#chat.input.value = draft.text;
      this.#chat.draw();
    }
    this.#draw();
    if (takesFocus) this.#focus();
  }

  #draw(): void {
    draw(this.#head, this.#agents.length === 0 ? this.#buildEmpty() : this.#buildSelects());
  }

  #buildEmpty(): Content {
    return h(
      'div',
      { class: 'none stack' },
      h('p', {}, 'Here you write to an agent: as a chat, by the forms of its tools, or in JSON.'),
      h('p', { class: 'muted' }, 'There is no agent yet.'),
      h(Button, {
        class: 'button primary',
        label: 'Add agent',
        onClick: () => this.#host.post({ type: 'addAgent' }),
      }),
    );
  }

  #buildSelects(): Content {
    const modes = this.#agents.find(({ name }) => name === this.#agent)?.modes ?? [];
    return [
      h(Select, {
        class: 'agent',
        'aria-label': 'Agent',
        options: this.#agents.map(({ name }) => ({ value: name, label: name })),
        value: this.#agent,
        onChoose: agent => this.#choose(agent),
      }),
      h(Select, {
        'aria-label': 'Mode',
        options: COMPOSER_MODES.filter(({ id }) => modes.includes(id)).map(({ id, title }) => ({
          value: id,
          label: title,
        })),
        value: this.#mode,
        onChoose: mode => {
          if (isComposerMode(mode)) this.#choose(this.#chosen, mode);
        },
      }),
    ];
  }

  /** Nothing can be typed until the extension shows the text of the choice. */
  #choose(agent: string, mode?: ComposerMode): void {
    this.#chosen = agent;
    for (const input of [this.#chat.input, this.#text.input]) input.disabled = true;
    this.#host.post({ type: 'choose', agent, ...(mode && { mode }), choice: ++this.#choice });
  }

  #focus(): void {
    const field = this.#mode === 'tools' ? this.#tools.root.querySelector<HTMLElement>('input') : undefined;
    (field ?? (this.#mode === 'chat' ? this.#chat.input : this.#text.input)).focus();
  }

  #say(): void {
    this.#step('send', 0);
    this.#chat.input.value = '';
    this.#chat.draw();
  }

  #step(type: DraftStep['type'], cursor: number): void {
    if (type === 'draft') this.#number += 1;
    const text = this.#mode === 'chat' ? this.#chat.input.value : this.#text.input.value;
    const draft = { agent: this.#agent, mode: this.#mode, text };
    this.#host.post({ type, draft, number: this.#number, cursor });
  }
}
