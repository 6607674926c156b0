import { Component } from 'preact';
import { h, type Content, type View } from '../view.ts';
import { buildMarkdown, type TextHost } from './markdown.ts';
import { LINE, Nearby, NearbyWatch } from './nearby.ts';
import { SectionList, type Section, type TextFormat } from './sections.ts';

/** The sections that are drawn at once; the others are drawn when they come near. */
const FIRST = 3;

/** The number of characters that are split into sections at once; the rest follows between frames. */
const AT_ONCE = 200_000;

/** The number of sections that are watched as one while they are far. */
const GROUP = 40;

interface TextViewProps {
  readonly text: string;
  readonly format: TextFormat;
  readonly host: TextHost;
}

/** A text of any length that may grow. Only what is near the visible part is read and has elements. */
export class TextView extends Component<TextViewProps> {
  #list = new SectionList('plain');
  #read = '';
  #format: TextFormat | undefined;
  #later: ReturnType<typeof setTimeout> | undefined;
  readonly #watch = new NearbyWatch();

  override shouldComponentUpdate({ text, format }: TextViewProps): boolean {
    return text !== this.props.text || format !== this.props.format;
  }

  override componentWillUnmount(): void {
    this.#watch.end();
    clearTimeout(this.#later);
  }

  override render({ text, format }: TextViewProps): View {
    const rest = this.#readOn(text, format);
    const { sections } = this.#list;
    const groups = Array.from({ length: Math.ceil(sections.length / GROUP) }, (_, group) =>
      sections.slice(group * GROUP, (group + 1) * GROUP),
    );
    return h(
      'div',
      { class: 'reply-text' },
      groups.map((group, at) => this.#buildGroup(group, at, groups[at - 1]?.at(-1)?.plain)),
      rest > 0 && h('div', { key: 'rest', style: { height: `${Math.ceil(rest / 100) * LINE}px` } }),
    );
  }

  /** `before` is why the section before the group is plain text. */
  #buildGroup(group: readonly Section[], at: number, before: string | undefined): View {
    const build = (): Content =>
      group.map((section, index) => {
        // The reason is stated once for sections in a row.
        const why = section.plain === (group[index - 1]?.plain ?? before) ? undefined : section.plain;
        const isPlain = section.plain !== undefined || this.props.format === 'plain';
        return h(Nearby, {
          key: index,
          class: isPlain ? 'text-section plain' : 'text-section',
          sections: [section],
          build: () => buildSection(section, why, isPlain ? 'plain' : 'markdown', this.props.host),
          isFirst: at === 0 && index < FIRST,
          watch: this.#watch,
        });
      });
    return h(Nearby, {
      key: at,
      class: 'text-sections',
      sections: group,
      build,
      isFirst: at === 0,
      watch: this.#watch,
    });
  }

  /** Splits more of a text into sections; returns the number of characters that are left. */
  #readOn(text: string, format: TextFormat): number {
    const isMore = format === this.#format && text.startsWith(this.#read);
    if (!isMore) {
      this.#list = new SectionList(format);
      this.#read = '';
    }
    this.#format = format;
    const end = Math.min(text.length, this.#read.length + AT_ONCE);
    this.#list.push(text.slice(this.#read.length, end));
    this.#read = text.slice(0, end);
    clearTimeout(this.#later);
    if (end < text.length) this.#later = setTimeout(() => this.forceUpdate());
    return text.length - end;
  }
}

function buildSection(
  { prefix, text }: Section,
  why: string | undefined,
  format: TextFormat,
  host: TextHost,
): Content {
  return [
    why !== undefined && h('p', { class: 'why-plain' }, `Shown as plain text, because ${why}.`),
    format === 'plain' ? text : buildMarkdown(prefix + text, host),
  ];
}
