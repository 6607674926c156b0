import {
  COMPOSER_MODES,
  isComposerMode,
  type ComposerAgent,
  type ComposerMode,
  type FromComposer,
  type ShowComposer,
  type ToComposer,
} from '../../../wire/composer-messages.ts';
import { Button, IconButton, Select } from '../shared/buttons.ts';
import { element } from '../shared/element.ts';
import { connectHost } from '../shared/host.ts';
import { draw, h, type Content } from '../shared/view.ts';
import { ChatView } from './chat-view.ts';
import { ToolsView } from './tools-view.ts';

/** The page of Compose: the agent and how to write to it, and below a chat or its tools. */
export class ComposerPage {
  readonly #host = connectHost<ToComposer, FromComposer>(message => this.#receive(message));
  readonly #head = element('div', { class: 'head' });
  readonly #chat = new ChatView({
    post: message => this.#host.post(message),
    onChange: () => this.#step('draft'),
    onSend: () => this.#say(),
  });
  readonly #tools = new ToolsView(message => this.#host.post(message));
  #agents: readonly ComposerAgent[] = [];
  #agent = '';
  /** The agent that was chosen last, which may not be shown yet. */
  #chosen = '';
  #mode: ComposerMode = 'chat';
  #choice = 0;

  constructor(root: HTMLElement) {
    const views = [this.#chat.root, this.#tools.root];
    for (const view of views) view.hidden = true;
    root.replaceChildren(element('div', { class: 'composer' }, this.#head, ...views));
    this.#host.post({ type: 'ready' });
  }

  #receive(message: ToComposer): void {
    switch (message.type) {
      case 'show':
        this.#show(message);
        return;
      case 'chat':
        this.#chat.show(this.#agent, message.turns);
        return;
      case 'turn':
        this.#chat.showTurn(message.turn);
        return;
      case 'files':
        this.#chat.showFiles(message);
        return;
      case 'tools':
        this.#tools.show(this.#agent, message);
        return;
      case 'form':
        this.#tools.receive(message.message);
        return;
      case 'reply':
        this.#tools.showReply(message.reply);
        return;
    }
  }

  #show({ agents, agent, mode, text, choice, takesFocus }: ShowComposer): void {
    // The answer to a later choice follows.
    if (choice !== this.#choice) return;
    this.#chat.input.disabled = false;
    const isSame = agent === this.#agent && mode === this.#mode;
    this.#agents = agents;
    this.#agent = this.#chosen = agent;
    this.#mode = mode;
    this.#chat.root.hidden = agents.length === 0 || mode !== 'chat';
    this.#tools.root.hidden = agents.length === 0 || mode !== 'tools';
    if (mode === 'chat') {
      if (!isSame) this.#chat.input.value = text;
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
      { class: 'none' },
      h('p', {}, 'Here you write to an agent: as a chat, or by the forms of its tools.'),
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
      modes.length > 1 &&
        h(Select, {
          'aria-label': 'Mode',
          options: COMPOSER_MODES.map(({ id, title }) => ({ value: id, label: title })),
          value: this.#mode,
          onChoose: mode => {
            if (isComposerMode(mode)) this.#choose(this.#chosen, mode);
          },
        }),
      h(IconButton, {
        icon: 'text',
        label: 'Write a request in JSON, AICF or AICL in an editor',
        onClick: () => this.#host.post({ type: 'writeText' }),
      }),
    ];
  }

  /** Nothing can be typed until the extension shows the text of the choice. */
  #choose(agent: string, mode?: ComposerMode): void {
    this.#chosen = agent;
    this.#chat.input.disabled = true;
    this.#host.post({ type: 'choose', agent, ...(mode && { mode }), choice: ++this.#choice });
  }

  #focus(): void {
    const field = this.#mode === 'tools' ? this.#tools.root.querySelector('input') : this.#chat.input;
    field?.focus();
  }

  #say(): void {
    this.#step('send');
    this.#chat.input.value = '';
    this.#chat.draw();
  }

  #step(type: 'draft' | 'send'): void {
    this.#host.post({ type, agent: this.#agent, text: this.#chat.input.value });
  }
}
