import type { SampleToken } from './damage.ts';

/**
 * The tokens of valid AICL, found apart from the project's own readers: heads, brackets, commas, colons, and the contents
 * of atoms, those of tensors in their parts.
 */
export function listAiclTokens(text: string): readonly SampleToken[] {
  const tokens: SampleToken[] = [];
  const add = (name: string, start: number, end: number): void => {
    if (end > start) tokens.push({ name, start, end });
  };
  const pattern = /^[ \t]*#.*$|\[([sifbldt]):|[\],:]/gm;
  for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
    const [mark, letter] = found;
    if (mark.trimStart().startsWith('#')) continue;
    const from = pattern.lastIndex;
    add(mark, found.index, from);
    if (letter === undefined || letter === 'l' || letter === 'd') continue;
    const end = letter === 's' ? findTextEnd(text, from) : text.indexOf(']', from);
    if (letter === 't') addTensorParts(text, from, end, add);
    else add(letter === 's' ? 'text' : 'literal', from, end);
    pattern.lastIndex = end;
  }
  return tokens;
}

function addTensorParts(
  text: string,
  from: number,
  end: number,
  add: (name: string, start: number, end: number) => void,
): void {
  const shape = text.indexOf(':', from) + 1;
  const payload = text.indexOf(':', shape) + 1;
  const data = text.slice(payload, end);
  add('dtype', from, shape - 1);
  add("tensor's :", shape - 1, shape);
  add('shape', shape, payload - 1);
  add("tensor's :", payload - 1, payload);
  add('payload', payload + data.length - data.trimStart().length, payload + data.trimEnd().length);
}

/** The first `]` from `from` on that follows an even number of backslashes; the text's length without one. */
function findTextEnd(text: string, from: number): number {
  for (let end = text.indexOf(']', from); end >= 0; end = text.indexOf(']', end + 1)) {
    const backslashes = /\\*$/.exec(text.slice(from, end))?.[0].length ?? 0;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}

/** What may come next in a message. */
type Wanted = 'value' | 'item' | 'key' | 'colon' | 'comma';

/**
 * Where the first token ends that cannot follow the text before it, whatever may come after: no reader can know
 * earlier that something is wrong. Read from the start of a message on, apart from the project's own readers; the
 * text's length where every token can follow.
 */
export function findMisfitEnd(text: string, start: number): number {
  const open: ('key' | 'item')[] = [];
  let wanted: Wanted = 'value';
  const pattern = /\[([sifbtld]):|\S/g;
  pattern.lastIndex = start;
  for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
    const [mark, letter] = found;
    if (letter !== undefined) {
      if (wanted === 'colon' || wanted === 'comma' || (wanted === 'key' && letter !== 's'))
        return pattern.lastIndex;
      if (letter === 'l' || letter === 'd') open.push((wanted = letter === 'l' ? 'item' : 'key'));
      else {
        pattern.lastIndex =
          (letter === 's' ? findTextEnd(text, found.index + 3) : text.indexOf(']', found.index)) + 1;
        wanted = wanted === 'key' ? 'colon' : 'comma';
      }
    } else if (
      mark === ']' &&
      open.length > 0 &&
      (wanted === 'item' || wanted === 'key' || wanted === 'comma')
    ) {
      open.pop();
      wanted = 'comma';
    } else if (mark === ',' && wanted === 'comma') wanted = open.at(-1) ?? 'key';
    else if (mark === ':' && wanted === 'colon') wanted = 'value';
    else return pattern.lastIndex;
    // Behind a whole message another one may come, or a container line.
    if (open.length === 0 && /^\s*(?:[[#]|$)/.test(text.slice(pattern.lastIndex))) return pattern.lastIndex;
  }
  return text.length;
}
