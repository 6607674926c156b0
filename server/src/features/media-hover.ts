import type { OpenDocument } from '../../../language/support.ts';
import {
  describeMedium,
  type Medium,
  plainBase64,
  readMediaBytes,
  type MediaReading,
  readPictureHead,
  type PictureHead,
} from '../../../language/media/media.ts';
import { escapeMarkdown, fenceCode } from '../../../core/text/markup.ts';
import { touchesOffset, type Span } from '../../../core/text/span.ts';
import { mediaOf } from '../document-media.ts';
import { pictureMarkdown } from '../markup.ts';

/** VS Code cuts Markdown of more than 100,000 characters, which would destroy the picture. */
const MAX_CHARACTERS = 90_000;
/** Maximum width and height of a picture in a hover, and the size below which it is enlarged, in screen pixels. */
const [WIDEST, HIGHEST, SMALLEST] = [320, 180, 64];
/** Maximum number of pixels; larger pictures take an editor seconds to draw. */
const MAX_PIXELS = 16_000_000;

/**
 * Describes the picture, sound, video or file at an offset in Markdown; undefined if there is none.
 *
 * @param pictures whether the client shows pictures in Markdown
 */
export function hoverMedium(
  document: OpenDocument,
  offset: number,
  pictures: 'shown' | 'not shown',
): { readonly span: Span; readonly markdown: string } | undefined {
  const medium = mediaOf(document).media.find(({ span }) => touchesOffset(span, offset));
  if (!medium) return undefined;
  const { content, kind, name, span } = medium;
  const reading = 'base64' in content ? readMediaBytes(content.base64) : undefined;
  const named = name === undefined ? [] : [`named ${name}`];
  const facts = [...named, ...describeMedium(medium, reading)].map(escapeMarkdown);
  // In one paragraph, because a hover is 250 pixels high and the picture should be visible as a whole.
  const parts = [[`**${kind}**`, ...facts].join(' · ')];
  if ('address' in content) parts.push(fenceCode(content.address, 'text'));
  else if (reading?.kind === 'ok' && pictures === 'shown') parts.push(...drawPicture(medium, reading));
  return { span, markdown: parts.join('\n\n') };
}

/** The picture with the type recognised from its bytes, or a note that it is too large for a hover. */
function drawPicture(
  { content }: Medium,
  { bytes }: MediaReading & { readonly kind: 'ok' },
): readonly string[] {
  const head = readPictureHead(bytes);
  if (!head || !('base64' in content)) return [];
  const base64 = plainBase64(content.base64);
  if (base64.length > MAX_CHARACTERS || head.width * head.height > MAX_PIXELS)
    return ['Too large to be shown here: `Show image` above its line opens it.'];
  const source = `data:${head.mediaType};base64,${base64}${shownSize(head)}`;
  return [pictureMarkdown(`Picture, ${head.width} by ${head.height} pixels`, source)];
}

/** The display size, as VS Code's Markdown expects it after an address; a hover would cut off a larger picture. */
function shownSize({ width, height }: PictureHead): string {
  if (width === 0 || height === 0) return '';
  const fit = Math.min(WIDEST / width, HIGHEST / height, 1);
  const enlarged = Math.max(1, Math.floor(SMALLEST / Math.max(width, height)));
  const scale = fit < 1 ? fit : enlarged;
  if (scale === 1) return '';
  const pixels = (side: number): number => Math.max(1, Math.round(side * scale));
  return `|width=${pixels(width)},height=${pixels(height)}`;
}
