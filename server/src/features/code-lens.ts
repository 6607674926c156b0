import {
  CodeLensRefreshRequest,
  CodeLensRequest,
  type CodeLens,
  type Position,
  type Range,
} from 'vscode-languageserver';
import type { OpenDocument } from '../../../language/support.ts';
import { MEDIA_ACTIONS } from '../../../language/media/media.ts';
import { firstAtLeast } from '../../../core/text/number-list.ts';
import type { Span } from '../../../core/text/span.ts';
import { SEND_COMMAND } from '../../../wire/server-messages.ts';
import { CONVERT_COMMAND } from '../../../wire/conversion-requests.ts';
import { MEDIA_COMMAND } from '../../../wire/media-requests.ts';
import { INSPECT_COMMAND } from '../../../wire/tensor-requests.ts';
import { mediaOf } from '../document-media.ts';
import type { Snapshot } from '../documents.ts';
import { toPosition, toRange } from '../lsp.ts';
import { requestFeature, type FeatureHost } from './feature.ts';
import type { TokenLensData } from './token-lens.ts';

/** Maximum number of code lenses of a kind in a file. */
const MAX_LENSES = 1000;
/** Maximum number of code lenses on a line. */
const MAX_IN_LINE = 20;

/**
 * Code lenses, as far as the client supports them: Send above requests, Convert above messages, Inspect above
 * tensors, Show above media and, if switched on in the settings, token counts above messages.
 */
export const codeLens = requestFeature({
  name: 'codeLens',
  type: CodeLensRequest.type,
  capabilities: () => ({ codeLensProvider: { resolveProvider: true } }),
  neutral: null,
  answer(snapshot, _params, host) {
    const { canSend, needsTrust, canConvert, canInspect, canShowMedia } = host.options();
    const wantsTokens = snapshot.settings['codeLens.tokens'];
    const groups = canConvert || wantsTokens ? groupMessages(snapshot) : [];
    return [
      ...(canSend || needsTrust ? sendLenses(snapshot, canSend ? SEND : SEND_WHEN_TRUSTED) : []),
      ...(canConvert ? convertLenses(snapshot, groups) : []),
      ...(wantsTokens ? groups.map(group => tokenLens(snapshot, group)) : []),
      ...(canInspect ? inspectLenses(snapshot, host) : []),
      ...(canShowMedia ? mediaLenses(snapshot, host) : []),
    ];
  },
  async refresh(host, change) {
    if (change === 'tools' || host.client.workspace?.codeLens?.refreshSupport !== true) return;
    await host.connection.sendRequest(CodeLensRefreshRequest.type);
  },
});

const SEND = '$(play)\u00a0Send';
const SEND_WHEN_TRUSTED = '$(shield)\u00a0Trust the folder to send';

function sendLenses({ document, uri }: Snapshot, title: string): readonly CodeLens[] {
  return document.requests(MAX_LENSES).map(request => {
    const start = toPosition(document, request.span.start);
    return {
      range: { start, end: start },
      command: { title, command: SEND_COMMAND, arguments: [uri, start] },
    };
  });
}

function convertLenses({ uri }: Snapshot, groups: readonly MessageGroup[]): readonly CodeLens[] {
  return groups.map(({ start, place }) => ({
    range: { start, end: start },
    command: { title: '$(arrow-swap)\u00a0Convert', command: CONVERT_COMMAND, arguments: [uri, place] },
  }));
}

/** Messages that share a code lens. */
interface MessageGroup {
  readonly span: Span;
  /** The position of their code lens. */
  readonly start: Position;
  /** The argument of the command: the position of one message, or the range of several. */
  readonly place: Position | Range;
}

/**
 * The first messages, grouped. Each request is a group of its own, at the position of its Send lens. Other messages on
 * consecutive lines, such as the parts of a reply, share a lens, because each lens takes a line on the screen.
 */
