import type { OpenDocument } from '../../../language/support.ts';
import { describeMedium } from '../../../language/media/describe-media.ts';
import type { Medium } from '../../../language/media/media.ts';
import { readPictureHead, type PictureHead } from '../../../language/media/picture-size.ts';
import { plainBase64, readMediaBytes, type MediaReading } from '../../../language/media/read-media.ts';
import { escapeMarkdown, fenceCode } from '../../../core/text/markdown.ts';
import { touchesOffset, type Span } from '../../../core/text/span.ts';
import { mediaOf } from '../document-media.ts';
import { pictureMarkdown } from '../markup.ts';

/** VS Code cuts Markdown of more than 100,000 characters, and a picture with it. */
const MOST_CHARACTERS = 90_000;
/** Pixels of the screen that a picture takes in a hover at most, and at least. */
const [WIDEST, HIGHEST, SMALLEST] = [320, 180, 64];
/** More are seconds of work for an editor. */
const MOST_PIXELS = 16_000_000;

/**
 * What is to be known of the picture, sound, video or file at an offset, as Markdown; undefined where none stands.
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
  // One paragraph: a hover is 250 pixels high, and the picture is to be seen whole.
  const parts = [[`**${kind}**`, ...facts].join(' · ')];
  if ('address' in content) parts.push(fenceCode(content.address, 'text'));
  else if (reading?.kind === 'ok' && pictures === 'shown') parts.push(...drawPicture(medium, reading));
  return { span, markdown: parts.join('\n\n') };
}

/** The picture, of a type that its bytes say; or that it is too large to be shown here. */
function drawPicture(
  { content }: Medium,
  { bytes }: MediaReading & { readonly kind: 'ok' },
): readonly string[] {
  const head = readPictureHead(bytes);
  if (!head || !('base64' in content)) return [];
  const base64 = plainBase64(content.base64);
  if (base64.length > MOST_CHARACTERS || head.width * head.height > MOST_PIXELS)
    return ['Too large to be shown here: `Show image` above its line opens it.'];
  const source = `data:${head.mediaType};base64,${base64}${shownSize(head)}`;
  return [pictureMarkdown(`Picture, ${head.width} by ${head.height} pixels`, source)];
}

/** How large it is drawn, as VS Code's Markdown says it behind an address: a hover would cut off a larger picture. */
function shownSize({ width, height }: PictureHead): string {
  if (width === 0 || height === 0) return '';
  const fit = Math.min(WIDEST / width, HIGHEST / height, 1);
  const enlarged = Math.max(1, Math.floor(SMALLEST / Math.max(width, height)));
  const scale = fit < 1 ? fit : enlarged;
  if (scale === 1) return '';
  const pixels = (side: number): number => Math.max(1, Math.round(side * scale));
  return `|width=${pixels(width)},height=${pixels(height)}`;
}
