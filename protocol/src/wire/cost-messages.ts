import { findConversion, type ConversionName } from '../catalog/conversions.ts';
import { findEncoding, type EncodingName } from '../catalog/encodings.ts';
import type { CostTable } from '../cost/cost-table.ts';
import { isCostResult } from './cost-requests.ts';
import { hasShape, isRecord } from './guard.ts';

/** What is compared. */
export interface CostSubject {
  /** The name of its file. */
  readonly file: string;
  /** Where it begins, from 1; absent where the whole file is compared. */
  readonly line?: number;
}

/** The extension to the page: a comparison was begun. What the page shows stays until it ends. */
export interface CostBegun {
  readonly type: 'begun';
  readonly subject: CostSubject;
  readonly encoding: EncodingName;
}

/** The extension to the page: a comparison ended. */
export interface ShowCost {
  readonly type: 'show';
  readonly subject: CostSubject;
  readonly table: CostTable;
}

/** The extension to the page: a sentence says why there is no comparison. What the page showed is the one before. */
export interface CostProblem {
  readonly type: 'problem';
  readonly subject: CostSubject;
  readonly problem: string;
}

/** The extension to the page: the user stopped the comparison. */
export interface CostStopped {
  readonly type: 'stopped';
}

export type ToCost = CostBegun | ShowCost | CostProblem | CostStopped;

/** The page to the extension: count by another encoding. */
export interface ChooseEncoding {
  readonly type: 'encoding';
  readonly encoding: EncodingName;
}

/** The page to the extension: show what is compared in a protocol, live; as it is written where none is named. */
export interface OpenProtocol {
  readonly type: 'open';
  readonly protocol?: ConversionName;
}

/** The page to the extension: put a text into the clipboard. */
export interface CopyCost {
  readonly type: 'copy';
  readonly text: string;
}

/** The page to the extension: its script runs; stop the comparison that runs; begin anew. */
export interface CostPlain {
  readonly type: 'ready' | 'stop' | 'again';
}

export type FromCost = ChooseEncoding | OpenProtocol | CopyCost | CostPlain;

/** Guards what arrives in the page. */
export function isToCost(value: unknown): value is ToCost {
  if (!isRecord(value)) return false;
  const { type, subject, table, problem, encoding } = value;
  if (type === 'stopped') return true;
  if (!isSubject(subject)) return false;
  if (type === 'begun') return findEncoding(encoding) !== undefined;
  if (type === 'show') return isCostResult({ ok: true, table });
  return type === 'problem' && typeof problem === 'string';
}

function isSubject(value: unknown): value is CostSubject {
  return hasShape(value, { file: 'string' }) && ['number', 'undefined'].includes(typeof value['line']);
}

/** Guards what arrives from the page. */
export function isFromCost(value: unknown): value is FromCost {
  if (!isRecord(value)) return false;
  const { type, encoding, protocol, text } = value;
  switch (type) {
    case 'encoding':
      return findEncoding(encoding) !== undefined;
    case 'open':
      return protocol === undefined || findConversion(protocol) !== undefined;
    case 'copy':
      return typeof text === 'string';
    default:
      return type === 'ready' || type === 'stop' || type === 'again';
  }
}