function groupMessages({ document }: Snapshot): readonly MessageGroup[] {
  const starts = document.requests(MAX_LENSES).map(({ span }) => span.start);
  // A request starts after its prefix, so its start may be inside the message's span.
  const findRequest = ({ start, end }: Span): number | undefined => {
    const found = starts[firstAtLeast(starts, start)];
    return found !== undefined && found <= end ? found : undefined;
  };
  return groupSpans(document, span => findRequest(span) !== undefined).map(({ first, last, isRun }) => {
    const start = toPosition(document, findRequest(first) ?? first.start);
    const span = { start: first.start, end: last.end };
    return { span, start, place: isRun ? toRange(document, span) : start };
  });
}

interface SpanGroup {
  readonly first: Span;
  last: Span;
  isRun: boolean;
}

function groupSpans(document: OpenDocument, isRequest: (span: Span) => boolean): readonly SpanGroup[] {
  const groups: SpanGroup[] = [];
  let lineAfter = -1;
  for (const span of document.messages()) {
    const line = document.text.lineAt(span.start);
    const group = groups.at(-1);
    const isAlone = isRequest(span);
    if (group && !isAlone && line === lineAfter) {
      group.last = span;
      group.isRun = true;
    } else if (groups.length === MAX_LENSES) break;
    else groups.push({ first: span, last: span, isRun: false });
    lineAfter = isAlone ? -1 : document.text.lineAt(span.end) + 1;
  }
  return groups;
}

/** A code lens without a title, which is resolved when the lens becomes visible. */
function tokenLens(
  { document, uri, version }: Snapshot,
  { span, start, place }: MessageGroup,
): CodeLens & { readonly data: TokenLensData } {
  return { range: { start, end: start }, data: { uri, version, range: toRange(document, span), place } };
}

/** One code lens per tensor on its line; if several share a line, each shows its path. */
function inspectLenses(snapshot: Snapshot, host: FeatureHost): readonly CodeLens[] {
  const lines = groupByLine(snapshot, host, snapshot.document.tensors(), 'tensors');
  return lines.flatMap(found =>
    found.map(({ span, path }) => {
      const title = `$(table)\u00a0${found.length === 1 ? 'Inspect' : `Inspect ${path}`}`.trimEnd();
      return placeLens(snapshot, span, title, INSPECT_COMMAND);
    }),
  );
}

/** One code lens per picture, sound, video or file on its line; if several share a line, each shows a number. */
function mediaLenses(snapshot: Snapshot, host: FeatureHost): readonly CodeLens[] {
  const { media, isCut } = mediaOf(snapshot.document);
  if (isCut) host.reportOnce(snapshot.uri, `only the first ${media.length} images and files have a lens`);
  const lines = groupByLine(snapshot, host, media, 'images and files');
  return lines.flatMap(found =>
    found.map(({ span, kind }, index) => {
      const number = found.length === 1 ? '' : ` ${index + 1}`;
      const title = `$(${MEDIA_ICONS[kind]})\u00a0${MEDIA_ACTIONS[kind]}${number}`;
      return placeLens(snapshot, span, title, MEDIA_COMMAND);
    }),
  );
}

const MEDIA_ICONS = { image: 'file-media', audio: 'unmute', video: 'device-camera-video', file: 'save' };

function placeLens({ document, uri }: Snapshot, span: Span, title: string, command: string): CodeLens {
  const start = toPosition(document, span.start);
  return { range: { start, end: start }, command: { title, command, arguments: [uri, start] } };
}

/** The first places grouped by line; logs if there are more. */
function groupByLine<Place extends { readonly span: Span }>(
  { document, uri }: Snapshot,
  host: FeatureHost,
  places: Iterable<Place>,
  word: string,
): readonly (readonly Place[])[] {
  const lines = new Map<number, Place[]>();
  let count = 0;
  for (const place of places) {
    if (count === MAX_LENSES) {
      host.reportOnce(uri, `only the first ${MAX_LENSES} ${word} have a lens`);
      break;
    }
    const line = document.text.lineAt(place.span.start);
    const found = lines.get(line) ?? [];
    lines.set(line, found);
    if (found.length === MAX_IN_LINE)
      host.reportOnce(uri, `only the first ${MAX_IN_LINE} ${word} of a line have a lens`);
    else {
      found.push(place);
      count++;
    }
  }
  return [...lines.values()];
}
