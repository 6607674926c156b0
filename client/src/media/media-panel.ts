import { env, Uri, type Disposable } from 'vscode';
import { describeMedium } from '../../../language/media/describe-media.ts';
import type { Medium } from '../../../language/media/media.ts';
import { readMediaBytes, type MediaReading } from '../../../language/media/read-media.ts';
import {
  isFromMedia,
  type FromMedia,
  type MediaContent,
  type ShowMedia,
} from '../../../wire/media-messages.ts';
import { describeError } from '../log.ts';
import { showError } from '../messages.ts';
import { openPanel, type Panel } from '../panels/panel-host.ts';
import { saveMedium } from './save-medium.ts';

const TITLES = { image: 'Image', audio: 'Audio', video: 'Video', file: 'File' };

/** The one panel that shows a picture, sound or video of a message. It loads nothing: what is elsewhere is a link. */
export class MediaPanel implements Disposable {
  readonly #extension: Uri;
  #panel: Panel<ShowMedia> | undefined;
  #isReady = false;
  #shown: Medium | undefined;

  constructor(extension: Uri) {
    this.#extension = extension;
  }

  /** Shows a medium, in the panel that is open or a new one beside. */
  show(medium: Medium): void {
    this.#shown = medium;
    if (this.#panel) this.#panel.reveal();
    else this.#panel = this.#open();
    this.#panel.setTitle(titleOf(medium));
    this.#tell();
  }

  dispose(): void {
    this.#panel?.dispose();
  }

  #open(): Panel<ShowMedia> {
    this.#isReady = false;
    return openPanel<FromMedia, ShowMedia>(
      this.#extension,
      {
        viewType: 'parley.media',
        title: 'Image',
        bundle: 'media',
        icon: 'parley',
        column: 'beside',
        loads: 'own bytes',
        isMessage: isFromMedia,
        onMessage: message => this.#receive(message),
      },
      () => {
        this.#panel = this.#shown = undefined;
      },
    );
  }

  #tell(): void {
    if (this.#isReady && this.#shown) this.#panel?.post(describeShown(this.#shown));
  }

  #receive(message: FromMedia): void {
    this.#answer(message).catch((error: unknown) =>
      showError(`What the message holds cannot be shown: ${describeError(error)}`),
    );
  }

  async #answer({ type }: FromMedia): Promise<void> {
    if (type === 'ready') {
      // A page that was hidden starts anew and asks again: what it shows is here, not there.
      this.#isReady = true;
      this.#tell();
      return;
    }
    const content = this.#shown?.content;
    if (!this.#shown || !content) return;
    if (type === 'save') await saveMedium(this.#shown);
    else if (!('address' in content)) return;
    else if (type === 'copy') await env.clipboard.writeText(content.address);
    else if (mayOpen(content.address)) await env.openExternal(Uri.parse(content.address, true));
  }
}

function describeShown(medium: Medium): ShowMedia {
  const { kind, mediaType, content } = medium;
  const reading = 'base64' in content ? readMediaBytes(content.base64) : undefined;
  return {
    type: 'show',
    kind,
    title: titleOf(medium),
    facts: describeMedium(medium, reading),
    ...(mediaType !== undefined && { mediaType }),
    content: reading ? contentOf(reading) : addressOf(content),
  };
}

function contentOf(reading: MediaReading): MediaContent {
  // Whole arrays of the plain class, as a message has to have.
  return reading.kind === 'ok' ? { bytes: Uint8Array.from(reading.bytes) } : { problem: reading.problem };
}

function addressOf(content: Medium['content']): MediaContent {
  const address = 'address' in content ? content.address : '';
  return { address, mayOpen: mayOpen(address) };
}

/** Other addresses, such as those of files or commands, are for the user to look at. */
function mayOpen(address: string): boolean {
  return /^https?:\/\//i.test(address);
}

function titleOf({ kind, name }: Medium): string {
  return name ?? TITLES[kind];
}
