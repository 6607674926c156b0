import { makeSession } from './session.ts';

/** A text of about 10 MB in both notations, and a word in its middle at which keys are typed. */
export interface LargeText {
  readonly name: string;
  readonly aicl: string;
  readonly json: string;
  /** Occurs once in the AICL text, inside a text and directly before its closing bracket. */
  readonly word: string;
}

const LENGTH = 10_000_000;
const WORD = 'the middle of the text';
const HEAD = '[d:[s:protocol]:[s:LightAICL],\n[s:session_id]:[s:s1],\n[s:msg_type]:[s:result],\n[s:data]:';

/**
 * Each shape twice: in Latin-1, which engines store in one byte
 * for each character, and with one character outside of it.
 */
export function makeLargeTexts(): readonly LargeText[] {
  return [makeMessages(), makeTensor(), makeValues()].flatMap(text => [
    text,
    { ...text, name: `${text.name}, one character outside Latin-1`, aicl: `# 漢\n${text.aicl}` },
  ]);
}

function makeMessages(): LargeText {
  const { aicl, json } = makeSession(LENGTH);
  const middle = aicl.indexOf('Zürich]', LENGTH / 2);
  const withWord = aicl.slice(0, middle) + WORD + aicl.slice(middle + 'Zürich'.length);
  return { name: 'many small messages', aicl: withWord, json, word: WORD };
}

function makeTensor(): LargeText {
  const payload = 'Yq<Q*'.repeat(1_800_000);
  const aicl = `${HEAD}[d:[s:weights]:[t:uint8:7200000:${payload}],\n  [s:note]:[s:${WORD}]\n]\n]\n`;
  const json = JSON.stringify([{ protocol: 'LightAICL', data: { weights: payload, note: WORD } }]);
  return { name: 'one message with a tensor of 9 MB', aicl, json, word: WORD };
}

function makeValues(): LargeText {
  const values = Array.from({ length: 100_000 }, (_, id) => ({
    id,
    name: id === 50_000 ? WORD : `agent ${id} of the team`,
    score: 0.5,
    ok: true,
  }));
  const items = values.map(
    ({ id, name }) => `  [d:[s:id]:[i:${id}],[s:name]:[s:${name}],[s:score]:[f:0.5],[s:ok]:[b:true]]`,
  );
  const aicl = `${HEAD}[l:\n${items.join(',\n')}\n]\n]\n`;
  return { name: 'one message of 100,000 values', aicl, json: JSON.stringify(values), word: WORD };
}
