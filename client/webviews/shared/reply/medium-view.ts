import { Component } from 'preact';
import {
  describeMedium,
  readMediaBytes,
  readPictureHead,
  type MediaReading,
} from '../../../../language/media/media.ts';
import type { PartMedium } from '../../../../protocols/reply-parts/part.ts';
import { Button } from '../buttons.ts';
import { h, type Content, type View } from '../view.ts';
import type { TextHost } from './markdown.ts';

/** Larger pictures are opened in VS Code's viewer, because drawing them takes too much memory. */
const MOST_PIXELS = 40_000_000;

interface MediumProps {
  readonly id: string;
  readonly title: string;
  readonly medium: PartMedium;
  readonly host: MediaHost;
}

/** What the page does for media besides showing them. */
export interface MediaHost extends TextHost {
  /** Opens the medium of a part in VS Code, or saves it; missing if the page cannot. */
  readonly openMedium?: (part: string) => void;
}

/** A picture, a sound, a video or a file, with its type and size. */
export class MediumView extends Component<MediumProps> {
  #url = '';
  #reading: MediaReading | undefined;
  #base64: string | undefined;

  override shouldComponentUpdate({ medium }: MediumProps): boolean {
    const { base64, address } = this.props.medium;
    return medium.base64 !== base64 || medium.address !== address;
  }

  override componentWillUnmount(): void {
    URL.revokeObjectURL(this.#url);
  }

  override render({ id, title, medium, host }: MediumProps): View {
    this.#read(medium);
    const { kind, mediaType, name, address, hidden = 0 } = medium;
    const facts = describeMedium({ kind, mediaType }, this.#reading);
    const what = name || title;
    const said = hidden > 0 ? [mediaType ?? kind, 'Too large to be shown here'] : facts;
    return h(
      'figure',
      { class: 'medium' },
      this.#show(medium, what),
      h(
        'figcaption',
        {},
        h('span', {}, [name ?? '', ...said].filter(Boolean).join(' · ')),
        address !== undefined &&
          h(Button, { class: 'link', label: address, title: address, onClick: () => host.open(address) }),
        address === undefined &&
          host.openMedium &&
          h(Button, {
            label: kind === 'file' ? 'Save…' : 'Open',
            onClick: () => host.openMedium?.(id),
          }),
      ),
    );
  }

  #show({ kind }: PartMedium, what: string): Content {
    const reading = this.#reading;
    if (reading?.kind !== 'ok' || this.#url === '') return undefined;
    if (kind === 'audio') return h('audio', { controls: true, src: this.#url, 'aria-label': what });
    if (kind === 'video') return h('video', { controls: true, src: this.#url, 'aria-label': what });
    if (kind !== 'image') return undefined;
    const head = readPictureHead(reading.bytes);
    if (head && head.width * head.height > MOST_PIXELS) return undefined;
    const shown = { src: this.#url, alt: what };
    return h('img', head ? { ...shown, width: head.width, height: head.height } : shown);
  }

  #read({ base64, mediaType }: PartMedium): void {
    if (base64 === this.#base64) return;
    this.#base64 = base64;
    URL.revokeObjectURL(this.#url);
    this.#reading = base64 === undefined ? undefined : readMediaBytes(base64);
    if (this.#reading?.kind !== 'ok') {
      this.#url = '';
      return;
    }
    const bytes = new Uint8Array(this.#reading.bytes);
    this.#url = URL.createObjectURL(new Blob([bytes], mediaType === undefined ? {} : { type: mediaType }));
  }
}
