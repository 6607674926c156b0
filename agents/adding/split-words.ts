/** A command as typed into a shell: what is set before it, and its words. */
export interface ShellCommand {
  /** Environment variables that are set before the command, by name. */
  readonly env: ReadonlyMap<string, string>;
  /** The folder of a `cd` before the command. */
  readonly cwd: string | undefined;
  readonly words: readonly string[];
}

/** A word, and whether it is an operator of the shell, such as `&&`. */
interface Word {
  readonly text: string;
  readonly isOperator: boolean;
}

const OPERATORS = /^(?:&&|\|\||[|;&<>])/;

/**
 * Reads a command line as pasted from a README: quotes, line continuations of all shells, a prompt, assignments, `export`,
 * `set` and `cd` before the command. Undefined for a line that needs a shell, such as one with a pipe.
 */
export function readShellCommand(line: string): ShellCommand | undefined {
  const env = new Map<string, string>();
  let cwd: string | undefined;
  const commands = splitCommands(splitWords(line.replace(/^\s*(?:[$>%#]|PS [^>]*>)\s+/, '')));
  for (const [at, words] of (commands ?? []).entries()) {
    const isLast = at === (commands?.length ?? 0) - 1;
    const rest = takeAssignments(words, env);
    const [first = '', second] = rest;
    if (isLast && rest.length > 0 && first !== 'cd' && first !== 'export') return { env, cwd, words: rest };
    if (first === 'cd' && second !== undefined && rest.length === 2) cwd = second;
    else if (rest.length > 0) return undefined;
  }
  return undefined;
}

/** The commands between `&&` and `;`; undefined if there are other operators. */
function splitCommands(words: readonly Word[]): readonly (readonly string[])[] | undefined {
  const commands: string[][] = [[]];
  for (const { text, isOperator } of words) {
    if (!isOperator) commands.at(-1)?.push(text);
    else if (text === '&&' || text === ';') commands.push([]);
    else return undefined;
  }
  return commands.filter(({ length }) => length > 0);
}

/** Takes `A=b`, `export A=b`, `set A=b` and `env A=b` from the start of a command; returns the other words. */
function takeAssignments(words: readonly string[], env: Map<string, string>): readonly string[] {
  let at = /^(?:export|set|env|cross-env)$/.test(words[0] ?? '') && isAssignment(words[1]) ? 1 : 0;
  for (; isAssignment(words[at]); at++) {
    const word = words[at] ?? '';
    const sign = word.indexOf('=');
    env.set(word.slice(0, sign), word.slice(sign + 1));
  }
  return words.slice(at);
}

function isAssignment(word: string | undefined): boolean {
  return /^[A-Za-z_]\w*=/.test(word ?? '');
}

/**
 * Splits a command line into its words. A backslash escapes only a quote, a blank or a line end, because it separates
 * folders in Windows.
 */
export function splitWords(line: string): readonly Word[] {
  const words: Word[] = [];
  let word: string | undefined;
  let quote = '';
  for (let at = 0; at < line.length; at++) {
    const character = line.charAt(at);
    const next = line.charAt(at + 1);
    if (quote !== '') {
      if (character === quote) quote = '';
      else if (quote === '"' && character === '\\' && /["\\]/.test(next) && !isPathEnd(word ?? '', line, at))
        word = `${word ?? ''}${line.charAt(++at)}`;
      else word = `${word ?? ''}${character}`;
      continue;
    }
    const skip = continuationAt(line, at);
    if (skip > 0) {
      at += skip - 1;
      if (word !== undefined) words.push({ text: word, isOperator: false });
      word = undefined;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (character === '\\' && /["' ]/.test(next)) word = `${word ?? ''}${line.charAt(++at)}`;
    else if (/\s/.test(character)) {
      if (word !== undefined) words.push({ text: word, isOperator: false });
      word = undefined;
    } else {
      const operator = word === undefined ? OPERATORS.exec(line.slice(at, at + 2))?.[0] : undefined;
      if (operator !== undefined && !isPlaceholder(line, at)) {
        words.push({ text: operator, isOperator: true });
        at += operator.length - 1;
      } else word = `${word ?? ''}${character}`;
    }
  }
  if (word !== undefined) words.push({ text: word, isOperator: false });
  return words;
}

/** True for `<your-token>`, which is a placeholder and no redirection. */
function isPlaceholder(line: string, at: number): boolean {
  return /^<[\w .-]+>/.test(line.slice(at, at + 80));
}

/** True for the backslash at the end of a quoted path of Windows: `"C:\my files\"`. */
function isPathEnd(word: string, line: string, at: number): boolean {
  return /^[A-Za-z]:\\/.test(word) && line.charAt(at + 1) === '"' && /^(?:\s|$)/.test(line.slice(at + 2));
}

/** The length of a line continuation (`\`, `^` or a backtick before a line end); an input box removes the line end. */
function continuationAt(line: string, at: number): number {
  return /^[\\^`](?:[ \t]*\r?\n\s*|[ \t]{2,}| (?=-))/.exec(line.slice(at, at + 200))?.[0].length ?? 0;
}
