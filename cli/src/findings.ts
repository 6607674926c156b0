import type { OpenDocument } from '../../language/support.ts';
import { findRule } from '../../core/catalog/rules.ts';
import type { Issue, Severity } from '../../core/text/issue.ts';
import type { LinePosition } from '../../core/text/source-text.ts';

/**
 * An issue in a file, as one line of a check shows it. Lines and UTF-16 characters count from 0. The JSON
 * output is a list of findings.
 */
export interface Finding {
  readonly file: string;
  readonly range: { readonly start: LinePosition; readonly end: LinePosition };
  readonly severity: Severity;
  readonly code: string;
  readonly wire?: number;
  readonly message: string;
}

export function toFinding(file: string, document: OpenDocument, issue: Issue): Finding {
  return {
    file,
    range: {
      start: document.text.toPosition(issue.span.start),
      end: document.text.toPosition(issue.span.end),
    },
    severity: issue.severity,
    code: issue.code,
    ...(issue.wire === undefined ? {} : { wire: issue.wire }),
    message: issue.message,
  };
}

const NOT_UTF8 = 'parley/not-utf8';

/** The finding for a file with a byte that is not UTF-8, at the byte offset `badByte` and the position `at`. */
export function notUtf8(file: string, badByte: number, at: LinePosition): Finding {
  return {
    file,
    // The bad byte is displayed as one character, U+FFFD.
    range: { start: at, end: { line: at.line, character: at.character + 1 } },
    severity: findRule(NOT_UTF8)?.severity ?? 'error',
    code: NOT_UTF8,
    message: `The file is not UTF-8 from byte ${badByte} on: save it as UTF-8`,
  };
}
