import { MEDIA_KINDS, type MediaKind } from '../catalog/media.ts';
import { hasShape, isRecord } from './guard.ts';

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

/** Guards what arrives in the page. */
export function isShowMedia(value: unknown): value is ShowMedia {
  if (!hasShape(value, { type: 'string', kind: 'string', title: 'string', content: 'object' })) return false;
  const { type, kind, facts, mediaType, content } = value;
  return (
    type === 'show' &&
    MEDIA_KINDS.some(known => known === kind) &&
    Array.isArray(facts) &&
    facts.every(fact => typeof fact === 'string') &&
    ['string', 'undefined'].includes(typeof mediaType) &&
    isContent(content)
  );
}

function isContent(value: unknown): value is MediaContent {
  if (!isRecord(value)) return false;
  return (
    value['bytes'] instanceof Uint8Array ||
    hasShape(value, { address: 'string', mayOpen: 'boolean' }) ||
    hasShape(value, { problem: 'string' })
  );
}

/** Guards what arrives from the page. */
export function isFromMedia(value: unknown): value is FromMedia {
  return isRecord(value) && ['ready', 'save', 'open', 'copy'].some(type => type === value['type']);
}
