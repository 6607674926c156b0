import assert from 'node:assert/strict';
import { after, describe, it } from 'mocha';
import { escapeText } from '../../../language/aicl/escapes.ts';
import { editAicl, parseAicl } from '../../../language/aicl/parse.ts';
import { checkAiclUnit } from '../../../language/rules/aicl/unit.ts';
import { DEFAULT_SETTINGS } from '../../../core/catalog/settings.ts';
import { errorsOf, HEAD, mend, PLACES, TEXTS, UNEVEN } from '../../support/aicl-mistakes.ts';
import { IS_FULL_SIZE, sized } from '../../support/size.ts';

const LENGTHS = IS_FULL_SIZE ? [200_000, 1_000_000, 10_000_000] : [200_000];

/** Values of about a length. The last text of a dictionary could also end later. */
const FILLINGS: Readonly<Record<string, (length: number) => string>> = {
  values: length =>
    `[l:\n${Array.from({ length: length / 60 }, (_, id) => `  [d:[s:id]:[i:${id}],[s:name]:[s:agent ${id} of the team]]`).join(',\n')}]`,
  rows: length =>
    `[l:\n${Array.from({ length: length / 40 }, (_, id) => `  [l:[s:${id}],[s:Berlin],[s:${id * 7}]]`).join(',\n')}]`,
  'a tensor': length => `[t:uint8:${Math.floor(length / 5) * 4}:${'00000'.repeat(Math.floor(length / 5))}]`,
  'a document': length => `[s:${'A line of a document, and so on.\n'.repeat(length / 33)}]`,
};

/** The place of the filling beside a text with a mistake. */
const SIDES: Readonly<Record<string, (message: string, filling: string) => string>> = {
  'at the end': (message, filling) => message.replace(HEAD, `${HEAD},[s:fill]:${filling}`),
  'at the beginning': (message, filling) => message.replace(/\]\n?$/, `,[s:fill]:${filling}$&`),
  'in the middle': (message, filling) =>
    message.replace(HEAD, `${HEAD},[s:fill]:${filling}`).replace(/\]\n?$/, `,[s:more]:${filling}$&`),
};

const ALONE = new Set(['a value by itself', 'the session', 'a message before another one on its line']);

describe('AICL, a bracket in a text of a long message is one diagnostic', function () {
  this.timeout(sized(1_800_000, 60_000));
  const table = new Map<string, string>();
  after(() => {
    for (const [mistake, diagnostic] of table) console.log(`      ${mistake.padEnd(70)}${diagnostic}`);
  });

  /** Asserts that a message has one error, and that a fix of it writes what was meant. */
  function assertMended(what: string, message: string, meant: string): void {
    const errors = errorsOf(message);
    const [error] = errors;
    assert.deepEqual([what, errors.length], [what, 1], errors.map(({ code }) => code).join());
    assert.ok(error && mend(message, error).includes(meant), `${what}: ${error?.code} is mended otherwise`);
    assert.deepEqual(errorsOf(meant), [], what);
    table.set(what, `${error.code}: ${error.message}`);
  }

  const fillings = Object.entries(FILLINGS);
  const sides = Object.entries(SIDES);
  for (const length of LENGTHS)
    for (const [index, text] of [...TEXTS, ...UNEVEN].entries()) {
      it(`${JSON.stringify(text)} in ${length} characters`, () => {
        for (const [at, [place, write]] of Object.entries(PLACES).entries()) {
          if (ALONE.has(place) || (index + at) % (length > 1_000_000 ? 8 : sized(1, 4)) !== 0) continue;
          const [filled, fill] = fillings[(index + at) % fillings.length] ?? ['', String];
          const [side, put] = sides[(index + (at >> 1)) % sides.length] ?? ['', String];
          const filling = fill(length);
          const what = `${JSON.stringify(text)}, ${place}, ${side}, ${filled}`;
          assertMended(what, put(write(text), filling), put(write(escapeText(text)), filling));
        }
      });
    }

  it('in the middle of a text of many lines', () => {
    for (const length of LENGTHS)
      for (const text of [...TEXTS, ...UNEVEN]) {
        const write = (inner: string): string => {
          const lines = 'A line of a document, and so on.\n'.repeat(length / 66);
          return `[d:${HEAD},[s:params]:[d:[s:doc]:[s:${lines}${inner}${lines}],[s:n]:[i:1]]]\n`;
        };
        const what = `${JSON.stringify(text)}, between lines`;
        assertMended(what, write(text), write(escapeText(text)));
      }
  });

  it('several mistakes, far apart', () => {
    for (const length of LENGTHS)
      for (const [name, fill] of fillings) {
        const write = (spell: (text: string) => string): string => {
          const fields = UNEVEN.map(
            (text, index) => `[s:k${index}]:[l:[s:${spell(text)}],[i:1]],[s:f${index}]:${fill(length / 8)}`,
          );
          return `[d:${HEAD},[s:params]:[d:${fields.join(',\n')}]]\n`;
        };
        assertMended(`several mistakes, ${name}`, write(String), write(escapeText));
      }
  });
});

