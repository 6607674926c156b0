import type { MediaKind } from '../../core/catalog/media.ts';
import type { Span } from '../../core/text/span.ts';

/** A picture, sound, video or file in a text. */
export interface Medium {
  /** What holds it, as it stands in the text: Base64, a data URL or an address. */
  readonly span: Span;
  readonly kind: MediaKind;
  /** As it is named, else as the bytes begin; undefined where nobody knows. Lower case, without parameters. */
  readonly mediaType: string | undefined;
  /** What it is called; undefined where nobody says. */
  readonly name: string | undefined;
  /** Its bytes as Base64, escapes of the text around it included, or where it is. */
  readonly content: { readonly base64: string } | { readonly address: string };
}

/** The first media of a text, in order. */
export interface MediaList {
  readonly media: readonly Medium[];
  /** True where the text has more. */
  readonly isCut: boolean;
}
