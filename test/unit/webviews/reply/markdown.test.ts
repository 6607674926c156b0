import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isRecord } from '../../../../core/guard.ts';
import { buildMarkdown } from '../../../../client/webviews/shared/reply/markdown.ts';

const done: string[] = [];
const host = {
  open: (address: string) => done.push(`open ${address}`),
  copy: (text: string) => done.push(`copy ${text}`),
};

/** The elements of a view as text: `p(a strong(b))`. A component is named by its function. */
function print(view: unknown): string {
  if (Array.isArray(view)) return view.map(print).join('');
  if (typeof view === 'string' || typeof view === 'number') return String(view);
  if (!isRecord(view) || !isRecord(view['props'])) return '';
  const { type, props } = view;
  if (typeof type === 'function') return type.name;
  const start = typeof props['start'] === 'number' && props['start'] !== 1 ? `:${props['start']}` : '';
  const checked = props['type'] === 'checkbox' ? `:${props['checked'] === true ? 'checked' : 'open'}` : '';
  const title = props['role'] === 'link' ? `:${String(props['title'])}` : '';
  return `${String(type)}${start}${checked}${title}(${print(props['children'])})`;
}

const printed = (text: string): string => print(buildMarkdown(text, host));

/** What a click on the links does. */
function press(view: unknown): void {
  if (Array.isArray(view)) view.forEach(press);
  if (!isRecord(view) || !isRecord(view['props'])) return;
  const { onClick, children } = view['props'];
  if (typeof onClick === 'function') Reflect.apply(onClick, undefined, []);
  press(children);
}

const CASES: readonly (readonly [name: string, text: string, elements: string])[] = [
  ['headings below the title of the page', '# One\n## Two\n###### Six', 'h2(One)h3(Two)h6(Six)'],
  ['emphasis', 'a *b* **c** ~~d~~ `e<f`', 'p(a em(b) strong(c) del(d) code(e<f))'],
  ['line ends as they were written', 'one\ntwo', 'p(onebr()two)'],
  ['lists with their first number', '3. a\n4. b\n   - c', 'ol:3(li(a)li(bul(li(c))))'],
  ['tasks', '- [x] a\n- [ ] b', 'ul(li(input:checked()a)li(input:open()b))'],
  ['code with its language', '```ts\nlet x;\n```', 'div(CodeHeadpre(code(let x;)))'],
  ['tables', '|a|b|\n|-|-:|\n|1|2|', 'div(table(thead(tr(th(a)th(b)))tbody(tr(td(1)td(2)))))'],
  ['quotes and rules', '> a\n\n---', 'blockquote(p(a))hr()'],
  ['links', '[a](https://x.y/z) <me@x.y>', 'p(button:https://x.y/z(a) button:mailto:me@x.y(me@x.y))'],
  ['pictures as links', '![cat](https://x.y/c.png)', 'p(button:https://x.y/c.png(Picture: cat))'],
  [
    'other addresses as text',
    '[a](javascript:x) ![b](file:///c)',
    'p(a (javascript:x) Picture: b (file:///c))',
  ],
  ['command links as text', '[a](command:workbench.action.quit)', 'p(a (command:workbench.action.quit))'],
  [
    'HTML as text',
    '<script>x</script>\n\na <b onclick=x>b</b>',
    'p(<script>x</script>)p(a <b onclick=x>b</b>)',
  ],
  ['references to characters', '&amp;lt; &#8364; &#xD800; &nosuch;', 'p(&lt; € \ufffd &nosuch;)'],
  ['escapes', String.raw`\*a\* \<b>`, 'p(*a* <b>)'],
];

describe('Markdown of replies', () => {
  for (const [name, text, elements] of CASES)
    it(`makes elements of ${name}`, () => {
      assert.equal(printed(text), elements);
    });

  it('makes no element that loads anything or runs script', () => {
    const evil = CASES.map(([, text]) => text).join('\n\n');
    assert.doesNotMatch(printed(evil), /\b(?:img|script|iframe|a|style|link|object|video|audio)[:(]/);
  });

  it('opens a link by the host only', () => {
    done.length = 0;
    press(buildMarkdown('[a](https://x.y/z)', host));
    assert.deepEqual(done, ['open https://x.y/z']);
  });
});
