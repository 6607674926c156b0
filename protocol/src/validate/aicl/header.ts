import { CONTENT_START, contentSpan, type AiclNode, type DictNode, type PairNode } from '../../aicl/ast.ts';
import { unescapeText } from '../../aicl/escapes.ts';
import { AICL_PROTOCOL, HEADER_FIELDS, MESSAGE_TYPES, type MessageTypeRow } from '../../catalog/aicl.ts';
import { replaceFix } from '../../text/fix.ts';
import type { Fix } from '../../text/issue.ts';
import { quote } from '../../text/quote.ts';
import { findSimilar } from '../../text/similar.ts';
import { joinWords } from '../../text/words.ts';
import type { Fields } from './field-types.ts';
import type { UnitReport } from './report.ts';

type HeaderKey = (typeof HEADER_FIELDS)[number]['key'];

/** The header (reading of LightAICL 3.3): all three fields, first, in order, as texts, naming this protocol. */
export function checkHeader(report: UnitReport, root: DictNode, fields: Fields): void {
  if (report.settings['aicl.profile'] === 'strict') {
    const missing = HEADER_FIELDS.map(row => row.key).filter(key => !fields.has(key));
    if (missing.length > 0) reportMissing(report, root, fields, missing);
    else checkOrder(report, root, fields);
  }
  for (const { key } of HEADER_FIELDS) {
    const value = fields.get(key)?.value;
    if (value && value.kind !== 'text')
      report.add('aicl/header-type', value, `${quote(key)} is a text: write it as '[s:…]'`);
  }
  checkProtocol(report, fields.get('protocol')?.value);
  checkSession(report, fields.get('session_id')?.value);
}

function reportMissing(
  report: UnitReport,
  root: DictNode,
  fields: Fields,
  missing: readonly HeaderKey[],
): void {
  for (const [key, pair] of fields) {
    const meant = HEADER_FIELDS.some(row => row.key === key) ? undefined : findSimilar(key, missing);
    if (!meant || missing.length > 1) continue;
    report.add(
      'aicl/header-missing',
      pair.key,
      `${quote(key)}: did you mean '${meant}', which every message needs?`,
      [replaceFix(`Write '${meant}'`, contentSpan(pair.key), meant, { safe: false })],
    );
    return;
  }
  const names = joinWords(
    missing.map(key => `'${key}'`),
    'and',
  );
  const opening = { start: root.start, end: root.start + CONTENT_START };
  const written = missing.map(key => `[s:${key}]:[s:${guessHeader(key, fields)}]`).join(',');
  const rest = root.pairs.length > 0 ? ',' : '';
  const inOrder = HEADER_FIELDS.findIndex(row => row.key === missing[0]);
  const before = inOrder > 0 ? root.pairs.at(inOrder - 1) : undefined;
  const at = before ? before.end : opening.end;
  const text = before ? `,${written}` : written + rest;
  report.add(
    'aicl/header-missing',
    opening,
    `The header lacks ${names}: every message begins with protocol, session_id and msg_type`,
    [replaceFix(`Add ${names}`, { start: at, end: at }, text, { safe: false })],
  );
}

/** The message type whose required fields are all there, as a first guess. */
function guessHeader(key: HeaderKey, fields: Fields): string {
  if (key === 'protocol') return AICL_PROTOCOL;
  if (key === 'session_id') return 'session';
  const rows: readonly MessageTypeRow[] = MESSAGE_TYPES;
  const fitting = rows.find(row => {
    const required = row.fields.filter(field => field.required).map(field => field.key);
    const isChosen = row.oneOf?.some(name => fields.has(name)) ?? true;
    return isChosen && required.every(name => fields.has(name));
  });
  return fitting?.name ?? 'task_request';
}

function checkOrder(report: UnitReport, root: DictNode, fields: Fields): void {
  const keys = HEADER_FIELDS.map(row => row.key);
  const isInOrder = keys.every((key, index) => root.pairs.at(index) === fields.get(key));
  if (isInOrder) return;
  // A key that stands twice is told as that; what counts for the order is where it stands first.
  const names = new Map<string, PairNode>();
  for (const pair of root.pairs) {
    const name = unescapeText(report.source(pair.key));
    if (!names.has(name)) names.set(name, pair);
  }
  const inOrder = [...names];
  const wrong = keys.findIndex((key, index) => inOrder[index]?.[0] !== key);
  const misplaced = inOrder[wrong]?.[1];
  if (wrong < 0 || !misplaced) return;
  const message = `${quote(unescapeText(report.source(misplaced.key)))} stands where '${keys[wrong] ?? ''}' belongs: the header is protocol, session_id, msg_type`;
  report.add('aicl/header-order', misplaced.key, message, reorderFix(report, root, fields));
}

/** Moves the header's pairs to the front and leaves the order of the others; no fix where a key stands twice. */
function reorderFix(report: UnitReport, root: DictNode, fields: Fields): readonly Fix[] {
  if (fields.size !== root.pairs.length) return [];
  const header = HEADER_FIELDS.flatMap(row => fields.get(row.key) ?? []);
  const wanted = [...header, ...[...root.pairs].filter(pair => !header.includes(pair))];
  const edits = [...root.pairs].flatMap((pair, index) => {
    const next = wanted[index];
    return next && next !== pair
      ? [{ span: { start: pair.start, end: pair.end }, newText: report.slice(next) }]
      : [];
  });
  return [{ title: 'Put the header in order', edits, safe: true }];
}

function checkProtocol(report: UnitReport, value: AiclNode | undefined): void {
  if (value?.kind !== 'text') return;
  const name = report.source(value);
  if (name === AICL_PROTOCOL) return;
  const span = contentSpan(value);
  const fixes = [replaceFix(`Write '${AICL_PROTOCOL}'`, span, AICL_PROTOCOL)];
  if (/^LightAICL_v[0-9.]+$/.test(name)) {
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
  if (value?.kind !== 'text' || report.source(value) !== '') return;
  report.add('aicl/empty-session', value, 'The session id is empty: write a name for the conversation');
}
