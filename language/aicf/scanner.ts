import { AICF_PREFIXES, findCommand, type AicfCommandName } from '../../core/catalog/aicf.ts';
import type { AicfLine, LineFault, LineKind } from './ast.ts';
import { findFenceEnd, skipBlanks, splitFields, trimmedEnd } from './characters.ts';
import { findFieldEnd } from './codec.ts';

const NO_FAULTS: readonly LineFault[] = [];
const NO_PIPES: readonly number[] = [];
const HASH = 35;
const BACKQUOTE = 96;
const PIPE = 124;
const LONGEST_COMMAND = 6;

/**
 * Scans a valid line in one pass without tokens: container lines, and known commands at the line's start. Returns
 * undefined for any other line, which the parser reads to report its faults. The line has no line end.
 */
export function scanLine(line: string): AicfLine | undefined {
  if (line === '') return EMPTY_LINE;
  const start = skipBlanks(line, 0);
  if (start === line.length) return containerLine('blank', start, start, start);
  const first = line.charCodeAt(start);
  if (first === HASH) return containerLine('comment', start, trimmedEnd(line, start), line.length);
  if (first === BACKQUOTE) {
    const end = findFenceEnd(line, start);
    return end === -1 ? undefined : containerLine('fence', start, end, line.length);
  }
  return start === 0 ? scanCommand(line) : undefined;
}

/**
 * Scans a line of foreign text without tokens; files that are not AICF consist of such lines. Returns undefined if the
 * grammar must read the line: for lines that scanLine accepts, and for words that may be meant as commands.
 */
export function scanForeign(line: string): AicfLine | undefined {
  const start = skipBlanks(line, 0);
  const first = line.charCodeAt(start);
  if (start === line.length || first === HASH || first === BACKQUOTE) return undefined;
  if (AICF_PREFIXES.some(({ text }) => line.startsWith(text, start))) return undefined;
  let end = start;
  while (end < line.length && isWordCharacter(line.charCodeAt(end))) end++;
  if (isCommandLike(line.slice(start, end))) return undefined;
  const word = { start, end: trimmedEnd(line, start) };
  const faults = [{ code: 'aicf/foreign-text', span: word } as const];
  return { ...containerLine('foreign', word.start, word.end, line.length), faults };
}

/** True for a command in any case, and for a word in capitals, which may be a command missing from the catalog. */
function isCommandLike(word: string): boolean {
  return (
    /^[A-Z][A-Z0-9_]*$/.test(word) ||
    (word.length <= LONGEST_COMMAND && findCommand(word.toUpperCase()) !== undefined)
  );
}

function isWordCharacter(code: number): boolean {
  return isCapital(code) || (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code === 95;
}

function containerLine(kind: LineKind, start: number, wordEnd: number, end: number): AicfLine {
  return {
    kind,
    prefix: undefined,
    word: { start, end: wordEnd },
    command: undefined,
    pipes: NO_PIPES,
    end,
    faults: NO_FAULTS,
  };
}

const EMPTY_LINE = containerLine('blank', 0, 0, 0);

function scanCommand(line: string): AicfLine | undefined {
  let wordEnd = 0;
  while (wordEnd <= LONGEST_COMMAND && isCapital(line.charCodeAt(wordEnd))) wordEnd++;
  const row = findCommand(line.slice(0, wordEnd));
  if (!row) return undefined;
  if (line.charCodeAt(wordEnd) !== PIPE) {
    return skipBlanks(line, wordEnd) === line.length
      ? commandLine(row.name, wordEnd, NO_PIPES, line.length)
      : undefined;
  }
  const pipes: number[] = [];
  if (row.reading === 'split') splitFields(line, wordEnd, pipes);
  else {
    pipes.push(wordEnd);
    const second = row.reading === 'code' ? findFieldEnd(line, wordEnd + 1) : line.length;
    if (second < line.length) pipes.push(second);
  }
  return commandLine(row.name, wordEnd, pipes, line.length);
}

function commandLine(
  command: AicfCommandName,
  wordEnd: number,
  pipes: readonly number[],
  end: number,
): AicfLine {
  return {
    kind: 'command',
    prefix: undefined,
    word: { start: 0, end: wordEnd },
    command,
    pipes,
    end,
    faults: NO_FAULTS,
  };
}

function isCapital(code: number): boolean {
  return code >= 65 && code <= 90;
}
