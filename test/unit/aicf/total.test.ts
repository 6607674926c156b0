import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { complete } from '../../../language/aicf/features/completion.ts';
import { folds } from '../../../language/aicf/features/folds.ts';
import { hover } from '../../../language/aicf/features/hover.ts';
import { requests } from '../../../language/aicf/features/requests.ts';
import { symbols } from '../../../language/aicf/features/symbols.ts';
import { formatAicf } from '../../../language/aicf/format.ts';
import { parseAicf } from '../../../language/aicf/parse.ts';
import { AICF_RULES } from '../../../core/catalog/aicf-rules.ts';
import type { RuleRow } from '../../../core/catalog/rule-row.ts';
import { DEFAULT_SETTINGS } from '../../../core/catalog/settings.ts';
import type { OutlineSymbol } from '../../../language/support.ts';
import { applyEdits } from '../../../core/text/edit.ts';
import type { Span } from '../../../core/text/span.ts';
import { validateAicf } from '../../../language/rules/aicf/validate.ts';
import { nastyText } from './nasty.ts';
import { checkAicf } from '../../support/at-once.ts';
import { runs, sized } from '../../support/size.ts';

/** Long enough for a busy machine: no test here is about time. */

/** A session that touches every command and every kind of line. */
const SESSION = [
  '# @agent demo',
  'LIST',
  'TOOLS|figma.getFile|text.echo',
  'INFO|figma.getFile',
  'TOOL|figma.getFile|Get a file \\| or not|fileKey:string|depth:integer?|o:object?',
  'Request:  CALL|figma.getFile|abc123|2|{"a":[1,2]}',
  'Response: OK|{"name":"My Design"}',
  '',
  '```aicf',
  'CALL|text.echo|C:\\new|{"a":"x|y"}|AUTH:token',
  'STREAM|Once\\nupon',
  'STREAM|a time',
  'END',
  '```',
  ' call |text.echo',
  'ERR|418|tea|pot',
  'PING',
  'not a message',
  '界 \ud83d\ude00',
].join('\r\n');

function symbolSpans(list: readonly OutlineSymbol[]): Span[] {
  return list.flatMap(({ span, nameSpan, children }) => {
    assert.ok(span.start <= nameSpan.start && nameSpan.end <= span.end);
    for (const child of children) assert.ok(span.start <= child.span.start && child.span.end <= span.end);
    return [span, ...symbolSpans(children)];
  });
}

/** Asks everything about a text; every place that comes back lies in it. */
function askEverything(text: string, offsets: readonly number[]): void {
  const doc = parseAicf(text, DEFAULT_SETTINGS);
  const issues = validateAicf(doc);
  const spans: Span[] = [
    ...issues.map(issue => issue.span),
    ...issues.flatMap(issue => (issue.fixes ?? []).flatMap(fix => fix.edits.map(edit => edit.span))),
    ...symbolSpans(symbols(doc)),
    ...folds(doc).map(fold => fold.span),
    ...requests(doc).map(request => request.span),
    ...formatAicf(doc, { start: 0, end: doc.text.length }).map(edit => edit.span),
  ];
  for (const offset of offsets) {
    const found = hover(doc, offset);
    if (found) spans.push(found.span);
    spans.push(...complete(doc, offset).map(proposal => proposal.span));
  }
  for (const { start, end } of spans)
    assert.ok(0 <= start && start <= end && end <= text.length, `${start} ${end}`);
  for (const issue of issues) for (const fix of issue.fixes ?? []) applyEdits(text, fix.edits);
}

