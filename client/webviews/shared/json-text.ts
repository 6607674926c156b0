import { Component } from 'preact';
import { countOf } from '../../../core/text/count.ts';
import { parseJson } from '../../../core/text/json.ts';
import { readJson, type JsonMember, type JsonValue } from '../../../language/json/json-tree.ts';
import { Fold } from './fold.ts';
import { growingText } from './growing-text.ts';
import { h, type Content, type View } from './view.ts';

interface JsonTextProps {
  readonly text: string;
  /** The name of the text for screen readers. */
  readonly label: string;
  /** Folds with this text in them are opened. It must be in lower case. */
  readonly find: string;
}

/** Longer texts are shown as they are, because each value is an element of the page. */
const LONGEST = 200_000;

/** The number of members that are shown at once; the others are in a fold. */
const MAX_MEMBERS = 100;

/** In a longer text, only the outer levels are open at first. */
const SHORT = 10_000;
const OUTER_LEVELS = 2;

/** A text in which JSON is laid out, coloured and foldable: the whole text, or the ends of its lines. */
export class JsonText extends Component<JsonTextProps> {
  override shouldComponentUpdate({ text, find }: JsonTextProps): boolean {
    return text !== this.props.text || find !== this.props.find;
  }

  override render({ text, label, find }: JsonTextProps): View {
    const pieces = text.length > LONGEST ? [] : splitText(text);
    const body = { class: 'body', tabIndex: 0, 'aria-label': label };
    if (!pieces.some(({ root }) => root)) return h('pre', { ...body, ...growingText(text) });
    return h(
      'div',
      { ...body, class: 'body json', role: 'group' },
      pieces.map(piece => {
        const place = { source: piece.text, find, level: 0, isLong: text.length > SHORT };
        return piece.root
          ? buildValue(piece.root, { ...place, before: piece.before, after: '' })
          : h('div', { class: 'json-line' }, piece.text);
      }),
    );
  }
}

/** A part of a text: JSON with what is before it on its line, or text without JSON. */
interface Piece {
  readonly before: string;
  readonly text: string;
  readonly root: JsonValue | undefined;
}

function splitText(text: string): readonly Piece[] {
  const whole = readTree(text);
  if (whole) return [{ before: '', text, root: whole }];
  return text.split('\n').map(line => {
    // Such as `data: {…}` of an event stream, and `OK|{…}` of AICF.
    const [, before = '', json = ''] = /^([^{[]{0,80})([{[].*)$/s.exec(line) ?? [];
    const root = json === '' ? undefined : readTree(json);
    return root ? { before, text: json, root } : { before: '', text: line, root };
  });
}

/** The tree of an object or a list in JSON; undefined for any other text. */
function readTree(text: string): JsonValue | undefined {
  const { root } = typeof parseJson(text) === 'object' ? readJson(text) : {};
  return root && root.members.length > 0 ? root : undefined;
}

interface ValuePlace {
  readonly source: string;
  readonly find: string;
  readonly level: number;
  readonly isLong: boolean;
  /** What is before and after the value on its line. */
  readonly before: Content;
  readonly after: string;
}

const BRACKETS = { object: ['{', '}'], array: ['[', ']'] } as const;

function buildValue(value: JsonValue, place: ValuePlace): View {
  const { source, find, level, isLong, before, after } = place;
  const { kind, members, start, end } = value;
  const text = source.slice(start, end);
  if ((kind !== 'object' && kind !== 'array') || members.length === 0)
    return h('div', { class: 'json-line' }, before, h('span', { class: `json-${kind}` }, text), after);
  const [open, close] = BRACKETS[kind];
  const count = countOf(members.length, kind === 'object' ? 'member' : 'item');
  const isFound = find !== '' && text.toLowerCase().includes(find);
  return h(
    'div',
    { class: 'json-value' },
    h(Fold, {
      class: 'json-fold',
      isWanted: isFound || !isLong || level < OUTER_LEVELS,
      summary: [before, open, h('span', { class: 'json-closed' }, `… ${count} ${close}${after}`)],
      content: () => [
        h('div', { class: 'json-members' }, buildMembers(members, place)),
        h('div', { class: 'json-line' }, `${close}${after}`),
      ],
    }),
  );
}

function buildMembers(members: readonly JsonMember[], place: ValuePlace): Content {
  const shown = members.slice(0, MAX_MEMBERS).map((member, at) => {
    const { key, value } = member;
    const name = key && [h('span', { class: 'json-key' }, place.source.slice(key.start, key.end)), ': '];
    const after = at < members.length - 1 ? ',' : '';
    return value && buildValue(value, { ...place, level: place.level + 1, before: name, after });
  });
  const rest = members.slice(MAX_MEMBERS);
  if (rest.length === 0) return shown;
  const content = (): Content => buildMembers(rest, place);
  return [shown, h(Fold, { class: 'json-fold', summary: `${rest.length} more`, content })];
}
