import type { DialectReading } from '../../dialect.ts';
import { countOf } from '../../../core/text/count.ts';
import { findEvidence, type DialectEvidence } from '../dialect.ts';
import type { AicfDocument } from '../parse.ts';

/** The dialect of a file, and why (reading of AI Context Format). */
export function dialect(doc: AicfDocument): DialectReading {
  const isSet = doc.settings['aicf.dialect'] !== 'auto';
  return { name: doc.dialect, reason: isSet ? BY_SETTING : explain(findEvidence(doc)) };
}

const BY_SETTING = 'The setting parley.aicf.dialect says so.';

function explain({ kind, line, looked }: DialectEvidence): string {
  const noMessage = `No message in ${countOf(looked, 'line')} checked.`;
  switch (kind) {
    case 'message':
      return `Line ${line + 1} is a message.`;
    case 'section':
      return `Line ${line + 1} begins a section. ${noMessage}`;
    case 'start':
      return `Line ${line + 1} is how a context file begins. ${noMessage}`;
    case 'nothing':
      return `No message and no section in ${countOf(looked, 'line')} checked.`;
  }
}