describe('AICF on any text', () => {
  it('answers everything about texts of nasty pieces', () => {
    fc.assert(
      fc.property(nastyText(), fc.nat(60), (text, offset) => askEverything(text, [0, offset, text.length])),
      // What ever failed is tried first.
      { numRuns: runs(2_000), examples: [['#@', 3]] },
    );
  });

  it('answers everything about a file cut at every character', () => {
    for (let end = 0; end <= SESSION.length; end += sized(1, 29))
      askEverything(SESSION.slice(0, end), [end - 1, end]);
  });

  it('answers everything at every character of a file', () => {
    const step = sized(1, 5);
    askEverything(
      SESSION,
      Array.from({ length: Math.ceil((SESSION.length + 1) / step) }, (_, index) => index * step),
    );
  });

  const lengths = sized(4_000_000, 22_000);
  const longLines: Readonly<Record<string, string>> = {
    'one word': 'a'.repeat(lengths),
    'one argument': `CALL|t|${'x'.repeat(lengths)}`,
    backslashes: `CALL|t|${'\\'.repeat(lengths)}`,
    brackets: `CALL|t|${'['.repeat(lengths)}`,
    blanks: `CALL${' '.repeat(lengths)}x`,
    'data with pipes': `OK|${'|'.repeat(lengths)}`,
    'a comment': `#${'x'.repeat(lengths)}`,
  };
  for (const [name, text] of Object.entries(longLines)) {
    it(`answers about a long line of ${name}`, () => {
      askEverything(text, [0, 10, text.length]);
    });
  }
});

describe('AICF work', () => {
  function countWork(text: string): number {
    const work = { count: 0 };
    const doc = parseAicf(text, DEFAULT_SETTINGS, work);
    checkAicf(doc);
    symbols(doc);
    folds(doc);
    requests(doc);
    formatAicf(doc, { start: 0, end: doc.text.length });
    return work.count;
  }

  it('reads lines of foreign text without tokens', () => {
    const lines = sized(1_000_000, 4_000);
    const work = { count: 0 };
    const doc = parseAicf('x\n'.repeat(lines), DEFAULT_SETTINGS, work);
    work.count = 0;
    validateAicf(doc);
    assert.ok(work.count > 0 && work.count <= 4.1 * lines, `${work.count}`);
  });

  it('reads a long line once, however many rules look at it', () => {
    const text = `CALL|t${'|'.repeat(100_000)}`;
    const work = { count: 0 };
    const doc = parseAicf(text, DEFAULT_SETTINGS, work);
    work.count = 0;
    validateAicf(doc);
    assert.ok(work.count > 0 && work.count < 2.1 * text.length, `${work.count}`);
  });

  // An example with a schema needs the agent that reports it.
  const rows = (AICF_RULES as readonly RuleRow[]).filter(row => row.schema === undefined);
  const samples = new Map(rows.map(row => [row.code, row.bad[0] ?? '']));
  for (const [code, bad] of [...samples, ['a session', SESSION] as const]) {
    it(`doubles when the input doubles: ${code}`, () => {
      const text = `${bad.replace(/[«»]/g, '')}\n`;
      const times = Math.max(2, Math.floor(sized(60_000) / text.length));
      const once = countWork(text.repeat(times));
      const twice = countWork(text.repeat(times * 2));
      assert.ok(once > 0 && twice <= once * 2.1, `${once} then ${twice}`);
    });
  }

  it('finds every fault of each kind, and reports as many as the settings allow', () => {
    const settings = { ...DEFAULT_SETTINGS, maxIssues: sized(DEFAULT_SETTINGS.maxIssues, 20) };
    for (const [code, bad] of samples) {
      // A message of 100 kB, three thousand times, is hundreds of megabytes; foreign lines and streams run together by design.
      if (bad.length > 1_000) continue;
      const text = `${bad.replace(/[«»]/g, '')}\n#\n`.repeat(sized(3_000));
      const doc = parseAicf(text, settings);
      const found = checkAicf(doc);
      const context = doc.dialect === 'context';
      assert.ok(
        context || code === 'aicf/stream-without-end' || found.length >= sized(3_000),
        `${code}: ${found.length}`,
      );
      assert.equal(validateAicf(doc).length, Math.min(found.length, settings.maxIssues));
    }
  });
});
