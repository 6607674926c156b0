import { showBytes } from '../../../../tensor/size-words.ts';
import { countOf } from '../../../../core/text/count.ts';
import type { HeadEvent } from '../../../../core/events/events.ts';
import type { ShownBytes } from '../../../../core/events/bytes.ts';
import { FactTable } from '../../shared/fact-list.ts';
import { Fold } from '../../shared/fold.ts';
import { growingText } from '../../shared/growing-text.ts';
import type { PackedText } from './wire-text.ts';
import { h, type View } from '../../shared/view.ts';

/** A head with the bytes that follow it, or bytes without a head. */
export interface Message {
  readonly head: HeadEvent | undefined;
  /** The bytes, decompressed. */
  readonly wire: ShownBytes;
  /** The compressed bytes, if they were compressed. */
  readonly packed: PackedText | undefined;
}

interface ExchangeProps {
  readonly title: string;
  /** The messages of one direction of a call. There are several if the connection sent other requests first. */
  readonly messages: readonly Message[];
  /** The number of bytes on the wire, including those that are not stored here. */
  readonly bytes: number;
  readonly pieces?: number;
  /** Opens the messages as a document. */
  readonly onOpen?: () => void;
}

/** One direction of a call: heads with headers, and bytes. */
export function Exchange({ title, messages, bytes, pieces = 1, onOpen }: ExchangeProps): View {
  const onWire = messages.reduce((sum, { wire, packed }) => sum + (packed ?? wire).bytes, 0);
  const more = bytes - onWire + messages.reduce((sum, { wire }) => sum + wire.hidden, 0);
  const label = `Open ${title.toLowerCase()}`;
  return h(
    'section',
    { class: 'exchange' },
    h(
      'h2',
      {},
      title,
      h('span', { class: 'size' }, describeSize(messages, bytes, pieces)),
      onOpen && bytes > 0
        ? h(
            'button',
            { class: 'button', type: 'button', title: `${label} as a document`, onClick: onOpen },
            label,
          )
        : undefined,
    ),
    messages.map(message => h(MessageBody, { title, message })),
    messages.length > 0 && more > 0
      ? h('p', { class: 'hidden-part' }, `${showBytes(more)} more are not shown here.`)
      : undefined,
  );
}

function describeSize(messages: readonly Message[], bytes: number, pieces: number): string {
  if (bytes === 0) return 'nothing';
  const inPieces = pieces > 1 ? ` in ${countOf(pieces, 'chunk')}` : '';
  const packed = messages.some(message => message.packed) ? ', compressed' : '';
  const hex = messages.some(({ wire }) => wire.kind === 'hex') ? ', not UTF-8' : '';
  return `${showBytes(bytes)}${inPieces}${packed}${hex}`;
}

function MessageBody({ title, message: { head, wire, packed } }: { title: string; message: Message }): View {
  const label = `${title}, as it was on the wire`;
  const body = { class: wire.kind === 'hex' ? 'body hex' : 'body', tabIndex: 0, 'aria-label': label };
  return h(
    'div',
    { class: 'message' },
    head ? h('p', { class: 'head-line' }, head.line) : undefined,
    head && head.headers.length > 0
      ? h(Fold, {
          class: 'fold',
          summary: countOf(head.headers.length, 'header'),
          content: () => h(FactTable, { rows: head.headers.map(rowOfHeader) }),
        })
      : undefined,
    wire.bytes > 0 ? h('pre', { ...body, ...growingText(wire.text) }) : undefined,
    packed
      ? h(Fold, {
          class: 'fold',
          summary: `Compressed, ${showBytes(packed.bytes)} as they were on the wire`,
          content: () =>
            h('pre', { class: 'body hex', tabIndex: 0, 'aria-label': `${label}, compressed` }, packed.text),
        })
      : undefined,
  );
}

function rowOfHeader({ name, value, redacted }: HeadEvent['headers'][number]): {
  name: string;
  value: string;
} {
  return { name, value, ...(redacted === undefined ? {} : { class: 'redacted' }) };
}
