import { MEDIA_KINDS, type MediaKind } from '../core/catalog/media.ts';
import {
  isBoolean,
  isListOf,
  isMessage,
  isOneOf,
  isOptional,
  isShape,
  isString,
  type Guard,
} from '../core/guard.ts';

/** The extension to the page: show a medium in the place of the one before. */
export interface ShowMedia {
  readonly type: 'show';
  readonly kind: MediaKind;
  /** What it is called. */
  readonly title: string;
  /** What is to be known of it, one by one. */
  readonly facts: readonly string[];
  /** A media type, for the page's own player. */
  readonly mediaType?: string;
  readonly content: MediaContent;
}

/** Its bytes; where it is, which is opened only by the user; or why nothing can be shown. */
export type MediaContent =
  | { readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly address: string; readonly mayOpen: boolean }
  | { readonly problem: string };

/** The page to the extension: its script runs; save the medium in a file; open its address; copy its address. */
export interface FromMedia {
  readonly type: 'ready' | 'save' | 'open' | 'copy';
}

const isContent: Guard<MediaContent> = (value): value is MediaContent =>
  hasBytes(value) || hasAddress(value) || hasProblem(value);

const hasBytes = isShape<{ bytes: Uint8Array }>({
  bytes: (value): value is Uint8Array => value instanceof Uint8Array,
});
const hasAddress = isShape<{ address: string; mayOpen: boolean }>({ address: isString, mayOpen: isBoolean });
const hasProblem = isShape<{ problem: string }>({ problem: isString });

/** Guards what arrives in the page. */
export const isShowMedia = isMessage<ShowMedia>({
  show: {
    kind: isOneOf(MEDIA_KINDS),
    title: isString,
    facts: isListOf(isString),
    mediaType: isOptional(isString),
    content: isContent,
  },
});

/** Guards what arrives from the page. */
export const isFromMedia = isMessage<FromMedia>({ ready: {}, save: {}, open: {}, copy: {} });
