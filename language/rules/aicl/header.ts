import { CONTENT_START, contentSpan, type AiclNode, type DictNode, type PairNode } from '../../aicl/ast.ts';
import { unescapeText } from '../../aicl/escapes.ts';
import type { KnownFields } from '../../aicl/known-fields.ts';
import { AICL_PROTOCOL, HEADER_FIELDS } from '../../../core/catalog/aicl.ts';
import { replaceFix } from '../../fix.ts';
import { quote } from '../../../core/text/quote.ts';
import { joinWords } from '../../../core/text/count.ts';
import { retag } from './field-types.ts';
import { findMisspelt } from './fields.ts';
import { headerEdits } from './header-fix.ts';
import { NEW_SESSION } from './new-fields.ts';
import type { UnitReport } from './report.ts';

/**
 * The header must have all three fields, first and in order, as texts, with the name of this protocol
 * (reading of LightAICL 3.3).
 */
export function checkHeader(report: UnitReport, root: DictNode, fields: KnownFields): void {
  if (!fields.startsWithHeader && report.settings['aicl.profile'] === 'strict') {
    const missing = HEADER_FIELDS.map(row => row.key).filter(key => !fields.get(key));
    if (missing.length > 0) reportMissing(report, root, fields, missing);
    else checkOrder(report, root, fields);
  }
  for (const { key } of HEADER_FIELDS) {
    const value = fields.get(key)?.value;
    if (!value || value.kind === 'text') continue;
    const message = `${quote(key)} is a text: write it as '[s:…]'`;
    report.add('aicl/header-type', value, message, retag(report, value, ['text']));
  }
  checkProtocol(report, fields.get('protocol')?.value);
  checkSession(report, fields.get('session_id')?.value);
}

function reportMissing(
  report: UnitReport,
  root: DictNode,
  fields: KnownFields,
  missing: readonly (typeof HEADER_FIELDS)[number]['key'][],
): void {
  const misspelt = missing.length === 1 ? findMisspelt(report, root, missing) : undefined;
  if (misspelt) {
    const { key, name, meant } = misspelt;
    report.add(
      'aicl/header-missing',
      key,
      `${quote(name)}: did you mean '${meant}', which every message needs?`,
      [replaceFix(`Write '${meant}'`, contentSpan(key), meant, { safe: false })],
    );
    return;
  }
  const names = joinWords(
    missing.map(key => `'${key}'`),
    'and',
  );
  const edits = headerEdits(report, root.pairs, fields);
  report.add(
    'aicl/header-missing',
    { start: root.start, end: root.start + CONTENT_START },
    `The header lacks ${names}: every message begins with protocol, session_id and msg_type`,
    edits ? [{ title: `Add ${names}`, edits, safe: false }] : [],
  );
}

function checkOrder(report: UnitReport, root: DictNode, fields: KnownFields): void {
  const keys: readonly string[] = HEADER_FIELDS.map(row => row.key);
  // Repeated keys have a rule of their own; here only the first occurrence counts.
  const first = new Map<string, PairNode>();
  for (const pair of root.pairs) {
    if (first.size > keys.length) break;
    const name = unescapeText(report.source(pair.key));
    if (!first.has(name)) first.set(name, pair);
  }
  const inOrder = [...first];
  const wrong = keys.findIndex((key, index) => inOrder[index]?.[0] !== key);
  const [name, misplaced] = inOrder[wrong] ?? [];
  if (name === undefined || !misplaced) return;
  const edits = headerEdits(report, root.pairs, fields);
  report.add(
    'aicl/header-order',
    misplaced.key,
    `${quote(name)} is where '${keys[wrong] ?? ''}' belongs: the header is protocol, session_id, msg_type`,
    edits ? [{ title: 'Put the header in order', edits, safe: true }] : [],
  );
}

function checkProtocol(report: UnitReport, value: AiclNode | undefined): void {
  if (value?.kind !== 'text' || report.isWord(value, AICL_PROTOCOL)) return;
  const name = unescapeText(report.source(value));
  const span = contentSpan(value);
  const isVersion = /^LightAICL_v[0-9.]+$/.test(name);
  // A wrong version or wrong case is certainly a mistake; another name may be a message in the wrong file.
  const safe = isVersion || name.toLowerCase() === AICL_PROTOCOL.toLowerCase();
  const fixes = [replaceFix(`Write '${AICL_PROTOCOL}'`, span, AICL_PROTOCOL, { safe })];
  if (isVersion) {
    report.add(
      'aicl/protocol-version',
      span,
      `The protocol is named '${AICL_PROTOCOL}', without a version`,
      fixes,
    );
  } else {
    const at = span.start === span.end ? value : span;
    report.add(
      'aicl/protocol-name',
      at,
      `${quote(name)} is another protocol: write '${AICL_PROTOCOL}'`,
      fixes,
    );
  }
}

function checkSession(report: UnitReport, value: AiclNode | undefined): void {
  if (value?.kind !== 'text' || value.contentEnd > value.start + CONTENT_START) return;
  report.add('aicl/empty-session', value, 'The session id is empty: write a name for the conversation', [
    replaceFix(`Write '${NEW_SESSION}'`, contentSpan(value), NEW_SESSION, { safe: false }),
  ]);
}