const PIECES = [']', '] b', ']]', '[', '[s:x]', ',', ':', '[l:', 'a', '[s:k],', '\n', ']:', '],[y'];

describe('AICL, edits in a long message with mistakes', () => {
  it('give the document that reading the text anew gives', () => {
    for (const [name, fill] of Object.entries(FILLINGS)) {
      let text = `[d:${HEAD},[s:params]:[d:[s:a]:${fill(150_000)},\n[s:b]:${fill(30_000)}]]\n`;
      let doc = parseAicl(text, DEFAULT_SETTINGS, checkAiclUnit);
      let random = 7;
      for (let edit = 0; edit < sized(400, 16); edit++) {
        random = (random * 1_103_515_245 + 12_345) % 2_147_483_648;
        const at = random % text.length;
        const end = at + (random % 3 === 0 ? 1 + (random % 5) : 0);
        const newText = PIECES[random % PIECES.length] ?? '';
        doc = editAicl(doc, { span: { start: at, end }, newText }, checkAiclUnit);
        text = text.slice(0, at) + newText + text.slice(end);
        const fresh = parseAicl(text, DEFAULT_SETTINGS, checkAiclUnit);
        const units = ({ units: all }: typeof doc): readonly unknown[] =>
          Array.from(all, unit => ({ ...unit, parts: undefined, readLength: undefined }));
        assert.deepEqual(units(doc), units(fresh), `${name}, edit ${edit}`);
        // A message with many mistakes is given up, and a sound one takes its place.
        if (edit % 8 < 7) continue;
        text = `[d:${HEAD},[s:params]:[d:[s:a]:${fill(150_000)},\n[s:b]:${fill(30_000)}]]\n`;
        doc = parseAicl(text, DEFAULT_SETTINGS, checkAiclUnit);
      }
    }
  });

  it('read a part of it, whether the mistake is a bracket or another one', () => {
    for (const [name, fill] of Object.entries(FILLINGS)) {
      if (name.startsWith('a ')) continue;
      const text = `[d:${HEAD},[s:params]:[d:[s:a]:${fill(sized(4_000_000, 1_000_000))},[s:b]:[i:1]]]\n`;
      const doc = parseAicl(text, DEFAULT_SETTINGS, checkAiclUnit);
      const close = text.indexOf(']]', text.length / 2);
      for (const newText of ['] b', ']', '[', ',', '],[i:1],[s:k],[i:2', ':', ' note'])
        for (const at of [close, close + 1]) {
          const edited = editAicl(doc, { span: { start: at, end: at }, newText }, checkAiclUnit);
          assert.ok(edited.work.count < 300_000, `${name}, ${newText}: ${edited.work.count}`);
        }
    }
  });
});

describe('AICL, the search for the ends of texts', () => {
  const rows = '[l:[s:a],[s:b]],';
  const shapes: Readonly<Record<string, (times: number) => string>> = {
    'each text with a mistake': times => `[d:${HEAD},[s:a]:[l:${'[s:a] b],\n'.repeat(times)}]]`,
    'each text with brackets': times => `[d:${HEAD},[s:a]:[l:${'[l:[s:a]] b]],\n'.repeat(times)}]]`,
    'each text in two parts': times => `[d:${HEAD},[s:a]:[l:${'[s:x],[y],'.repeat(times)}]]`,
    'each key with a mistake': times => `[d:${HEAD},[s:a]:[d:${'[s:a] b]:[i:1],'.repeat(times)}]]`,
    'one text of brackets': times => `[d:${HEAD},[s:a]:[s:${'a], '.repeat(times)}],[s:b]:[i:1]]`,
    'rows, then a missing key': times => `[d:${HEAD},[s:a]:[l:${rows.repeat(times)}[l:]],[i:1]]`,
    'rows, then a pair': times => `[d:${HEAD},[s:a]:[l:${rows.repeat(times)}[s:a]:[i:1]]]`,
    'rows, each without a comma': times => `[d:${HEAD},[s:a]:[l:${rows.slice(0, -1).repeat(times)}]]`,
    'messages of rows': times => `[d:[s:a]:[l:${rows.repeat(20)}[s:a]:[i:1]]]\n`.repeat(times / 20),
    'messages that go on': times => '[l:[s:a]] b],[i:1],\n'.repeat(times),
    'brackets only': times => `[d:${HEAD},[s:a]:[l:[s:a${']'.repeat(times)}`,
    'deep rows': times => `[d:${HEAD},[s:a]:${'[l:[s:a],[l:[s:b]],'.repeat(times)}`,
  };
  for (const [name, write] of Object.entries(shapes)) {
    it(`reads ${name} with linear work`, () => {
      const read = (times: number): number =>
        parseAicl(write(times), DEFAULT_SETTINGS, checkAiclUnit).work.count;
      const times = sized(100_000, 4_000);
      const [once, twice] = [read(times), read(2 * times)];
      // A message that became a long one on the way is read once more.
      assert.ok(twice <= 2.2 * once + 200_000, `${once}, then ${twice}`);
      assert.ok(once <= 60 * write(times).length, `${once} for ${write(times).length} characters`);
    });
  }
});
