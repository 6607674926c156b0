import { findArgumentType, findFieldRow, listEscapes, type AicfSide } from '../../../core/catalog/aicf.ts';
import type { TokenKind } from '../../../core/catalog/token-kinds.ts';
import { addContainerLine, type TokenBuilder } from '../../tokens.ts';
import type { Span } from '../../../core/text/span.ts';
import { findFieldSpan, isRequestLine, sideOf, type AicfLine, findCredential } from '../ast.ts';
import { readLineNumber, readSectionHeader } from '../context.ts';
import { looksLikeJson } from '../json-field.ts';
import { addJsonTokens } from './json-tokens.ts';

const NUMBER = /^-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;
const WORD = /^(?:true|false)$/;
const CODE = /^[0-9]+$/;
/** Maximum length of numbers and words. */
const LONGEST_WORD = 400;
/** Matches escapes and variables in a field. */
const IN_FIELD: Readonly<Record<AicfSide, RegExp>> = {
  request: buildPattern('request'),
  response: buildPattern('response'),
};

function buildPattern(side: AicfSide): RegExp {
  const letters = listEscapes(side).map(row => row.letter.replace(/[|\\]/, '\\$&'));
  return new RegExp(String.raw`\\(?:${letters.join('|')})|\{\{[^{}\r\n]*\}\}`, 'g');
}

/** Adds the tokens of one line that starts at offset `start` of the document. */
export class LineColours {
  readonly #tokens: TokenBuilder;
  readonly #source: string;
  readonly #start: number;
  readonly #hasDelimiters: boolean;
  /** The side of the current line, which determines its escapes. */
  #side: AicfSide = 'request';

  constructor(
    tokens: TokenBuilder,
    source: string,
    start: number,
    { hasDelimiters }: { readonly hasDelimiters: boolean },
  ) {
    this.#tokens = tokens;
    this.#source = source;
    this.#start = start;
    this.#hasDelimiters = hasDelimiters;
  }

  addLine(line: AicfLine): void {
    const { kind, word, prefix } = line;
    if (kind === 'comment') {
      addContainerLine(this.#tokens, this.#source.slice(word.start), this.#start + word.start);
      return;
    }
    if (prefix) this.#add({ start: prefix.start, end: this.#trimEnd(prefix) }, 'comment');
    if (kind === 'fence') this.#add(word, 'comment');
    if (kind !== 'command') return;
    const isRight = line.command === undefined || this.#slice(word) === line.command;
    if (isRight) this.#add(word, 'keyword');
    this.#addFields(line);
  }

  #addFields(line: AicfLine): void {
    this.#side = sideOf(line);
    const credential = isRequestLine(line) ? findCredential(this.#source, line) : undefined;
    for (let index = 0; index < line.pipes.length; index++) {
      const pipe = line.pipes[index] ?? line.end;
      if (this.#hasDelimiters) this.#add({ start: pipe, end: pipe + 1 }, 'operator');
      const span = findFieldSpan(line, index);
      if (span && index !== credential) this.#addField(line, index, span);
    }
  }

  #addField(line: AicfLine, index: number, span: Span): void {
    const role = line.command === undefined ? 'argument' : findFieldRow(line.command, index)?.role;
    switch (role) {
      case 'tool':
      case 'name':
        this.#addText(span, 'function');
        break;
      case 'code':
        if (CODE.test(this.#word(span))) this.#add(span, 'number');
        break;
      case 'declaration':
        this.#addDeclaration(span);
        break;
      case 'description':
        this.#addText(span, 'string');
        break;
      case 'data':
        if (line.command === 'ERR') this.#addText(span, 'string');
        else this.#addValue(span);
        break;
      default:
        this.#addValue(span);
    }
  }

  /** Adds a value by its form, like the TextMate grammar. */
  #addValue(span: Span): void {
    const word = this.#word(span);
    if (NUMBER.test(word)) this.#add(span, 'number');
    else if (WORD.test(word)) this.#add(span, 'enumMember');
    else if (looksLikeJson(word))
      addJsonTokens(this.#tokens, this.#slice(span), this.#start + span.start, this.#side);
    else this.#addText(span, 'string');
  }

  /** Adds an argument declaration `name:type?`; the type follows the last `:`. */
  #addDeclaration(span: Span): void {
    const source = this.#slice(span);
    const end = source.length - (source.endsWith('?') ? 1 : 0);
    const colon = source.lastIndexOf(':', end - 1);
    const nameEnd = colon < 0 ? end : colon;
    this.#add({ start: span.start, end: span.start + nameEnd }, 'parameter');
    if (findArgumentType(source.slice(nameEnd + 1, end)))
      this.#add({ start: span.start + nameEnd + 1, end: span.start + end }, 'type');
  }

  #addText(span: Span, kind: TokenKind): void {
    for (const { index, 0: found } of this.#slice(span).matchAll(IN_FIELD[this.#side])) {
      const at = span.start + index;
      this.#add({ start: span.start, end: at }, kind);
      this.#add({ start: at, end: at + found.length }, found.startsWith('\\') ? 'regexp' : 'variable');
    }
    this.#add(span, kind);
  }

  #add(span: Span, kind: TokenKind): void {
    this.#tokens.add(this.#start + span.start, this.#start + span.end, kind);
  }

  #slice({ start, end }: Span): string {
    return this.#source.slice(start, end);
  }

  /** The field, cut to the maximum length of a number. */
  #word({ start, end }: Span): string {
    return this.#source.slice(start, Math.min(end, start + LONGEST_WORD));
  }

  #trimEnd({ start, end }: Span): number {
    return start + this.#source.slice(start, end).trimEnd().length;
  }
}

/**
 * Adds the tokens of a line in a context file: of a header `12|@NAME:rest` the line number, name and rest; of
 * a row the line number and keys.
 */
export function addContextLine(tokens: TokenBuilder, source: string, start: number): void {
  const header = readSectionHeader(source, start);
  if (!header) {
    addRow(tokens, source, start);
    return;
  }
  const { nameSpan } = header;
  tokens.add(start, Math.max(start, nameSpan.start - 1), 'number');
  tokens.add(nameSpan.start + 1, nameSpan.end, 'namespace');
  tokens.add(nameSpan.end, start + source.trimEnd().length, 'string');
}

const KEY = /(?<=^|\|)[A-Za-z_][A-Za-z0-9_.-]{0,99}(?==)/g;

/** Adds `12|key=value|key=value`, like the TextMate grammar. */
function addRow(tokens: TokenBuilder, source: string, start: number): void {
  if (/^\s*#/.test(source.slice(0, LONGEST_WORD))) return;
  const number = readLineNumber(source);
  if (number) tokens.add(start, start + number.contentStart - 1, 'number');
  for (const { index, 0: key } of source.matchAll(KEY))
    tokens.add(start + index, start + index + key.length, 'parameter');
}
