import { findFieldSpan, isRequestLine } from '../aicf/ast.ts';
import { looksLikeJson } from '../aicf/json-field.ts';
import { readLine } from '../aicf/parse.ts';
import type { LanguageId } from '../../core/catalog/languages.ts';
import type { Span } from '../../core/text/span.ts';
import { parseJson } from '../../core/text/json.ts';

/** A value `{"$file": "PATH"}` in JSON, which is replaced by the content of the file. */
export interface FileMember extends Span {
  /** Undefined where the value is no text that is a path. */
  readonly path: string | undefined;
}

/** In valid JSON a text cannot contain this: its quotation marks have backslashes. */
const MEMBER = /\{\s*"\$file"\s*:(\s*"(?:[^"\\\r\n]|\\.)*"\s*|[^",}]*)\}/g;

/** The files that a request in JSON names, or one in AICF in its fields that are JSON; AICL has no JSON. */
export function findFileMembers(language: LanguageId, message: string): readonly FileMember[] {
  if (language === 'aicl' || !message.includes('"$file"')) return [];
  return language === 'aicf' ? findInFields(message) : findIn(message, 0);
}

function findInFields(line: string): readonly FileMember[] {
  const tree = readLine(line);
  if (!isRequestLine(tree)) return [];
  return tree.pipes.flatMap((_, index) => {
    const span = findFieldSpan(tree, index);
    const field = span ? line.slice(span.start, span.end) : '';
    return span && looksLikeJson(field) ? findIn(field, span.start) : [];
  });
}

function findIn(json: string, base: number): readonly FileMember[] {
  return [...json.matchAll(MEMBER)].map(({ index, 0: found, 1: written = '' }) => {
    const path = parseJson(written);
    const start = base + index;
    return {
      start,
      end: start + found.length,
      path: typeof path === 'string' && path !== '' ? path : undefined,
    };
  });
}
