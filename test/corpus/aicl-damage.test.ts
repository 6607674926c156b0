import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { DEFAULT_SETTINGS } from '../../protocol/src/catalog/settings.ts';
import { LANGUAGE_SUPPORT } from '../../protocol/src/languages.ts';

const header = (type: string): string =>
  `[s:protocol]:[s:LightAICL],\n  [s:session_id]:[s:s1],\n  [s:msg_type]:[s:${type}]`;
const CALL = `[d:
  ${header('tool_call')},
  [s:tool]:[s:web_scraper],
  [s:params]:[d:
    [s:target_url]:[s:https://example.com],
    [s:extract]:[l:[s:title],[s:price]]
  ]
]`;
const RESULT = `[d:
  ${header('result')},
  [s:data]:[t:float32:2,2:
    0000000000
    0000000000
  ],
  [s:metadata]:[d:[s:n]:[i:3],[s:f]:[f:1.5],[s:b]:[b:true]]
]`;
const COMPACT = CALL.replace(/\n\s*/g, '');

const FILES = [
  CALL,
  RESULT,
  COMPACT,
  `${CALL}\n# @agent x\n${RESULT}\n${CALL}`,
  `${COMPACT}\n${COMPACT}\n${COMPACT}`,
];

/** What is damaged, one at a time. Other damage, such as a lost `[d:`, may still give three diagnostics. */
const MARKS = [',', ':', ']', '[s:'];
const DAMAGES: Readonly<Record<string, (text: string, start: number, end: number) => string>> = {
  deleted: (text, start, end) => text.slice(0, start) + text.slice(end),
  doubled: (text, start, end) => text.slice(0, end) + text.slice(start),
};

function listMarks(
  text: string,
): readonly { readonly mark: string; readonly start: number; readonly end: number }[] {
  return [...text.matchAll(/\[[a-z]:|\]|:|,/g)]
    .map(found => ({ mark: found[0], start: found.index, end: found.index + found[0].length }))
    .filter(({ mark }) => MARKS.includes(mark));
}

describe('AICL with one mark damaged', () => {
  for (const [name, damage] of Object.entries(DAMAGES)) {
    it(`${name}: at most two diagnostics, the first where the damage is or in its field, and no message is lost`, () => {
      const table = new Map(MARKS.map(mark => [mark, [0, 0, 0]]));
      for (const file of FILES) {
        const whole = LANGUAGE_SUPPORT.aicl.open(file, DEFAULT_SETTINGS);
        assert.deepEqual(whole.validate(), []);
        for (const { mark, start, end } of listMarks(file)) {
          const doc = LANGUAGE_SUPPORT.aicl.open(damage(file, start, end), DEFAULT_SETTINGS);
          const issues = doc.validate().filter(issue => issue.severity !== 'hint');
          const where = `${mark} at ${start}: ${issues.map(issue => `${issue.code} ${issue.span.start}`).join(', ')}`;
          assert.ok(issues.length <= 2, where);
          const row = table.get(mark);
          if (row) row[issues.length] = (row[issues.length] ?? 0) + 1;
          const messages = doc.symbols().filter(symbol => symbol.name !== 'fragment').length;
          assert.ok(messages >= whole.symbols().length, `${where}; ${messages} messages are left`);
        }
      }
      const lines = [...table].map(
        ([mark, row]) => `      ${mark.padEnd(4)}${row.map(count => String(count).padStart(6)).join('')}`,
      );
      console.log(['      mark   none   one   two', ...lines].join('\n'));
    });
  }
});
