import {
  isShowMedia,
  type FromMedia,
  type MediaContent,
  type ShowMedia,
} from '../../../wire/media-messages.ts';
import { element, setText } from '../shared/element.ts';
import { connectHost } from '../shared/host.ts';
import { buildStatusIcon } from '../shared/status-icon.ts';
import { buildPicture } from './picture.ts';

/** The page that shows a picture, sound or video of a message. Its bytes come by message; it loads nothing. */
export class MediaPage {
  readonly #host = connectHost<ShowMedia, FromMedia>(isShowMedia, message => this.#show(message));
  readonly #title = element('h1', { class: 'title' });
  readonly #facts = element('p', { class: 'facts muted' });
  readonly #save = element(
    'button',
    { class: 'button', attributes: { type: 'button' }, onClick: () => this.#host.post({ type: 'save' }) },
    'Save as…',
  );
  readonly #tools = element('div', { class: 'tools' });
  readonly #stage = element('div', { class: 'stage' });
  /** The address of the bytes in this page. */
  #address: string | undefined;

  constructor(root: HTMLElement) {
    const words = element('div', { class: 'words' }, this.#title, this.#facts);
    const actions = element('div', { class: 'actions' }, this.#tools, this.#save);
    root.replaceChildren(
      element('div', { class: 'media' }, element('header', { class: 'header' }, words, actions), this.#stage),
    );
    this.#save.hidden = true;
    this.#host.post({ type: 'ready' });
  }

  #show(message: ShowMedia): void {
    if (this.#address !== undefined) URL.revokeObjectURL(this.#address);
    this.#address = undefined;
    setText(this.#title, message.title);
    setText(this.#facts, message.facts.join(' · '));
    this.#save.hidden = !('bytes' in message.content);
    this.#tools.replaceChildren();
    this.#stage.replaceChildren(this.#build(message, message.content));
  }

  #build(message: ShowMedia, content: MediaContent): HTMLElement {
    if ('problem' in content) return buildNote('error', `${content.problem}.`);
    if ('address' in content) return this.#buildLink(content);
    const { kind, mediaType, facts } = message;
    const type = mediaType === undefined ? {} : { type: mediaType };
    const address = URL.createObjectURL(new Blob([content.bytes], type));
    this.#address = address;
    const onFault = (): void => this.#stage.replaceChildren(buildNote('error', FAULTS[kind]));
    if (kind === 'audio' || kind === 'video') return buildPlayer(kind, address, facts, onFault);
    if (kind === 'file') return buildNote('incomplete', FAULTS.file);
    const picture = buildPicture(address, facts.join(', '), onFault);
    this.#tools.replaceChildren(picture.tool);
    return picture.root;
  }

  #buildLink({ address, mayOpen }: { readonly address: string; readonly mayOpen: boolean }): HTMLElement {
    const copy = element(
      'button',
      { class: 'button', attributes: { type: 'button' }, onClick: () => this.#host.post({ type: 'copy' }) },
      'Copy address',
    );
    this.#tools.replaceChildren(copy);
    const words = mayOpen
      ? element(
          'button',
          {
            class: 'link code',
            attributes: { type: 'button', title: 'Open in the browser' },
            onClick: () => this.#host.post({ type: 'open' }),
          },
          address,
        )
      : element('span', { class: 'code' }, address);
    const why = 'Nothing is loaded from elsewhere by itself. It is here:';
    return element('div', { class: 'note' }, element('div', {}, element('p', {}, why), words));
  }
}

const FAULTS = {
  image: 'These bytes are no picture that VS Code can draw. Save them, and open them elsewhere.',
  audio: 'VS Code cannot play this. Save it, and open it elsewhere.',
  video: 'VS Code cannot play this. Save it, and open it elsewhere.',
  file: 'A file is not shown. Save it, and open it elsewhere.',
};

function buildNote(status: 'error' | 'incomplete', words: string): HTMLElement {
  return element(
    'div',
    { class: 'note', role: 'status' },
    element('span', { class: 'icon' }, buildStatusIcon(status)),
    words,
  );
}

function buildPlayer(
  kind: 'audio' | 'video',
  address: string,
  facts: readonly string[],
  onFault: () => void,
): HTMLElement {
  const player = element(kind, { class: 'player', attributes: { 'aria-label': facts.join(', ') } });
  player.controls = true;
  player.addEventListener('error', () => onFault());
  player.src = address;
  return player;
}
