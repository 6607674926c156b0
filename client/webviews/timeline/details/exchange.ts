import { showBytes } from '../../../../tensor/size-words.ts';
import { countOf } from '../../../../core/text/count.ts';
import type { HeadEvent } from '../../../../core/events/events.ts';
import type { ShownBytes } from '../../../../core/events/bytes.ts';
import { Button, IconButton } from '../../shared/buttons.ts';
import { FactTable, type TableRow } from '../../shared/fact-list.ts';
import { Fold } from '../../shared/fold.ts';
import { growingText } from '../../shared/growing-text.ts';
import { JsonText } from '../../shared/json-text.ts';
import { h, type Content, type View } from '../../shared/view.ts';
import type { PackedText } from './wire-text.ts';

/** A head with the bytes that follow it, or bytes without a head. */
export interface Message {
  readonly head: HeadEvent | undefined;
  /** The bytes, decompressed. */
  readonly wire: ShownBytes;
  /** The compressed bytes, if they were compressed. */
  readonly packed: PackedText | undefined;
}

/** How texts are shown, and what the user can do with them. */
export interface TextTools {
  /** True if JSON is shown as it was on the wire. */
  readonly isRaw: boolean;
  /** Folds with this text in them are opened; in lower case. */
  readonly find: string;
  readonly onRaw: (isRaw: 'raw' | 'formatted') => void;
  readonly onCopy: (text: string) => void;
}

interface ExchangeProps {
  readonly title: string;
  readonly messages: readonly Message[];
  /** The number of bytes on the wire, including those that are not stored here. */
  readonly bytes: number;
  readonly pieces?: number;
  readonly tools: TextTools;
  /** Opens the messages as a document. */
  readonly onOpen?: () => void;
}

/** One direction of a call: heads with headers, and bytes. */
export function Exchange(props: ExchangeProps): View {
  const { title, messages, bytes, pieces = 1, tools } = props;
  const onWire = messages.reduce((sum, { wire, packed }) => sum + (packed ?? wire).bytes, 0);
  const more = bytes - onWire + messages.reduce((sum, { wire }) => sum + wire.hidden, 0);
  return h(
    'section',
    { class: 'exchange' },
    h(
      'h2',
      {},
      title,
      h('span', { class: 'size muted' }, describeSize(messages, bytes, pieces)),
      bytes > 0 && buildActions(props),
    ),
    messages.map(message => h(MessageBody, { title, message, tools })),
    messages.length > 0 &&
      more > 0 &&
      h('p', { class: 'hidden-part' }, `${showBytes(more)} more are not shown here.`),
  );
}

function buildActions({ title, messages, tools, onOpen }: ExchangeProps): Content {
  const name = title.toLowerCase();
  const texts = messages.flatMap(({ wire }) => (wire.kind === 'text' ? [wire.text] : []));
  return [
    texts.some(text => /[{[]/.test(text)) &&
      h(
        'button',
        {
          class: 'button',
          type: 'button',
          title: 'Show JSON as it was on the wire',
          'aria-pressed': tools.isRaw,
          onClick: () => tools.onRaw(tools.isRaw ? 'formatted' : 'raw'),
        },
        'Raw',
      ),
    texts.length > 0 &&
      h(IconButton, { icon: 'copy', label: `Copy ${name}`, onClick: () => tools.onCopy(texts.join('\n')) }),
    onOpen && h(Button, { label: `Open ${name}`, title: `Open the ${name} as a document`, onClick: onOpen }),
  ];
}

function describeSize(messages: readonly Message[], bytes: number, pieces: number): string {
  if (bytes === 0) return 'nothing';
  const inPieces = pieces > 1 ? ` in ${countOf(pieces, 'chunk')}` : '';
  const packed = messages.some(message => message.packed) ? ', compressed' : '';
  const hex = messages.some(({ wire }) => wire.kind === 'hex') ? ', not UTF-8' : '';
  return `${showBytes(bytes)}${inPieces}${packed}${hex}`;
}

interface MessageProps {
  readonly title: string;
  readonly message: Message;
  readonly tools: Pick<TextTools, 'isRaw' | 'find'>;
}

/** A head and the bytes that follow it. */
export function MessageBody({ title, message: { head, wire, packed }, tools }: MessageProps): View {
  const label = `${title}, as it was on the wire`;
  return h(
    'div',
    { class: 'message' },
    head && h('p', { class: 'head-line code' }, head.line),
    head &&
      head.headers.length > 0 &&
      h(Fold, {
        class: 'fold',
        summary: countOf(head.headers.length, 'header'),
        content: () => h(FactTable, { rows: head.headers.map(rowOfHeader) }),
      }),
    wire.bytes > 0 && buildBody(wire, label, tools),
    packed &&
      h(Fold, {
        class: 'fold',
        summary: `Compressed, ${showBytes(packed.bytes)} as they were on the wire`,
        content: () =>
          h('pre', { class: 'body hex', tabIndex: 0, 'aria-label': `${label}, compressed` }, packed.text),
      }),
  );
}

function buildBody({ kind, text }: ShownBytes, label: string, { isRaw, find }: MessageProps['tools']): View {
  if (kind === 'text' && !isRaw) return h(JsonText, { text, label, find });
  const name = kind === 'hex' ? 'body hex' : 'body';
  return h('pre', { class: name, tabIndex: 0, 'aria-label': label, ...growingText(text) });
}

function rowOfHeader({ name, value, redacted }: HeadEvent['headers'][number]): TableRow {
  return { name, value, ...(redacted === undefined ? {} : { class: 'redacted' }) };
}
