import type { ToForm } from '../../../wire/form-messages.ts';
import type { ComposerReply, ComposerTool, ShowTools } from '../../../wire/composer-messages.ts';
import { Button } from '../shared/buttons.ts';
import { element } from '../shared/element.ts';
import { FormView } from '../shared/form/form-view.ts';
import { Icon, StatusIcon } from '../shared/icons.ts';
import { draw, h, type Content, type View } from '../shared/view.ts';
import type { Post } from './page-host.ts';
import { ReplyBody } from './reply-body.ts';
import { CallLinks } from './reply-pane.ts';

/** The tools of an agent: a list with a filter, and the form of the one that was chosen, with the reply below it. */
export class ToolsView {
  readonly root: HTMLElement;
  readonly #post: Post;
  readonly #list = element('div', { class: 'contents' });
  readonly #head = element('div', { class: 'contents' });
  readonly #formRoot = element('div', { class: 'tool-form' });
  readonly #reply = element('div', { class: 'contents' });
  readonly #open: HTMLElement;
  #form: FormView | undefined;
  #agent = '';
  #shown: ShowTools | undefined;
  #filter = '';

  constructor(post: Post) {
    this.#post = post;
    this.#open = element('div', { class: 'tool stack' }, this.#head, this.#formRoot, this.#reply);
    this.root = element('div', { class: 'tools stack' }, this.#list, this.#open);
  }

  show(agent: string, shown: ShowTools): void {
    const before = agent === this.#agent ? this.#shown?.open : undefined;
    if (agent !== this.#agent) this.#filter = '';
    this.#agent = agent;
    this.#shown = shown;
    if (before !== shown.open) this.#openForm(shown.open);
    this.#draw();
    if (before !== undefined && before !== '' && shown.open === '') this.#focusRow(before);
  }

  receive(message: ToForm): void {
    this.#form?.receive(message);
  }

  showReply({ call, parts, state }: ComposerReply): void {
    draw(
      this.#reply,
      parts && h(ReplyBody, { parts, post: this.#post }),
      call === '' || state === 'working' ? undefined : h(CallLinks, { call, post: this.#post }),
    );
  }

  #openForm(tool: string): void {
    this.#formRoot.replaceChildren();
    this.#form = undefined;
    if (tool === '') return;
    const root = element('div', { class: 'contents' });
    this.#formRoot.append(root);
    this.#form = new FormView(root, message => this.#post({ type: 'form', message }));
  }

  #draw(): void {
    const { open = '' } = this.#shown ?? {};
    this.#open.hidden = open === '';
    draw(this.#list, open === '' && this.#buildList());
    draw(
      this.#head,
      h(
        'button',
        {
          type: 'button',
          class: 'button back',
          onClick: () => this.#post({ type: 'openTool', tool: '' }),
        },
        h(Icon, { name: 'chevron-left' }),
        'All tools',
      ),
    );
  }

  #buildList(): Content {
    const { state, tools, problem } = this.#shown ?? { state: 'unknown', tools: [], problem: '' };
    if (state === 'loading')
      return h(
        'p',
        { class: 'state bar' },
        h('span', { class: 'icon' }, h(StatusIcon, { status: 'open' })),
        h('span', { role: 'status' }, `Asking ${this.#agent} for its tools`),
      );
    if (tools.length === 0) return this.#buildNone(state, problem);
    const wanted = this.#filter.toLowerCase();
    const found = tools.filter(({ name, description }) =>
      [name, description].some(text => text.toLowerCase().includes(wanted)),
    );
    return [
      h('input', {
        type: 'text',
        class: 'filter',
        placeholder: 'Filter tools',
        'aria-label': 'Filter tools',
        value: this.#filter,
        onInput: event => {
          this.#filter = event.currentTarget.value;
          this.#draw();
        },
      }),
      h(
        'ul',
        { class: 'tool-list list', 'aria-label': `Tools of ${this.#agent}` },
        found.map(tool => this.#buildRow(tool)),
      ),
      found.length === 0 &&
        h('p', { class: 'muted', role: 'status' }, `None of the ${tools.length} tools has this text.`),
    ];
  }

  #buildRow({ name, description }: ComposerTool): View {
    return h(
      'li',
      { key: name },
      h(
        'button',
        {
          type: 'button',
          class: 'tool-row bar',
          title: description || name,
          'data-tool': name,
          onClick: () => this.#post({ type: 'openTool', tool: name }),
        },
        h('span', { class: 'tool-name clip' }, name),
        h('span', { class: 'muted clip' }, description),
      ),
    );
  }

  #buildNone(state: ShowTools['state'], problem: string): Content {
    const isKnown = state === 'loaded';
    const words = isKnown
      ? `${this.#agent} lists no tools.`
      : `The tools of ${this.#agent} are not loaded yet.`;
    return [
      h('p', { class: 'muted' }, words),
      problem !== '' && h('p', { class: 'fault', role: 'alert' }, problem),
      h(Button, {
        class: 'button primary',
        label: isKnown || problem !== '' ? 'Load again' : 'Load tools',
        onClick: () => this.#post({ type: 'loadTools' }),
      }),
    ];
  }

  #focusRow(tool: string): void {
    const rows = this.root.querySelectorAll<HTMLElement>('.tool-row');
    [...rows].find(row => row.dataset['tool'] === tool)?.focus();
  }
}
