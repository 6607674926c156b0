import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { escapeLabel, escapeNotification, escapePrompt } from '../../../client/src/window/sinks/escape.ts';

/** The syntax of a link in notifications and prompts of VS Code, and of an icon in its labels. */
const LINK = /\[[^\]]+\]\((?:https?:\/\/|command:|file:)[^)\s]+(?: (["']).+?\1)?\)/i;
const ICON = /\$\([A-Za-z0-9-]+(?:~[A-Za-z]+)?\)/;

const WORD_JOINER = /\u2060/g;

/** Texts of the pieces that links and icons are made of. */
const ANY_TEXT = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...[
          '[',
          ']',
          '(',
          ')',
          '](',
          '[x](',
          'command:',
          'COMMAND:a',
          'https://',
          'http://a',
          'file:',
          ' "',
          '"',
        ],
        ...["'", '$', '$(', '\\$(', '$$(', 'bug', 'sync~spin', '~', '-', ' ', '\n', '\r\n', 'x', '😀'],
      ),
      fc.string({ maxLength: 3 }),
    ),
    { maxLength: 14 },
  )
  .map(pieces => pieces.join(''));

/** The text that VS Code looks for links in: it cuts what is long and joins the lines. */
function asNotification(text: string): string {
  const cut = text.length > 1000 ? `${text.slice(0, 1000)}...` : text;
  return cut.replace(/\r\n|\n|\r/g, ' ').trim();
}

describe('what VS Code parses', () => {
  it('is no link in a notification', () => {
    for (const [text, shown] of [
      ['502 [Show details](command:parley.x)', '502 [Show details]\u2060(command:parley.x)'],
      ['[a](https://b.c "t") [d](FILE:///e)', '[a]\u2060(https://b.c "t") [d]\u2060(FILE:///e)'],
      ['[a\nb](command:c)', '[a\nb]\u2060(command:c)'],
      ['[a](vscode://b)', '[a]\u2060(vscode://b)'],
    ] as const)
      assert.equal(escapeNotification(text), shown);
  });

  it('is no icon in a label', () => {
    assert.equal(
      escapeLabel('$(bug) \\$(sync~spin) $(a_b)'),
      '$\u2060(bug) \\$\u2060(sync~spin) $\u2060(a_b)',
    );
  });

  it('is neither in a prompt', () => {
    assert.equal(escapePrompt('$(bug)[a](command:b)'), '$\u2060(bug)[a]\u2060(command:b)');
  });

  it('shows control characters and bidirectional marks, and keeps lines, blanks and emoji', () => {
    const text = 'a\u001b[2J\u009b\u202eb\u2066\u200e\u{e0041}\tc\nd\u00a0👩‍💻❤️';
    const shown = 'aU+001B[2JU+009BU+202EbU+2066U+200EU+E0041\tc\nd\u00a0👩‍💻❤️';
    for (const escape of [escapeNotification, escapeLabel, escapePrompt]) assert.equal(escape(text), shown);
  });

  for (const text of [
    '',
    'a [b] (c) d',
    'a[0](x) f(b)[1]',
    '[x]( command:a)',
    '$ (a) $() ${x} $(a b)',
    '5 $',
  ])
    it(`leaves ${JSON.stringify(text)} as it is`, () => {
      for (const escape of [escapeNotification, escapeLabel, escapePrompt]) assert.equal(escape(text), text);
    });

  it('is never found in an escaped text, which differs from the text by word joiners alone', () => {
    fc.assert(
      fc.property(ANY_TEXT, text => {
        assert.doesNotMatch(asNotification(escapeNotification(text)), LINK);
        assert.doesNotMatch(escapeLabel(text), ICON);
        assert.doesNotMatch(asNotification(escapePrompt(text)), LINK);
        assert.doesNotMatch(escapePrompt(text), ICON);
        fc.pre(!/[^\P{C}\n\r]/u.test(text) && !/\r(?!\n)/.test(text));
        assert.equal(escapePrompt(text).replace(WORD_JOINER, ''), text);
        if (!LINK.test(asNotification(text)) && !/\]\([a-z]/i.test(text))
          assert.equal(escapeNotification(text), text);
      }),
      { numRuns: 300 },
    );
  });
});
